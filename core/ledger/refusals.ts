// Owns the table `refusals`: how often a stream's POSTs were refused at the door, by code.
// Never counts a batch that was taken in.

import { fold } from '../ids.ts';
import type { Refusal } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

export interface RefusalTable {
  count(stream: string, code: string, at: string): void;
  /** A stream's refusals by code, most frequent first. */
  list(stream: string): Refusal[];
  /** The streams (by folded id) that were refused with a code after `since`. */
  refusedSince(code: string, since: string): ReadonlySet<string>;
}

export const refusalTable = (db: SqliteDatabase): RefusalTable => {
  const count = db.prepare(`
    INSERT INTO refusals (stream_key, code, times, last_at) VALUES (?, ?, 1, ?)
    ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at`);
  const list = db.prepare(`
    SELECT code, times, last_at AS lastAt FROM refusals WHERE stream_key = ? ORDER BY times DESC, code`);
  const since = db
    .prepare('SELECT stream_key FROM refusals WHERE code = ? AND last_at > ?')
    .pluck();
  return {
    count: (stream, code, at) => void count.run(fold(stream), code, at),
    list: (stream) => list.all(fold(stream)) as Refusal[],
    refusedSince: (code, at) => new Set(since.all(code, at) as string[]),
  };
};
