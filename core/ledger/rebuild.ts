// Owns emptying the ledger for a rebuild, and putting back what no folder can tell.
// Never reads the folder.

import { type SqliteDatabase, sqliteCode } from '../sqlite.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a ledger knew that is not in the folder. */
export interface LedgerMemory {
  readonly replays: readonly Row[];
  readonly rejects: readonly Row[];
  readonly refusals: readonly Row[];
}

const QUESTIONS = {
  replays: `SELECT stream_key, batch_key, replays AS times, last_replayed_at AS last_at FROM batches
    WHERE replays > 0`,
  rejects: `SELECT stream_key, reject_id, state, times, last_received_at AS last_at FROM rejects
    WHERE times > 1 OR state <> 'open'`,
  refusals: 'SELECT stream_key, code, times, last_at FROM refusals',
} as const;

/** Empties every table that the folder can fill again and returns what it cannot. */
export const forgetFolder = (db: SqliteDatabase): LedgerMemory =>
  db
    .transaction(() => {
      const memory = recall((question) => db.prepare(question).all() as Row[]);
      for (const table of ['batches', 'compacted_files', 'columns', 'rejects', 'streams']) {
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
});

/** Puts it back, and makes every stream's `received` the sum of its evidence. */
export const rememberFolder = (
  db: SqliteDatabase,
  memory: LedgerMemory,
  settle: () => void,
): void => {
  const replay = db.prepare(`UPDATE batches SET replays = @times, last_replayed_at = @last_at
    WHERE stream_key = @stream_key AND batch_key = @batch_key`);
  const reject =
    db.prepare(`UPDATE rejects SET state = @state, times = @times, last_received_at = @last_at
    WHERE stream_key = @stream_key AND reject_id = @reject_id`);
  const refusal = db.prepare(`INSERT INTO refusals (stream_key, code, times, last_at)
    VALUES (@stream_key, @code, @times, @last_at) ON CONFLICT DO NOTHING`);
  db.transaction(() => {
    for (const row of memory.replays) replay.run(row);
    for (const row of memory.rejects) reject.run(row);
    for (const row of memory.refusals) refusal.run(row);
    settle();
  }).immediate();
};
