// Owns what Strata writes into kb.duckdb for streams: their views and the manifest of sources.
// Never called on a request's path; the caller holds the writer lock and the gate. What a view says is in view-query.ts.

import { existsSync } from 'node:fs';
import { type KnowledgebasePaths, rejectsViewName, viewName } from '../knowledgebase/paths.ts';
import { atStep } from '../steps.ts';
import {
  type DuckDBConnection,
  globLiteral,
  identifier,
  literal,
  messageOf,
  type OpenDuckdb,
  readRows,
} from './duckdb.ts';
import { openOrRebuild } from './open-kb.ts';
import { readJournal } from './swap/journal.ts';
import { currentViewQuery, isOwnView } from './view-query.ts';

/** A stream as the views need it. */
export interface ViewedStream {
  readonly stream: string;
  /** DuckDB cannot bind an empty folder, so a stream without files is in the manifest alone. */
  readonly hasFiles: boolean;
}

/** What a sync of the views changed. */
export interface ViewChanges {
  readonly created: readonly string[];
  readonly rewritten: readonly string[];
  /** Streams whose view DuckDB refused, and why: a file in their folder is broken, or none is there. */
  readonly refused: readonly { readonly stream: string; readonly reason: string }[];
  /** Whether kb.duckdb was damaged and made anew; the damaged file is kept beside it. */
  readonly rebuilt: boolean;
}

/**
 * The query of a stream's view of rejects. Its columns are named, so that it binds without any reject. The files are
 * small, and read whole: a line of the longest body, as text, is cut before it is written there.
 */
const rejectsQuery = (paths: KnowledgebasePaths, stream: string): string =>
  `SELECT reject_id, batch_id, CAST(received_at AS TIMESTAMPTZ) AS received_at, code, line, "column", message,
     line_text, state FROM read_json(${rejectsGlob(paths, stream)}, format = 'newline_delimited',
     columns = {reject_id: 'VARCHAR', batch_id: 'VARCHAR', received_at: 'VARCHAR', code: 'VARCHAR',
       line: 'INTEGER', "column": 'INTEGER', message: 'VARCHAR', line_text: 'VARCHAR', state: 'VARCHAR'})`;

/**
 * Brings kb.duckdb in line with the streams: the manifest has each, and each with files has its view.
 * Idempotent; creates the file, and sets a damaged one aside. Each stream is a transaction of its own, so that one
 * with a broken file does not keep the others from their views.
 * Throws `duckdb_locked` while another program has the file open, `writer_lock_held` while a query of ours reads it.
 */
export const syncViews = async (
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
): Promise<ViewChanges> => {
  const { duckdb, rebuilt } = await openViews(paths);
  try {
    const changes = await syncViewsIn(duckdb.connection, paths, streams);
    return { ...changes, rebuilt };
  } finally {
    duckdb.close();
  }
};

/** As `syncViews`, in a file that is open already. */
export const syncViewsIn = async (
  connection: DuckDBConnection,
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
): Promise<Omit<ViewChanges, 'rebuilt'>> => {
  const created: string[] = [];
  const rewritten: string[] = [];
  const refused: { stream: string; reason: string }[] = [];
  const steps = planViews(paths, streams, await readState(connection));
  for (const { stream, statements, kind } of steps) {
    await connection.run('BEGIN TRANSACTION');
    try {
      for (const statement of statements) await connection.run(statement);
      atStep('view');
      await connection.run('COMMIT');
    } catch (error) {
      // A COMMIT that failed has rolled back already; the reason is the first error in any case.
      await connection.run('ROLLBACK').catch(() => {});
      refused.push({ stream, reason: messageOf(error).split('\n', 1)[0] as string });
      continue;
    }
    if (kind === 'create') created.push(stream);
    if (kind === 'rewrite') rewritten.push(stream);
  }
  if (steps.length > 0) await connection.run('CHECKPOINT');
  return { created, rewritten, refused };
};

/** What kb.duckdb holds of streams now: each manifest source's relation, and each view's definition. */
interface ViewState {
  readonly manifest: ReadonlyMap<string, string | null>;
  readonly views: ReadonlyMap<string, string>;
  readonly rejectViews: ReadonlyMap<string, string>;
}

const SCHEMA = [
  'CREATE SCHEMA IF NOT EXISTS raw_extracted',
  'CREATE SCHEMA IF NOT EXISTS raw_rejects',
  `CREATE TABLE IF NOT EXISTS _strata_manifest (
     source VARCHAR PRIMARY KEY, relation VARCHAR, row_count BIGINT, created_at TIMESTAMPTZ)`,
];

const readState = async (connection: DuckDBConnection): Promise<ViewState> => {
  const manifest = await readRows(connection, 'SELECT source, relation FROM _strata_manifest');
  const views = await readRows(
    connection,
    "SELECT view_name, sql, schema_name FROM duckdb_views() WHERE schema_name LIKE 'raw!_%' ESCAPE '!' AND NOT internal",
  );
  const viewsOf = (schema: string): Map<string, string> =>
    new Map(
      views
        .filter(([, , of]) => of === schema)
        .map(([name, sql]) => [name as string, sql as string]),
    );
  return {
    manifest: new Map(manifest.map(([source, relation]) => [source as string, relation ?? null])),
    views: viewsOf('raw_extracted'),
    rejectViews: viewsOf('raw_rejects'),
  };
};

/** What has to be run for one stream, and what that does to its view. */
interface ViewStep {
  readonly stream: string;
  readonly statements: readonly string[];
  readonly kind: 'create' | 'rewrite' | 'list';
}

const planViews = (
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
  state: ViewState,
): ViewStep[] =>
  streams.flatMap(({ stream, hasFiles }) => {
    const statements: string[] = [];
    const source = `stream:${stream}`;
    const relation = hasFiles ? viewName(stream) : null;
    if (!state.manifest.has(source) || state.manifest.get(source) !== relation) {
      statements.push(
        `INSERT INTO _strata_manifest VALUES (${literal(source)}, ${relation ? literal(relation) : 'NULL'},
           NULL, now()) ON CONFLICT DO UPDATE SET relation = excluded.relation`,
      );
    }
    const now = state.views.get(`stream_${stream}`);
    // While a swap is open, whatever view there is says how far it is; who settles it changes that.
    const isOpen = readJournal(paths.stream(stream))?.moved === false;
    const isRight = now !== undefined && (isOpen || isOwnView(now, paths, stream, false));
    if (hasFiles && !isRight) {
      const query = currentViewQuery(paths, stream);
      statements.push(`CREATE OR REPLACE VIEW ${viewName(stream)} AS ${query}`);
    }
    const rejects = state.rejectViews.get(`stream_${stream}`);
    // Without its folder it cannot bind; the next start makes that again.
    const canBind = existsSync(paths.stream(stream).rejects);
    if (canBind && !rejects?.includes(rejectsGlob(paths, stream))) {
      const query = rejectsQuery(paths, stream);
      statements.push(`CREATE OR REPLACE VIEW ${rejectsViewName(stream)} AS ${query}`);
    }
    const kind = !hasFiles || isRight ? 'list' : now === undefined ? 'create' : 'rewrite';
    return statements.length > 0 ? [{ stream, statements, kind }] : [];
  });

/** Opens kb.duckdb for writing, with Strata's schema. Makes it, sets a damaged one aside and throws as `openOrRebuild`. */
export const openViews = async (
  paths: KnowledgebasePaths,
): Promise<{ duckdb: OpenDuckdb; rebuilt: boolean }> => {
  const opened = await openOrRebuild(paths);
  try {
    for (const statement of SCHEMA) await opened.duckdb.connection.run(statement);
    return opened;
  } catch (error) {
    opened.duckdb.close();
    throw error;
  }
};

/** Whether no stream was ever written into kb.duckdb: it has been made anew since the last sync. */
export const isWithoutSources = async (connection: DuckDBConnection): Promise<boolean> =>
  (await readRows(connection, 'SELECT 1 FROM _strata_manifest LIMIT 1')).length === 0;

/** The definition of a stream's view as DuckDB prints it; undefined where there is none. */
export const readView = async (
  connection: DuckDBConnection,
  stream: string,
): Promise<string | undefined> =>
  (
    await readRows(
      connection,
      `SELECT sql FROM duckdb_views() WHERE schema_name = 'raw_extracted' AND view_name = ${literal(`stream_${stream}`)}`,
    )
  )[0]?.[0] ?? undefined;

/**
 * Replaces a stream's view, durably: whoever opens kb.duckdb next finds the old one or the new one. DuckDB opens every
 * file of the new one when it is written down, and none when it is committed; `between` runs after the first and before
 * the second. Where it throws, the old one stays.
 */
export const replaceView = async (
  connection: DuckDBConnection,
  stream: string,
  query: string,
  between: () => Promise<void> = async () => {},
): Promise<void> => {
  await connection.run('BEGIN TRANSACTION');
  try {
    await connection.run(`CREATE OR REPLACE VIEW ${viewName(stream)} AS ${query}`);
    await between();
    await connection.run('COMMIT');
  } catch (error) {
    // A COMMIT that failed has rolled back already.
    await connection.run('ROLLBACK').catch(() => {});
    throw error;
  }
  await connection.run('CHECKPOINT');
};

/** The files that a stream's view of rejects reads, as SQL writes them. */
export const rejectsGlob = (paths: KnowledgebasePaths, stream: string): string => {
  const { rejects, rejectsGlob: glob } = paths.stream(stream);
  return globLiteral(rejects, glob.slice(rejects.length));
};

/** Adds views over the folders to a database in memory, for streams whose view kb.duckdb does not have. */
export const addTemporaryViews = async (
  { connection }: OpenDuckdb,
  paths: KnowledgebasePaths,
  streams: readonly string[],
): Promise<void> => {
  await connection.run('CREATE SCHEMA IF NOT EXISTS memory.raw_extracted');
  for (const stream of streams) {
    const name = identifier(`stream_${stream}`);
    const query = currentViewQuery(paths, stream);
    await connection.run(`CREATE VIEW memory.raw_extracted.${name} AS ${query}`);
  }
};

/** Adds views of rejects likewise; each stream's folder of them must be there. */
export const addTemporaryRejectViews = async (
  { connection }: OpenDuckdb,
  paths: KnowledgebasePaths,
  streams: readonly string[],
): Promise<void> => {
  await connection.run('CREATE SCHEMA IF NOT EXISTS memory.raw_rejects');
  for (const stream of streams) {
    const name = identifier(`stream_${stream}`);
    const query = rejectsQuery(paths, stream);
    await connection.run(`CREATE VIEW memory.raw_rejects.${name} AS ${query}`);
  }
};
