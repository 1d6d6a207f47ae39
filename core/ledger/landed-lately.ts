// Owns what landed lately over all streams, read from the newest rows of the table `batches`.
// Never reads further back than it has to, however many batches there are.

import type { LandedLately } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** Batches that are looked at: as many as 55 a second leave in a quarter of an hour. Tens of ms, where there are so many. */
const MOST = 50_000;
const STEP = 2_000;

interface Found {
  readonly stream: string;
  readonly second: string;
  readonly rows: number;
}

/** Reads what landed between two moments, ISO 8601, the second excluded. */
export type ReadLandedLately = (from: string, until: string) => LandedLately;

export const landedLately = (db: SqliteDatabase): ReadLandedLately => {
  const newest = db.prepare('SELECT coalesce(max(seq), 0) FROM batches').pluck();
  const step = db.prepare(`
    SELECT s.stream, substr(b.landed_at, 1, 19) AS second,
      sum(CASE WHEN b.landed_at < @until THEN b.rows ELSE 0 END) AS rows
    FROM batches b JOIN streams s USING (stream_key)
    WHERE b.seq > @after AND b.seq <= @to AND b.landed_at >= @from GROUP BY 1, 2 ORDER BY 1, 2`);
  return (from, until) => {
    const landed: LandedLately['landed'][number][] = [];
    const end = newest.get() as number;
    let oldest = '';
    for (let to = end; to > 0; to -= STEP) {
      if (end - to >= MOST) return { since: afterSecond(oldest), landed };
      const found = step.all({ from, until, after: to - STEP, to }) as Found[];
      // They are recorded as they land, but for those that a restart finds: a step of older ones has no newer before it.
      if (found.length === 0) break;
      oldest = found.map(({ second }) => second).sort()[0] as string;
      for (const { stream, second, rows } of found) {
        if (rows > 0) landed.push({ stream, at: `${second}.000Z`, rows });
      }
    }
    return { since: from, landed };
  };
};

/** The oldest second may be there in part. */
const afterSecond = (second: string): string =>
  new Date(Date.parse(`${second}Z`) + 1_000).toISOString();
