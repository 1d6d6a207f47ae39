// Owns the two locks of a knowledgebase that many share or one has alone: folder.lock on its data files, which readers
// share and who moves them has alone; duckdb.lock on kb.duckdb, which readers share and who writes it has alone.
// Never waits, and never stands in the way of a landing: new files come under names that nobody reads yet.
//
// DuckDB locks kb.duckdb itself, for every program. That lock is the process's, though, and the system drops it as soon
// as any of the process closes the file (fcntl(2), POSIX record locks): the first of two queries that ends takes it from
// the other. SQLite's locks know all of a process's holders.
//
// Whoever takes several takes them in this order, and lets go of them the other way round:
//   1. the lock of compactions, of promotions, or of a stream's replays
//   2. the writer lock and the gate of this process, in either order: neither is waited for without end while the other
//      is held
//   3. folder.lock
//   4. duckdb.lock
//   5. kb.duckdb, by DuckDB
// From 2 on each is tried, never waited for while a later one is held, so that two who want the same end with a refusal
// and another try, not with each other.

import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite, type SqliteDatabase, sqliteCode } from '../sqlite.ts';
import type { KnowledgebasePaths } from './paths.ts';

export interface FolderLock {
  release(): void;
}

/** Knowledgebases whose files this process is moving. */
const claimed = new Set<string>();

/**
 * Takes a share: no file moves until it is given back. Undefined while a swap has the lock.
 * It is SQLite's shared lock on a file of its own, which the system drops with its holder.
 */
export const shareFolder = (paths: KnowledgebasePaths): FolderLock | undefined =>
  share(paths.folderLock);

/** Takes the lock alone. Undefined while somebody reads, or another swap has it. */
export const claimFolder = (paths: KnowledgebasePaths): FolderLock | undefined => {
  const mine = claim(paths.folderLock);
  if (!mine) return undefined;
  claimed.add(paths.root);
  return {
    release: () => {
      claimed.delete(paths.root);
      mine.release();
    },
  };
};

/** Whether it is this process that has it alone: then waiting for it without a turn of the event loop is for ever. */
export const isFolderClaimedHere = (paths: KnowledgebasePaths): boolean => claimed.has(paths.root);

/** Takes a share of kb.duckdb: no process of ours writes it until that is given back. Undefined while one does. */
export const shareDuckdb = (paths: KnowledgebasePaths): FolderLock | undefined =>
  share(paths.duckdbLock);

/** Takes kb.duckdb alone among processes of ours. Undefined while one reads it. */
export const claimDuckdb = (paths: KnowledgebasePaths): FolderLock | undefined =>
  claim(paths.duckdbLock);

const share = (file: string): FolderLock | undefined =>
  lock(file, (db) => {
    db.exec('BEGIN');
    // The first read is what takes the lock; the transaction keeps it.
    db.prepare('SELECT 1 FROM sqlite_schema').all();
  });

const claim = (file: string): FolderLock | undefined =>
  lock(file, (db) => db.exec('BEGIN EXCLUSIVE'));

const lock = (file: string, take: (db: SqliteDatabase) => void): FolderLock | undefined => {
  let db: SqliteDatabase | undefined;
  try {
    db = openSqlite(file, { timeoutMs: 0 });
    take(db);
  } catch (error) {
    db?.close();
    const code = sqliteCode(error) ?? '';
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    // Where nothing can be written, nothing moves.
    if (/^SQLITE_(CANTOPEN|READONLY)/.test(code) && !canWrite(dirname(file))) {
      return { release: () => {} };
    }
    throw error;
  }
  const held = db;
  return { release: () => held.close() };
};

/** Whether files can be made in a folder. SQLite says the same where it is not, and where no file handle is left. */
const canWrite = (folder: string): boolean => {
  try {
    // Needs no handle.
    accessSync(folder, constants.W_OK);
  } catch {
    return false;
  }
  // On Windows that does not know who may; there it counts as not, unless it is the handles that are gone.
  return process.platform !== 'win32' || !hasHandle();
};

const hasHandle = (): boolean => {
  try {
    closeSync(openSync(process.execPath, 'r'));
    return true;
  } catch {
    return false;
  }
};
