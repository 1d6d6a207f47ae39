// Owns emptying the ledger for a rebuild, and putting back what no folder can tell.
// Never reads the folder.

import type { SqliteDatabase } from '../sqlite.ts';

/** What a ledger knew that is not in the folder. */
export interface LedgerMemory {
  readonly replays: readonly Record<string, unknown>[];
  readonly rejects: readonly Record<string, unknown>[];
}

/** Empties every table that the folder can fill again and returns what it cannot. */
export const forgetFolder = (db: SqliteDatabase): LedgerMemory =>
  db
    .transaction(() => {
      const replays = db
        .prepare(
          'SELECT stream_key, batch_key, replays, last_replayed_at FROM batches WHERE replays > 0',
        )
        .all() as Record<string, unknown>[];
      const rejects = db
        .prepare(`SELECT stream_key, reject_id, state, times, last_received_at FROM rejects
        WHERE times > 1 OR state <> 'open'`)
        .all() as Record<string, unknown>[];
      for (const table of ['batches', 'columns', 'rejects', 'streams']) {
        db.exec(`DELETE FROM ${table}`);
      }
      return { replays, rejects };
    })
    .immediate();

/** Puts it back, and makes every stream's `received` the sum of its evidence. */
export const rememberFolder = (
  db: SqliteDatabase,
  memory: LedgerMemory,
  settle: () => void,
): void => {
  const replay =
    db.prepare(`UPDATE batches SET replays = @replays, last_replayed_at = @last_replayed_at
    WHERE stream_key = @stream_key AND batch_key = @batch_key`);
  const reject =
    db.prepare(`UPDATE rejects SET state = @state, times = @times, last_received_at = @last_received_at
    WHERE stream_key = @stream_key AND reject_id = @reject_id`);
  db.transaction(() => {
    for (const row of memory.replays) replay.run(row);
    for (const row of memory.rejects) reject.run(row);
    settle();
  }).immediate();
};
