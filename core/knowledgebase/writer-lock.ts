// Owns the locks of a knowledgebase that one process takes alone: the writer lock, for views, swaps, promotion; that
// of a compaction, held from its first file to its last; and a stream's, held while one of its rejects lands. Never
// waits: whoever wants one tries again.

import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { openSqlite, type SqliteDatabase, sqliteCode } from '../sqlite.ts';
import type { KnowledgebasePaths, StreamPaths } from './paths.ts';

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
  const { details, who, cause } = told(held);
  throw new AppError('writer_lock_held', `The writer lock is held by ${who}.`, { details, cause });
};

/** Takes the lock of compactions or throws `compaction_running` with the holder in `details`. */
export const takeCompactionLock = (paths: KnowledgebasePaths, purpose: string): WriterLock => {
  const held = takeFileLock(paths.compactionLock, paths.compactionLockHolder, purpose);
  if ('release' in held) return held;
  const { details, who, cause } = told(held);
  throw new AppError('compaction_running', `A compaction is running, by ${who}.`, {
    details,
    cause,
  });
};

/** Takes the lock of a stream's replays or throws `replay_running` with the holder in `details`, `folder_not_writable`. */
export const takeReplayLock = (paths: StreamPaths, purpose: string): WriterLock => {
  let held: WriterLock | HeldLock;
  try {
    held = takeFileLock(paths.replayLock, paths.replayLockHolder, purpose);
  } catch (error) {
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error) ?? '')) throw error;
    const message = `The folder cannot be written: ${paths.root}.`;
    throw new AppError('folder_not_writable', message, { cause: error });
  }
  if ('release' in held) return held;
  const { details, who, cause } = told(held);
  const message = `A reject of the stream is being landed by ${who}.`;
  throw new AppError('replay_running', message, { details, cause });
};

const told = ({ holder, cause }: HeldLock) => ({
  details: { holder: holder ?? null },
  who: wordsOf(holder),
  cause,
});

/** Why a lock could not be taken: who has it, where they have said so. */
export interface HeldLock {
  readonly holder: LockHolder | undefined;
  readonly cause: unknown;
}

/** Takes a lock on a file of its own, or says who has it. Throws `disk_full`. */
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
    if (sqliteCode(error) === 'SQLITE_FULL') {
      const message = 'The disk is full: nothing was changed.';
      throw new AppError('disk_full', message, {
        hint: 'Free some space, then try again.',
        details: { path: file },
        cause: error,
      });
    }
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

const wordsOf = (holder: LockHolder | undefined): string =>
  holder
    ? `process ${holder.pid} on ${holder.host} (${holder.purpose}, since ${holder.since})`
    : 'another process';
