// Owns the table `compacted_files`: one row a file that holds many batches, and the list of all files of a stream.
// Never looks at the files themselves.

import { fold } from '../ids.ts';
import type { FileSums, StreamFile } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** A file that compaction made. `firstSeq` and `lastSeq` are those of its batches in landing order. */
export interface CompactedFile {
  readonly file: string;
  readonly run: string;
  readonly rows: number;
  readonly sizeBytes: number;
  /** What the bodies of its batches add up to. */
  readonly bodyBytes: number;
  readonly batches: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly firstLandedAt: string;
  readonly lastLandedAt: string;
}

export interface CompactedFileTable {
  get(stream: string, file: string): CompactedFile | undefined;
  /** Records a file, over what was recorded under its name. */
  add(stream: string, file: CompactedFile): void;
  remove(stream: string, file: string): void;
  /** All of a stream, in landing order. */
  list(stream: string): CompactedFile[];
  sums(stream: string): FileSums;
  /** Files of a stream of one kind or both, newest first, from before `before` where it is given. */
  page(
    stream: string,
    kind: StreamFile['kind'] | undefined,
    limit: number,
    before: number | undefined,
  ): StreamFile[];
}

const FIELDS = `file, run, rows, size_bytes AS sizeBytes, body_bytes AS bodyBytes, batches, first_seq AS firstSeq, last_seq AS lastSeq,
  first_landed_at AS firstLandedAt, last_landed_at AS lastLandedAt`;

const LOOSE = `
  SELECT file, 'loose' AS kind, rows, size_bytes AS sizeBytes, 1 AS batches, batch_id AS batchId,
    landed_at AS firstLandedAt, landed_at AS lastLandedAt, NULL AS run, seq AS place
  FROM batches WHERE stream_key = @key AND landed_file IS NULL AND seq < @before`;
const COMPACTED = `
  SELECT file, 'compacted' AS kind, rows, size_bytes AS sizeBytes, batches, NULL AS batchId,
    first_landed_at AS firstLandedAt, last_landed_at AS lastLandedAt, run, last_seq AS place
  FROM compacted_files WHERE stream_key = @key AND last_seq < @before`;

export const compactedFileTable = (db: SqliteDatabase): CompactedFileTable => {
  const get = db.prepare(`SELECT ${FIELDS} FROM compacted_files WHERE stream_key = ? AND file = ?`);
  const add = db.prepare(`
    INSERT OR REPLACE INTO compacted_files (stream_key, file, run, rows, size_bytes, body_bytes, batches, first_seq, last_seq,
      first_landed_at, last_landed_at)
    VALUES (@key, @file, @run, @rows, @sizeBytes, @bodyBytes, @batches, @firstSeq, @lastSeq, @firstLandedAt, @lastLandedAt)`);
  const remove = db.prepare('DELETE FROM compacted_files WHERE stream_key = ? AND file = ?');
  const list = db.prepare(
    `SELECT ${FIELDS} FROM compacted_files WHERE stream_key = ? ORDER BY last_seq`,
  );
  const sums = db.prepare(`
    SELECT count(*) AS files, coalesce(sum(rows), 0) AS rows, coalesce(sum(size_bytes), 0) AS sizeBytes
    FROM compacted_files WHERE stream_key = ?`);
  const newest = 'ORDER BY place DESC LIMIT @limit';
  const pages = {
    loose: db.prepare(`${LOOSE} ${newest}`),
    compacted: db.prepare(`${COMPACTED} ${newest}`),
    // Each side is cut before they are joined, so that neither is read whole.
    both: db.prepare(
      `SELECT * FROM (${LOOSE} ${newest}) UNION ALL SELECT * FROM (${COMPACTED} ${newest}) ${newest}`,
    ),
  };
  return {
    get: (stream, file) => get.get(fold(stream), file) as CompactedFile | undefined,
    add: (stream, file) => void add.run({ ...file, key: fold(stream) }),
    remove: (stream, file) => void remove.run(fold(stream), file),
    list: (stream) => list.all(fold(stream)) as CompactedFile[],
    sums: (stream) => sums.get(fold(stream)) as FileSums,
    page: (stream, kind, limit, before) =>
      pages[kind ?? 'both'].all({
        ...{ key: fold(stream), limit, before: before ?? Number.MAX_SAFE_INTEGER },
      }) as StreamFile[],
  };
};
