// Owns opening kb.duckdb for writing, and making it anew where it is damaged. Never takes a lock; the caller has it.

import { renameSync } from 'node:fs';
import { removeQuietly } from '../durable.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { isBrokenFile, type OpenDuckdb, openDuckdb } from './duckdb.ts';

/** Opens kb.duckdb; a damaged one is set aside, for everything in it can be made again. Throws `duckdb_locked`. */
export const openOrRebuild = async (
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
