// Owns the table `streams`: each stream's running totals. Never decides what is counted.

import { fold } from '../ids.ts';
import type { StreamTotals } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

export interface StreamTable {
  /** Makes sure a stream has its row; keeps the first spelling. A guess of when it was created yields to what is known. */
  ensure(stream: string, createdAt: string, certainty?: { readonly isGuess: boolean }): void;
  /** The totals of one stream, its id compared without case; undefined when it is not known. */
  get(stream: string): StreamTotals | undefined;
  /** The totals of every stream, by id. */
  list(): StreamTotals[];
  /** Every stream and how many files it has; cheaper than the totals. */
  fileCounts(): { readonly stream: string; readonly files: number }[];
  /** Counts one POST in. */
  countReceived(stream: string, times: number): void;
  /** Adds what a landed file brought, and counts in the POST that it came with (0 where that was counted before). */
  addLanded(stream: string, rows: number, sizeBytes: number, landedAt: string, posts?: 0 | 1): void;
  /** Counts files that hold one batch each in, or out where the numbers are negative. */
  countFiles(stream: string, files: number, sizeBytes: number): void;
  /** Sets `files` and `sizeBytes` to what the recorded files add up to; compaction and a rebuild may. */
  settleFiles(stream: string): void;
  /** Sets `received` to what the evidence in the other tables adds up to; only a rebuild may. */
  settle(): void;
}

/** Batches that are repairs of rejects: those came in once, as rejected. */
const REPAIRED = `(SELECT count(*) FROM batches b
      WHERE b.stream_key = s.stream_key AND b.reject_id IS NOT NULL)`;

// A reject that is a part of a landed batch is no POST of its own.
const TOTALS = `
  SELECT s.stream, s.created_at AS createdAt, s.received, s.rows, s.files, s.size_bytes AS sizeBytes,
    s.last_landed_at AS lastLandedAt,
    (SELECT count(*) FROM batches b WHERE b.stream_key = s.stream_key) - ${REPAIRED} AS landed,
    ${REPAIRED} AS repaired,
    (SELECT coalesce(sum(lines_rejected), 0) FROM batches b
      WHERE b.stream_key = s.stream_key AND part_reject_id IS NOT NULL) AS linesRejected,
    (SELECT coalesce(sum(replays), 0) FROM batches b WHERE b.stream_key = s.stream_key) AS replayed,
    (SELECT coalesce(sum(times), 0) FROM rejects r
      WHERE r.stream_key = s.stream_key AND part_of IS NULL) AS rejected,
    (SELECT coalesce(sum(times), 0) FROM refusals f WHERE f.stream_key = s.stream_key) AS refused,
    (SELECT count(*) FROM rejects r WHERE r.stream_key = s.stream_key AND r.state = 'open') AS openRejects
  FROM streams s`;

export const streamTable = (db: SqliteDatabase): StreamTable => {
  const guess = db.prepare(
    'INSERT INTO streams (stream_key, stream, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const ensure = db.prepare(`
    INSERT INTO streams (stream_key, stream, created_at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET created_at = excluded.created_at`);
  const get = db.prepare(`${TOTALS} WHERE s.stream_key = ?`);
  const list = db.prepare(`${TOTALS} ORDER BY s.stream_key`);
  const fileCounts = db.prepare('SELECT stream, files FROM streams ORDER BY stream_key');
  const received = db.prepare('UPDATE streams SET received = received + ? WHERE stream_key = ?');
  const landed = db.prepare(`
    UPDATE streams SET received = received + ?, rows = rows + ?, files = files + 1, size_bytes = size_bytes + ?,
      last_landed_at = max(coalesce(last_landed_at, ''), ?)
    WHERE stream_key = ?`);
  const changed = db.prepare(
    'UPDATE streams SET files = files + ?, size_bytes = size_bytes + ? WHERE stream_key = ?',
  );
  const files = db.prepare(`
    UPDATE streams SET
      files = (SELECT count(*) FROM batches b WHERE b.stream_key = @key AND b.landed_file IS NULL)
        + (SELECT count(*) FROM compacted_files c WHERE c.stream_key = @key),
      size_bytes = (SELECT coalesce(sum(size_bytes), 0) FROM batches b WHERE b.stream_key = @key AND b.landed_file IS NULL)
        + (SELECT coalesce(sum(size_bytes), 0) FROM compacted_files c WHERE c.stream_key = @key)
    WHERE stream_key = @key`);
  const settle = db.prepare(`
    UPDATE streams SET received =
      (SELECT count(*) - count(reject_id) + coalesce(sum(replays), 0) FROM batches b
        WHERE b.stream_key = streams.stream_key)
      + (SELECT coalesce(sum(times), 0) FROM rejects r
        WHERE r.stream_key = streams.stream_key AND part_of IS NULL)
      + (SELECT coalesce(sum(times), 0) FROM refusals f WHERE f.stream_key = streams.stream_key)`);
  return {
    ensure: (stream, createdAt, { isGuess } = { isGuess: false }) =>
      void (isGuess ? guess : ensure).run(fold(stream), stream, createdAt),
    get: (stream) => get.get(fold(stream)) as StreamTotals | undefined,
    list: () => list.all() as StreamTotals[],
    fileCounts: () => fileCounts.all() as { stream: string; files: number }[],
    countReceived: (stream, times) => void received.run(times, fold(stream)),
    addLanded: (stream, rows, sizeBytes, landedAt, posts = 1) =>
      void landed.run(posts, rows, sizeBytes, landedAt, fold(stream)),
    countFiles: (stream, count, sizeBytes) => void changed.run(count, sizeBytes, fold(stream)),
    settleFiles: (stream) => void files.run({ key: fold(stream) }),
    settle: () => void settle.run(),
  };
};
