// Owns the writer lock of a knowledgebase: the only lock, across processes, for views, compaction, promotion.
// Never waits: whoever wants it tries again.

import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { openSqlite, type SqliteDatabase, sqliteCode } from '../sqlite.ts';
import type { KnowledgebasePaths } from './paths.ts';

/** Who holds the lock, as written beside it. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly purpose: string;
  readonly since: string;
}

export interface WriterLock {
  release(): void;
}

/**
 * Takes the writer lock or throws `writer_lock_held` with the holder in `details`.
 *
 * It is SQLite's exclusive lock on a file of its own: the system drops it with its holder, and it survives a
 * sleeping machine (SQLite: File Locking And Concurrency). The file beside it only names the holder.
 */
export const takeWriterLock = (paths: KnowledgebasePaths, purpose: string): WriterLock => {
  const held = takeFileLock(paths.writerLock, paths.writerLockHolder, purpose);
  if ('release' in held) return held;
  throw heldBy(held.holder, held.cause);
};

/** Why a lock could not be taken: who has it, where they have said so. */
export interface HeldLock {
  readonly holder: LockHolder | undefined;
  readonly cause: unknown;
}

/** Takes a lock on a file of its own, or says who has it. */
export const takeFileLock = (
  file: string,
  holderFile: string,
  purpose: string,
): WriterLock | HeldLock => {
  let db: SqliteDatabase | undefined;
  try {
    db = openSqlite(file, { timeoutMs: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (!sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw error;
    return { holder: readHolder(holderFile), cause: error };
  }
  const held = db;
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    purpose,
    since: new Date().toISOString(),
  };
  try {
    writeFileSync(holderFile, JSON.stringify(holder));
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    release: () => {
      removeQuietly(holderFile);
      held.close();
    },
  };
};

const readHolder = (holderFile: string): LockHolder | undefined => {
  try {
    return JSON.parse(readFileSync(holderFile, 'utf8')) as LockHolder;
  } catch {
    // It is written just after the lock is taken and goes just before it is freed.
    return undefined;
  }
};

const heldBy = (holder: LockHolder | undefined, cause: unknown): AppError => {
  const who = holder
    ? `process ${holder.pid} on ${holder.host} (${holder.purpose}, since ${holder.since})`
    : 'another process';
  return new AppError('writer_lock_held', `The writer lock is held by ${who}.`, {
    details: { holder: holder ?? null },
    cause,
  });
};
