// Owns opening what a query reads: a database in memory, kb.duckdb attached for reading, every other file shut off.
// Never runs a person's SQL itself.

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { listStreamFolders } from '../knowledgebase/create.ts';
import { type FolderLock, shareDuckdb, shareFolder } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { takeWriterLock } from '../knowledgebase/writer-lock.ts';
import {
  type DuckDBConnection,
  globLiteral,
  isBrokenFile,
  literal,
  lockFault,
  type OpenDuckdb,
  openDuckdb,
  readRows,
} from './duckdb.ts';
import { isOwnView, readsLost } from './view-query.ts';
import { addTemporaryRejectViews, addTemporaryViews, rejectsGlob } from './views.ts';

/** What a query reads from. */
export interface Reader {
  readonly duckdb: OpenDuckdb;
  /** Why kb.duckdb is out of reach (raw streams are still there); null when it is attached. */
  readonly unavailable: string | null;
  /** Closes it; kb.duckdb is let go of when it resolves, whether or not a result was read to its end. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** The one file outside the knowledgebase that may be written. */
  readonly output?: string;
  /** Aborting it ends waiting for kb.duckdb. */
  readonly signal: AbortSignal;
}

/** For what a reader takes the writer lock: for a moment, to see whether it is free. */
export const LOOKING = 'a look';

/** How long a query waits for another Strata process that is changing views or files. */
const WRITER_PATIENCE_MS = 10_000;
// SQL that lists views instead of naming them.
const LISTING =
  /duckdb_views|duckdb_tables|duckdb_columns|information_schema|\bshow\b|sqlite_master/i;

const REJECTS = /raw_rejects/i;
const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Opens a reader for one query. Streams that kb.duckdb has no view of (their first file landed a moment ago, the
 * file is locked, or the folder was moved since) get views of our own over their folders, but only those that the
 * SQL names: binding one opens its files.
 */
export const openReader = async (
  paths: KnowledgebasePaths,
  streams: readonly string[],
  sql: string,
  { output, signal }: ReaderOptions,
): Promise<Reader> => {
  const duckdb = await openDuckdb(':memory:', {
    temp_directory: join(tmpdir(), `strata-${process.pid}`),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  let share: FolderLock | undefined;
  let isAttached = false;
  const close = async (): Promise<void> => {
    try {
      // Else a result that was not read to its end would keep the file open until it is collected.
      if (isAttached) await duckdb.connection.run('DETACH kb');
    } finally {
      duckdb.close();
      share?.release();
    }
  };
  try {
    const attached = await attach(duckdb.connection, paths, signal);
    const { unavailable } = attached;
    share = attached.share;
    isAttached = unavailable === null;
    const views = unavailable === null ? await viewsOf(duckdb.connection, 'raw_extracted') : NONE;
    const named = sql.toLowerCase();
    const lists = LISTING.test(sql);
    const missing = streams.filter((stream) => {
      const view = `stream_${stream}`.toLowerCase();
      const definition = views.get(view);
      const isThere =
        definition !== undefined &&
        isOwnView(definition, paths, stream, true) &&
        !readsLost(paths, stream, definition);
      return !isThere && (lists || named.includes(view));
    });
    await addTemporaryViews(duckdb, paths, missing);
    const rejects =
      REJECTS.test(sql) || lists ? await addRejects(duckdb, paths, lists ? null : named) : '';
    const own = 'memory.raw_extracted,memory.main';
    // Ours come first: kb.duckdb may have one that names a folder that is gone.
    const kb = unavailable === null ? await schemasOf(duckdb.connection) : [];
    const path = [own, ...kb].join(',') + rejects;
    for (const setting of [
      `search_path = ${literal(path)}`,
      // A message in words shows no more than a piece of a long line, and so no place in it.
      'errors_as_json = true',
      // As files are named, and as views name them: DuckDB compares a glob with it letter by letter.
      `allowed_directories = [${literal(`${paths.strata}/`)}, ${globLiteral(paths.strata, '/')}]`,
      ...(output === undefined ? [] : [`allowed_paths = [${literal(output)}]`]),
      'enable_external_access = false',
      'lock_configuration = true',
    ]) {
      await duckdb.connection.run(`SET ${setting}`);
    }
    return { duckdb, unavailable, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * Makes the rejects of streams readable that kb.duckdb has no view of: those that the SQL names, or all. Returns what
 * that adds to the search path: DuckDB finds a schema without its catalog only there.
 */
const addRejects = async (
  duckdb: OpenDuckdb,
  paths: KnowledgebasePaths,
  named: string | null,
): Promise<string> => {
  const { connection } = duckdb;
  const there = await viewsOf(connection, 'raw_rejects');
  const without = listStreamFolders(paths).filter((stream) => {
    const view = `stream_${stream}`.toLowerCase();
    const isThere = there.get(view)?.includes(rejectsGlob(paths, stream)) ?? false;
    const isWanted = named === null || named.includes(view);
    return !isThere && isWanted && existsSync(paths.stream(stream).rejects);
  });
  if (without.length > 0) await addTemporaryRejectViews(duckdb, paths, without);
  return [
    ...(without.length > 0 ? [',memory.raw_rejects'] : []),
    ...(there.size > 0 ? [',kb.raw_rejects'] : []),
  ].join('');
};

interface Attached {
  readonly unavailable: string | null;
  /** Holds the files in place, and kb.duckdb as it is where that is attached. */
  readonly share: FolderLock;
}

const attach = async (
  connection: DuckDBConnection,
  paths: KnowledgebasePaths,
  signal: AbortSignal,
): Promise<Attached> => {
  const giveUpAt = Date.now() + WRITER_PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    let inTheWay = new AppError('writer_lock_held', 'Files are being moved by a compaction.');
    const files = shareFolder(paths);
    if (files) {
      const found = await attachSharing(connection, paths).catch(giveBack(files));
      if ('release' in found) return { unavailable: null, share: both(found, files) };
      // While a Strata process holds the writer lock, files may be about to move: the folder is not to be read
      // past kb.duckdb. Any other holder changes nothing in the folder.
      const writer = found.holder && writerOf(paths);
      if (!found.holder || (!writer && found.isForeign)) {
        return { unavailable: found.message, share: files };
      }
      files.release();
      inTheWay = found.isForeign ? found.holder : (writer ?? found.holder);
    }
    if (Date.now() > giveUpAt) throw inTheWay;
    await wait(25);
  }
};

/** Attaches kb.duckdb, and gives the share of it that was taken before; or says why not, and has none. */
const attachSharing = async (
  connection: DuckDBConnection,
  paths: KnowledgebasePaths,
): Promise<FolderLock | Obstacle> => {
  const share = shareDuckdb(paths);
  if (!share) {
    const message = 'kb.duckdb is being written.';
    return { message, holder: new AppError('writer_lock_held', message), isForeign: false };
  }
  const obstacle = await tryToAttach(connection, paths).catch(giveBack(share));
  if (!obstacle) return share;
  share.release();
  return obstacle;
};

const both = (one: FolderLock, other: FolderLock): FolderLock => ({
  release: () => {
    one.release();
    other.release();
  },
});

const giveBack =
  (share: FolderLock) =>
  (error: unknown): never => {
    share.release();
    throw error;
  };

/** Why kb.duckdb cannot be read; `holder` where another process has it, which `isForeign` where only DuckDB says so. */
interface Obstacle {
  readonly message: string;
  readonly holder?: AppError;
  readonly isForeign?: boolean;
}

/** Null when kb.duckdb is attached. */
const tryToAttach = async (
  connection: DuckDBConnection,
  paths: KnowledgebasePaths,
): Promise<Obstacle | null> => {
  if (!existsSync(paths.duckdb)) return { message: 'kb.duckdb is not there yet.' };
  try {
    await connection.run(`ATTACH ${literal(paths.duckdb)} AS kb (READ_ONLY)`);
    // A file that Strata has not written yet has no schema of ours.
    const schemas = await readRows(
      connection,
      "SELECT 1 FROM duckdb_schemas() WHERE database_name = 'kb' AND schema_name = 'raw_extracted'",
    );
    if (schemas.length > 0) return null;
    await connection.run('DETACH kb');
    return { message: 'kb.duckdb has no views yet.' };
  } catch (error) {
    const fault = lockFault(error);
    if (fault instanceof AppError)
      return { message: fault.message, holder: fault, isForeign: true };
    if (isBrokenFile(error)) return { message: 'kb.duckdb is damaged and will be made anew.' };
    throw error;
  }
};

/** The schemas of kb.duckdb that a query may name without it. */
const schemasOf = async (connection: DuckDBConnection): Promise<string[]> => {
  const rows = await readRows(
    connection,
    "SELECT 1 FROM duckdb_schemas() WHERE database_name = 'kb' AND schema_name = 'ontology'",
  );
  const always = ['kb.main', 'kb.raw_extracted'];
  return rows.length > 0 ? [...always, 'kb.ontology'] : always;
};

/** Who holds the writer lock, as an error says it; undefined where nobody does. */
const writerOf = (paths: KnowledgebasePaths): AppError | undefined => {
  try {
    takeWriterLock(paths, LOOKING).release();
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'writer_lock_held') return error;
    throw error;
  }
};

/** The stream views of kb.duckdb: their folded names and definitions. */
const viewsOf = async (
  connection: DuckDBConnection,
  schema: string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await readRows(
    connection,
    `SELECT view_name, sql FROM duckdb_views()
       WHERE database_name = 'kb' AND schema_name = ${literal(schema)}`,
  );
  return new Map(rows.map(([name, sql]) => [(name as string).toLowerCase(), sql as string]));
};
