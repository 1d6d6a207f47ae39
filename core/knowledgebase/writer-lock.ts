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
  let db: SqliteDatabase | undefined;
  try {
    db = openSqlite(paths.writerLock, { timeoutMs: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw heldBy(readHolder(paths), error);
    throw error;
  }
  const held = db;
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    purpose,
    since: new Date().toISOString(),
  };
  try {
    writeFileSync(paths.writerLockHolder, JSON.stringify(holder));
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    release: () => {
      removeQuietly(paths.writerLockHolder);
      held.close();
    },
  };
};

const readHolder = (paths: KnowledgebasePaths): LockHolder | undefined => {
  try {
    return JSON.parse(readFileSync(paths.writerLockHolder, 'utf8')) as LockHolder;
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
