// Owns opening kb.duckdb for writing, alone among Strata's processes, and making it anew where it is damaged.
// Never waits, and never takes the writer lock; the caller has it, and the gate.

import { renameSync } from 'node:fs';
import { removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { claimDuckdb } from '../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { isBrokenFile, type OpenDuckdb, openDuckdb } from './duckdb.ts';

/**
 * Opens kb.duckdb; a damaged one is set aside, for everything in it can be made again. No query of any Strata process is
 * in it from now until it is closed. Throws `duckdb_locked` while another program has it open, `writer_lock_held` while
 * a query of ours reads it.
 */
export const openOrRebuild = async (
  paths: KnowledgebasePaths,
): Promise<{ duckdb: OpenDuckdb; rebuilt: boolean }> => {
  const claim = claimDuckdb(paths);
  if (!claim) throw readElsewhere();
  try {
    const { duckdb, rebuilt } = await open(paths);
    const close = (): void => {
      try {
        duckdb.close();
      } finally {
        claim.release();
      }
    };
    return { duckdb: { ...duckdb, close }, rebuilt };
  } catch (error) {
    claim.release();
    throw error;
  }
};

/** What stands in the way where a query does; it passes, as soon as that ends, and nobody can say whose it is. */
export const readElsewhere = (): AppError =>
  new AppError('writer_lock_held', 'A query in another process is reading the files.', {
    details: { holder: null },
  });

const open = async (
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
