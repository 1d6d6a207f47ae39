// Owns the lock on a knowledgebase's data files: shared by who reads them past kb.duckdb, taken alone by who moves them.
// Never waits, and never stands in the way of a landing: new files come under names that nobody reads yet.

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
  lock(paths, (db) => {
    db.exec('BEGIN');
    // The first read is what takes the lock; the transaction keeps it.
    db.prepare('SELECT 1 FROM sqlite_schema').all();
  });

/** Takes the lock alone. Undefined while somebody reads, or another swap has it. */
export const claimFolder = (paths: KnowledgebasePaths): FolderLock | undefined => {
  const mine = lock(paths, (db) => db.exec('BEGIN EXCLUSIVE'));
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

const lock = (
  paths: KnowledgebasePaths,
  take: (db: SqliteDatabase) => void,
): FolderLock | undefined => {
  let db: SqliteDatabase | undefined;
  try {
    db = openSqlite(paths.folderLock, { timeoutMs: 0 });
    take(db);
  } catch (error) {
    db?.close();
    const code = sqliteCode(error) ?? '';
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    // Where nothing can be written, nothing moves.
    if (/^SQLITE_(CANTOPEN|READONLY)/.test(code)) return { release: () => {} };
    throw error;
  }
  const held = db;
  return { release: () => held.close() };
};
