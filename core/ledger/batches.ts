// Owns the table `batches`: one row a landed batch, the manifest of a stream.
// Never looks at the files themselves.

import { fold } from '../ids.ts';
import type { Batch, FileSums, PlacedBatch } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** What the recorded batches of a stream add up to. */
export interface BatchSums {
  readonly batches: number;
  readonly rows: number;
}

/** Where a batch's rows are. */
export type BatchFile = Pick<Batch, 'file' | 'landedFile' | 'rowInFile'>;

/** What a move says of the batch. */
export interface MovedBatch {
  readonly seq: number;
  readonly landedAt: string;
  /** Of its own file. */
  readonly sizeBytes: number;
  /** Whether it was in its own file until then. */
  readonly wasLoose: boolean;
}

export interface BatchTable {
  /** The batch with this id, compared without case; undefined when none has landed. */
  get(stream: string, batchId: string): Batch | undefined;
  /** Records a batch. False when one with its id is recorded already; nothing changes then. */
  add(batch: Batch): boolean;
  /** Marks a batch that a restart had recorded from its file as answered by this process. */
  claim(batch: Batch): void;
  /** Counts a replay of a batch. */
  countReplay(stream: string, batchId: string, at: string): void;
  /** Landed batches of a stream, newest first, from before `seq` where it is given. */
  list(stream: string, limit: number, beforeSeq?: number): PlacedBatch[];
  /** Batches that are repairs of rejects, or landed in part. */
  linked(stream: string): Batch[];
  /** Repairs of rejects that the ledger does not yet know as landed. */
  unlinked(stream: string): Batch[];
  /** Every batch of a stream in landing order, one at a time. */
  each(stream: string): IterableIterator<Batch>;
  /** The ids of up to `limit` batches after `seq`, in landing order. */
  idsAfter(stream: string, seq: number, limit: number): { seq: number; batchId: string }[];
  sums(stream: string): BatchSums;
  /** The files that hold one batch each. */
  looseSums(stream: string): FileSums;
  /** How many of them landed after a time. */
  looseSince(stream: string, at: string): number;
  /** Bytes of the largest body that has landed. Reads every batch of the stream. */
  largestBody(stream: string): number;
  /** Every batch that is still in its own file, in landing order, one at a time. */
  eachLoose(stream: string): IterableIterator<PlacedBatch>;
  /** Up to `limit` of them from after `seq`. */
  looseAfter(stream: string, seq: number, limit: number): PlacedBatch[];
  /**
   * Notes that a batch is in another file now: `landedFile` is null where that is its own again. Undefined when it is not
   * recorded. The stream's totals are the caller's: engine/place-batch.ts.
   */
  move(stream: string, batchId: string, to: BatchFile): MovedBatch | undefined;
  /** The batches that rows `from` to `to` (exclusive, from 0, in landing order) of a stream lie in, in landing order. */
  covering(stream: string, from: number, to: number): PlacedBatch[];
  /** One batch and where its rows begin; undefined when none has landed under this id. */
  place(stream: string, batchId: string): PlacedBatch | undefined;
  /** The 95th percentile of received to landed, in ms, of the newest 2,000 batches that POSTs landed after `since`; null without any. */
  lagMs(stream: string, since: string): number | null;
}

const FIELDS = `
  stream_key AS streamKey, batch_id AS batchId, file, rows, size_bytes AS sizeBytes,
  body_bytes AS bodyBytes, sha256, sender, received_at AS receivedAt, landed_at AS landedAt,
  replays, last_replayed_at AS lastReplayedAt, recovered, first_row AS firstRow, reject_id AS rejectId,
  reject_sha256 AS rejectSha256, part_reject_id AS partRejectId, lines_rejected AS linesRejected,
  landed_file AS landedFile, row_in_file AS rowInFile`;

type Row = Omit<Batch, 'stream' | 'recovered'> & {
  readonly firstRow: number;
  readonly seq: number;
  readonly streamKey: string;
  readonly recovered: number;
};

export const batchTable = (db: SqliteDatabase): BatchTable => {
  const get = db.prepare(
    `SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND batch_key = ?`,
  );
  const add = db.prepare(`
    INSERT INTO batches (stream_key, batch_key, batch_id, file, rows, size_bytes, body_bytes, sha256,
      sender, received_at, landed_at, replays, last_replayed_at, recovered, reject_id, reject_sha256,
      part_reject_id, lines_rejected, landed_file, row_in_file, first_row)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      (SELECT coalesce(sum(rows), 0) FROM streams WHERE stream_key = ?)) ON CONFLICT DO NOTHING`);
  const claim = db.prepare(`
    UPDATE batches SET recovered = 0, sender = ?, received_at = ?, landed_at = ?
    WHERE stream_key = ? AND batch_key = ? AND recovered = 1 AND sha256 = ?`);
  const replay = db.prepare(`
    UPDATE batches SET replays = replays + 1, last_replayed_at = ?
    WHERE stream_key = ? AND batch_key = ?`);
  const list = db.prepare(
    `SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const linked = db.prepare(`
    SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND reject_id IS NOT NULL
    UNION SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND part_reject_id IS NOT NULL
    ORDER BY seq`);
  const unlinked = db.prepare(`SELECT seq, ${FIELDS} FROM batches b
    WHERE stream_key = ? AND reject_id IS NOT NULL AND EXISTS (SELECT 1 FROM rejects r
      WHERE r.stream_key = b.stream_key AND r.reject_id = b.reject_id AND r.state <> 'replayed')`);
  const each = db.prepare(`SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? ORDER BY seq`);
  const idsAfter = db.prepare(`
    SELECT seq, batch_id AS batchId FROM batches WHERE stream_key = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const sums = db.prepare(`
    SELECT count(*) AS batches, coalesce(sum(rows), 0) AS rows FROM batches WHERE stream_key = ?`);
  const looseSums = db.prepare(`
    SELECT count(*) AS files, coalesce(sum(rows), 0) AS rows, coalesce(sum(size_bytes), 0) AS sizeBytes
    FROM batches WHERE stream_key = ? AND landed_file IS NULL`);
  const looseSince = db
    .prepare(
      'SELECT count(*) FROM batches WHERE stream_key = ? AND landed_file IS NULL AND landed_at > ?',
    )
    .pluck();
  const largestBody = db
    .prepare('SELECT coalesce(max(body_bytes), 0) FROM batches WHERE stream_key = ?')
    .pluck();
  const eachLoose = db.prepare(
    `SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND landed_file IS NULL ORDER BY seq`,
  );
  const looseAfter = db.prepare(`
    SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND landed_file IS NULL AND seq > ?
    ORDER BY seq LIMIT ?`);
  const isLoose = db
    .prepare('SELECT landed_file IS NULL FROM batches WHERE stream_key = ? AND batch_key = ?')
    .pluck();
  const move = db.prepare(`
    UPDATE batches SET file = ?, landed_file = ?, row_in_file = ? WHERE stream_key = ? AND batch_key = ?
    RETURNING seq, landed_at AS landedAt, size_bytes AS sizeBytes`);
  const covering = db.prepare(`
    SELECT seq, ${FIELDS} FROM batches WHERE stream_key = ? AND first_row < ? AND first_row >= (
      SELECT coalesce(max(first_row), 0) FROM batches WHERE stream_key = ? AND first_row <= ?)
    ORDER BY seq`);
  const lags = db.prepare(`
    SELECT received_at AS receivedAt, landed_at AS landedAt FROM batches
    WHERE stream_key = ? AND reject_id IS NULL ORDER BY seq DESC LIMIT 2000`);
  return {
    get: (stream, batchId) => {
      const row = get.get(fold(stream), fold(batchId)) as Row | undefined;
      return row && batchOf(stream, row);
    },
    add: (batch) =>
      add.run(
        fold(batch.stream),
        fold(batch.batchId),
        batch.batchId,
        batch.file,
        batch.rows,
        batch.sizeBytes,
        batch.bodyBytes,
        batch.sha256,
        batch.sender,
        batch.receivedAt,
        batch.landedAt,
        batch.replays,
        batch.lastReplayedAt,
        batch.recovered ? 1 : 0,
        batch.rejectId,
        batch.rejectSha256,
        batch.partRejectId,
        batch.linesRejected,
        batch.landedFile,
        batch.rowInFile,
        fold(batch.stream),
      ).changes > 0,
    claim: (batch) =>
      void claim.run(
        batch.sender,
        batch.receivedAt,
        batch.landedAt,
        fold(batch.stream),
        fold(batch.batchId),
        batch.sha256,
      ),
    countReplay: (stream, batchId, at) => void replay.run(at, fold(stream), fold(batchId)),
    list: (stream, limit, beforeSeq) =>
      (list.all(fold(stream), beforeSeq ?? Number.MAX_SAFE_INTEGER, limit) as Row[]).map((row) =>
        placedOf(stream, row),
      ),
    linked: (stream) =>
      (linked.all(fold(stream), fold(stream)) as Row[]).map((row) => batchOf(stream, row)),
    unlinked: (stream) => (unlinked.all(fold(stream)) as Row[]).map((row) => batchOf(stream, row)),
    each: function* (stream) {
      for (const row of each.iterate(fold(stream))) yield batchOf(stream, row as Row);
    },
    covering: (stream, from, to) =>
      (covering.all(fold(stream), to, fold(stream), from) as Row[])
        .map((row) => placedOf(stream, row))
        .filter(({ firstRow, rows }) => firstRow + rows > from),
    place: (stream, batchId) => {
      const row = get.get(fold(stream), fold(batchId)) as Row | undefined;
      return row && placedOf(stream, row);
    },
    idsAfter: (stream, seq, limit) =>
      idsAfter.all(fold(stream), seq, limit) as { seq: number; batchId: string }[],
    sums: (stream) => sums.get(fold(stream)) as BatchSums,
    looseSums: (stream) => looseSums.get(fold(stream)) as FileSums,
    looseSince: (stream, at) => looseSince.get(fold(stream), at) as number,
    largestBody: (stream) => largestBody.get(fold(stream)) as number,
    eachLoose: function* (stream) {
      for (const row of eachLoose.iterate(fold(stream))) yield placedOf(stream, row as Row);
    },
    looseAfter: (stream, seq, limit) =>
      (looseAfter.all(fold(stream), seq, limit) as Row[]).map((row) => placedOf(stream, row)),
    move: (stream, batchId, { file, landedFile, rowInFile }) => {
      const key = [fold(stream), fold(batchId)];
      const wasLoose = isLoose.get(...key) === 1;
      const moved = move.get(file, landedFile, rowInFile, ...key) as
        | Omit<MovedBatch, 'wasLoose'>
        | undefined;
      return moved && { ...moved, wasLoose };
    },
    lagMs: (stream, since) => {
      const found = (lags.all(fold(stream)) as { receivedAt: string; landedAt: string }[])
        .filter(({ landedAt }) => landedAt > since)
        .map(({ receivedAt, landedAt }) => Date.parse(landedAt) - Date.parse(receivedAt))
        .sort((one, other) => one - other);
      return found[Math.ceil(found.length * 0.95) - 1] ?? null;
    },
  };
};

const placedOf = (stream: string, row: Row): PlacedBatch => ({
  ...batchOf(stream, row),
  seq: row.seq,
  firstRow: row.firstRow,
});

const batchOf = (stream: string, row: Row): Batch => {
  const { seq: _seq, firstRow: _firstRow, streamKey: _key, ...rest } = row;
  return { ...rest, stream, recovered: row.recovered === 1 };
};
