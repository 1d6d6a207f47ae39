// Owns opening kb.duckdb for work of our own: to write it under the writer lock, or to read what Strata keeps in it.
// Never waits without bound: whoever holds it longer is named.

import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { type FolderLock, shareDuckdb } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { takeWriterLock } from '../knowledgebase/writer-lock.ts';
import {
  type DuckDBConnection,
  literal,
  lockFault,
  type OpenDuckdb,
  openDuckdb,
} from './duckdb.ts';
import type { Gate } from './gate.ts';
import { holdFiles } from './hold-files.ts';
import { openViews } from './views.ts';

/** The kb.duckdb of a knowledgebase, and the gate before it. */
export interface KbFile {
  readonly paths: KnowledgebasePaths;
  readonly gate: Gate;
}

export interface KbWork {
  /** How long other programs, other processes and queries of this one may be in the way; 15 s unless said. */
  readonly patienceMs?: number;
  /** Aborting it interrupts DuckDB. */
  readonly signal?: AbortSignal | undefined;
}

const PATIENCE_MS = 15_000;
const AGAIN_MS = 50;

/**
 * Runs `work` with kb.duckdb open for writing, alone: under the writer lock, with no query of any Strata process inside.
 * Throws `writer_lock_held` or `duckdb_locked` with who is in the way when that lasts longer than the patience.
 */
export const writeKb = async <T>(
  { paths, gate }: KbFile,
  purpose: string,
  work: (connection: DuckDBConnection) => Promise<T>,
  { patienceMs = PATIENCE_MS, signal }: KbWork = {},
): Promise<T> => {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    let inTheWay = new AppError('writer_lock_held', 'Queries are still running.');
    try {
      const left = Math.max(1, giveUpAt - Date.now());
      const done = await gate.write(async () => {
        const lock = takeWriterLock(paths, purpose);
        try {
          return { value: await withOpen((await openViews(paths)).duckdb, signal, work) };
        } finally {
          lock.release();
        }
      }, left);
      if (done) return done.value;
    } catch (error) {
      if (!isLocked(error)) throw error;
      inTheWay = error;
    }
    if (Date.now() > giveUpAt) throw inTheWay;
    await wait(AGAIN_MS);
  }
};

/**
 * Runs `work` with kb.duckdb attached as `kb`, for reading, beside a database in memory; no file of the knowledgebase
 * moves meanwhile. Throws `duckdb_locked`, `writer_lock_held` with who is in the way.
 */
export const readKb = <T>(
  { paths, gate }: KbFile,
  work: (connection: DuckDBConnection) => Promise<T>,
  { patienceMs = PATIENCE_MS, signal }: KbWork = {},
): Promise<T> =>
  holdFiles({ paths, gate }, async () => {
    const { duckdb, share } = await openSoon(paths, Date.now() + patienceMs);
    try {
      return await withOpen(duckdb, signal, work);
    } finally {
      share.release();
    }
  });

const openSoon = async (
  paths: KnowledgebasePaths,
  giveUpAt: number,
): Promise<{ readonly duckdb: OpenDuckdb; readonly share: FolderLock }> => {
  for (;;) {
    const share = shareDuckdb(paths);
    try {
      if (!share) throw new AppError('writer_lock_held', 'kb.duckdb is being written.');
      return { duckdb: await openKb(paths), share };
    } catch (error) {
      share?.release();
      if (!isLocked(error) || Date.now() > giveUpAt) throw error;
      await wait(AGAIN_MS);
    }
  }
};

const openKb = async ({ duckdb: path }: KnowledgebasePaths): Promise<OpenDuckdb> => {
  const duckdb = await openDuckdb(':memory:');
  try {
    await duckdb.connection.run(`ATTACH ${literal(path)} AS kb (READ_ONLY)`);
    await duckdb.connection.run('USE kb');
    return duckdb;
  } catch (error) {
    duckdb.close();
    throw lockFault(error);
  }
};

const isLocked = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (error.code === 'duckdb_locked' || error.code === 'writer_lock_held');

const withOpen = async <T>(
  duckdb: OpenDuckdb,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> => {
  let again: NodeJS.Timeout | undefined;
  const stop = (): void => {
    duckdb.connection.interrupt();
    // Between two of DuckDB's calls there is nothing to interrupt.
    again ??= setInterval(() => duckdb.connection.interrupt(), AGAIN_MS);
  };
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    return await work(duckdb.connection);
  } finally {
    signal?.removeEventListener('abort', stop);
    clearInterval(again);
    duckdb.close();
  }
};
