// Owns emptying the ledger for a rebuild, and putting back what no folder can tell.
// Never reads the folder.

import { type SqliteDatabase, sqliteCode } from '../sqlite.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a ledger knew that is not in the folder. */
export interface LedgerMemory {
  readonly replays: readonly Row[];
  readonly rejects: readonly Row[];
  readonly refusals: readonly Row[];
  /** Alerts that a person has seen. */
  readonly alerts: readonly Row[];
}

const QUESTIONS = {
  replays: `SELECT stream_key, batch_key, replays AS times, last_replayed_at AS last_at FROM batches
    WHERE replays > 0`,
  rejects: `SELECT stream_key, reject_id, state, times, last_received_at AS last_at, changed_at, changed_by,
    operation, landed_as FROM rejects WHERE times > 1 OR state <> 'open'`,
  refusals: 'SELECT stream_key, code, times, last_at FROM refusals',
  alerts: `SELECT stream_key, kind, file, 1 AS times, acknowledged_at AS last_at FROM alerts
    WHERE acknowledged_at IS NOT NULL`,
} as const;

const FOLDER_TABLES = [
  ...['batches', 'compacted_files', 'columns', 'streams'],
  ...['rejects', 'attempts', 'reject_chunks'],
];

/** Empties every table that the folder can fill again and returns what it cannot. */
export const forgetFolder = (db: SqliteDatabase): LedgerMemory =>
  db
    .transaction(() => {
      const memory = recall((question) => db.prepare(question).all() as Row[]);
      for (const table of FOLDER_TABLES) {
        db.exec(`DELETE FROM ${table}`);
      }
      return memory;
    })
    .immediate();

/** What can still be read of a damaged ledger. */
export const salvageMemory = (db: SqliteDatabase): LedgerMemory =>
  recall((question) => {
    const rows: Row[] = [];
    try {
      for (const row of db.prepare(question).iterate() as IterableIterator<Row>) {
        // Damage that SQLite does not notice shows as values of another kind.
        const { times, last_at: lastAt } = row;
        if (Number.isSafeInteger(times) && typeof lastAt === 'string') rows.push(row);
      }
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
    }
    return rows;
  });

const recall = (ask: (question: string) => Row[]): LedgerMemory => ({
  replays: ask(QUESTIONS.replays),
  rejects: ask(QUESTIONS.rejects),
  refusals: ask(QUESTIONS.refusals),
  alerts: ask(QUESTIONS.alerts),
});

/** Puts it back, and makes every stream's `received` the sum of its evidence. */
export const rememberFolder = (
  db: SqliteDatabase,
  memory: LedgerMemory,
  settle: () => void,
): void => {
  const replay = db.prepare(`UPDATE batches SET replays = @times, last_replayed_at = @last_at
    WHERE stream_key = @stream_key AND batch_key = @batch_key`);
  const reject = db.prepare(`UPDATE rejects SET times = @times, last_received_at = @last_at
    WHERE stream_key = @stream_key AND reject_id = @reject_id`);
  // What the folder says of a reject's state is as new as the ledger or newer; this is for one it says nothing of.
  const state = db.prepare(`UPDATE rejects SET state = @state, changed_at = @changed_at,
      changed_by = @changed_by, operation = @operation, landed_as = @landed_as, unsaved = 1
    WHERE stream_key = @stream_key AND reject_id = @reject_id AND state = 'open' AND saved_ms IS NULL
      AND @state <> 'open'`);
  const refusal = db.prepare(`INSERT INTO refusals (stream_key, code, times, last_at)
    VALUES (@stream_key, @code, @times, @last_at) ON CONFLICT DO NOTHING`);
  const alert = db.prepare(`UPDATE alerts SET acknowledged_at = @last_at
    WHERE stream_key = @stream_key AND kind = @kind AND file = @file`);
  db.transaction(() => {
    for (const row of memory.alerts) alert.run(row);
    for (const row of memory.replays) replay.run(row);
    for (const row of memory.rejects) {
      reject.run(row);
      state.run(row);
    }
    for (const row of memory.refusals) refusal.run(row);
    settle();
  }).immediate();
};
