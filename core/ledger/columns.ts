// Owns the table `columns`: each stream's persistent map from a field's name to the column it lands in.
// Never renames: a field that has landed always lands in the same column.

import { fold } from '../ids.ts';
import type { StreamColumn } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** Names that the view needs itself (DESIGN of the folder; DuckDB: read_parquet's `filename`). */
const OWN_COLUMNS: readonly string[] = ['filename', '_batch_id', '_line'];

export interface ColumnTable {
  /** A stream's columns in order of first sight. */
  list(stream: string): StreamColumn[];
  count(stream: string): number;
  /** The column a field lands in; undefined when the stream has not seen the field. */
  find(stream: string, source: string): string | undefined;
  /** Gives a new field its column: its own spelling, with `_` appended until it is free. Returns the column. */
  add(stream: string, source: string, batchId: string | null, at: string): string;
  /** Records a column as a landed file has it; keeps what is there. */
  restore(stream: string, column: StreamColumn): void;
}

export const columnTable = (db: SqliteDatabase): ColumnTable => {
  const list = db.prepare(`
    SELECT source, landed, first_seen_at AS firstSeenAt, first_batch_id AS firstBatchId
    FROM columns WHERE stream_key = ? ORDER BY position`);
  const count = db.prepare('SELECT count(*) AS n FROM columns WHERE stream_key = ?');
  const find = db.prepare('SELECT landed FROM columns WHERE stream_key = ? AND column_key = ?');
  const taken = db.prepare('SELECT 1 FROM columns WHERE stream_key = ? AND landed_key = ?');
  const insert = db.prepare(`
    INSERT INTO columns (stream_key, column_key, position, source, landed, landed_key, first_seen_at, first_batch_id)
    VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM columns WHERE stream_key = ?), ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const findOne = (stream: string, source: string): string | undefined =>
    (find.get(fold(stream), fold(source)) as { landed: string } | undefined)?.landed;
  const put = (stream: string, column: StreamColumn): void => {
    const key = fold(stream);
    insert.run(
      key,
      fold(column.source),
      key,
      column.source,
      column.landed,
      fold(column.landed),
      column.firstSeenAt,
      column.firstBatchId,
    );
  };
  return {
    list: (stream) => list.all(fold(stream)) as StreamColumn[],
    count: (stream) => (count.get(fold(stream)) as { n: number }).n,
    find: findOne,
    add: (stream, source, batchId, at) => {
      const known = findOne(stream, source);
      if (known !== undefined) return known;
      let landed = source;
      while (
        OWN_COLUMNS.includes(fold(landed)) ||
        taken.get(fold(stream), fold(landed)) !== undefined
      ) {
        landed += '_';
      }
      put(stream, { source, landed, firstSeenAt: at, firstBatchId: batchId });
      return landed;
    },
    restore: put,
  };
};
