// Owns what Strata writes into kb.duckdb for streams: their views and the manifest of sources.
// Never called on a request's path; the caller holds the writer lock and the gate.

import { renameSync } from 'node:fs';
import { removeQuietly } from '../durable.ts';
import { type KnowledgebasePaths, viewName } from '../knowledgebase/paths.ts';
import { atStep } from '../steps.ts';
import {
  globLiteral,
  identifier,
  isBrokenFile,
  literal,
  type OpenDuckdb,
  openDuckdb,
  readRows,
} from './duckdb.ts';

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
  /** Whether kb.duckdb was damaged and made anew; the damaged file is kept beside it. */
  readonly rebuilt: boolean;
}

/** The query of a stream's view. It names the folder, so a moved knowledgebase needs its views rewritten. */
export const viewQuery = (paths: KnowledgebasePaths, stream: string): string =>
  `SELECT * FROM read_parquet(${streamGlob(paths, stream)}, union_by_name = true, ` +
  'filename = true, hive_partitioning = false)';

/**
 * Brings kb.duckdb in line with the streams: the manifest has each, and each with files has its view.
 * Idempotent; creates the file, and sets a damaged one aside. All or nothing: one transaction.
 * Throws `duckdb_locked` while another program has the file open.
 */
export const syncViews = async (
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
): Promise<ViewChanges> => {
  const { duckdb, rebuilt } = await openOrRebuild(paths);
  try {
    const changes = await syncInto(duckdb, paths, streams);
    return { ...changes, rebuilt };
  } finally {
    duckdb.close();
  }
};

const syncInto = async (
  { connection }: OpenDuckdb,
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
): Promise<Omit<ViewChanges, 'rebuilt'>> => {
  const plan = planViews(paths, streams, await readState(connection));
  if (plan.statements.length === 0) return plan;
  await connection.run('BEGIN TRANSACTION');
  for (const statement of plan.statements) await connection.run(statement);
  atStep('view');
  await connection.run('COMMIT');
  await connection.run('CHECKPOINT');
  return plan;
};

/** What kb.duckdb holds of streams now: each manifest source's relation, and each view's definition. */
interface ViewState {
  readonly manifest: ReadonlyMap<string, string | null>;
  readonly views: ReadonlyMap<string, string>;
}

const SCHEMA = [
  'CREATE SCHEMA IF NOT EXISTS raw_extracted',
  `CREATE TABLE IF NOT EXISTS _strata_manifest (
     source VARCHAR PRIMARY KEY, relation VARCHAR, row_count BIGINT, created_at TIMESTAMPTZ)`,
];

const readState = async (connection: OpenDuckdb['connection']): Promise<ViewState> => {
  for (const statement of SCHEMA) await connection.run(statement);
  const manifest = await readRows(connection, 'SELECT source, relation FROM _strata_manifest');
  const views = await readRows(
    connection,
    "SELECT view_name, sql FROM duckdb_views() WHERE schema_name = 'raw_extracted' AND NOT internal",
  );
  return {
    manifest: new Map(manifest.map(([source, relation]) => [source as string, relation ?? null])),
    views: new Map(views.map(([name, sql]) => [name as string, sql as string])),
  };
};

const planViews = (
  paths: KnowledgebasePaths,
  streams: readonly ViewedStream[],
  state: ViewState,
): { statements: string[]; created: string[]; rewritten: string[] } => {
  const statements: string[] = [];
  const created: string[] = [];
  const rewritten: string[] = [];
  for (const { stream, hasFiles } of streams) {
    const source = `stream:${stream}`;
    const relation = hasFiles ? viewName(stream) : null;
    if (!state.manifest.has(source) || state.manifest.get(source) !== relation) {
      statements.push(
        `INSERT INTO _strata_manifest VALUES (${literal(source)}, ${relation ? literal(relation) : 'NULL'},
           NULL, now()) ON CONFLICT DO UPDATE SET relation = excluded.relation`,
      );
    }
    const now = state.views.get(`stream_${stream}`);
    if (!hasFiles) continue;
    // DuckDB prints a view's query in its own way; the folder is all of it that can differ.
    if (now?.includes(streamGlob(paths, stream))) continue;
    statements.push(`CREATE OR REPLACE VIEW ${viewName(stream)} AS ${viewQuery(paths, stream)}`);
    (now === undefined ? created : rewritten).push(stream);
  }
  return { statements, created, rewritten };
};

const streamGlob = (paths: KnowledgebasePaths, stream: string): string => {
  const { data, glob } = paths.stream(stream);
  return globLiteral(data.replaceAll('\\', '/'), glob.slice(data.length));
};

const openOrRebuild = async (
  paths: KnowledgebasePaths,
): Promise<{ duckdb: OpenDuckdb; rebuilt: boolean }> => {
  try {
    return { duckdb: await openDuckdb(paths.duckdb), rebuilt: false };
  } catch (error) {
    if (!isBrokenFile(error)) throw error;
    renameSync(paths.duckdb, `${paths.duckdb}.damaged-${Date.now()}`);
    removeQuietly(`${paths.duckdb}.wal`);
    return { duckdb: await openDuckdb(paths.duckdb), rebuilt: true };
  }
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
    await connection.run(`CREATE VIEW memory.raw_extracted.${name} AS ${viewQuery(paths, stream)}`);
  }
};
