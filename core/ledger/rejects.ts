// Owns the table `rejects`: one row a rejected body. Never holds the body; that is in the stream's failed folder.

import { fold } from '../ids.ts';
import type { Reject } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

export interface RejectTable {
  /** Records a reject. False when its id is recorded already; nothing changes then. */
  add(reject: Reject): boolean;
  /** Counts the same body coming in again under the same batch id. */
  countAgain(stream: string, rejectId: string, at: string): void;
  get(stream: string, rejectId: string): Reject | undefined;
  /** Rejects of a stream, or of all, newest first. */
  list(stream: string | undefined, limit: number): Reject[];
  /** Every reject of a stream, oldest first, one at a time. */
  each(stream: string): IterableIterator<Reject>;
}

const FIELDS = `
  s.stream, r.reject_id AS rejectId, r.batch_id AS batchId, r.state, r.code, r.message, r.line,
  r."column", r.fault_count AS faultCount, r.sender, r.received_at AS receivedAt,
  r.last_received_at AS lastReceivedAt, r.times, r.body_bytes AS bodyBytes, r.sha256
  FROM rejects r JOIN streams s USING (stream_key)`;

export const rejectTable = (db: SqliteDatabase): RejectTable => {
  const add = db.prepare(`
    INSERT INTO rejects (stream_key, reject_id, batch_id, state, code, message, line, "column", fault_count,
      sender, received_at, last_received_at, times, body_bytes, sha256)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const again = db.prepare(`
    UPDATE rejects SET times = times + 1, last_received_at = ? WHERE stream_key = ? AND reject_id = ?`);
  const get = db.prepare(`SELECT ${FIELDS} WHERE r.stream_key = ? AND r.reject_id = ?`);
  const ofStream = db.prepare(
    `SELECT ${FIELDS} WHERE r.stream_key = ? ORDER BY r.seq DESC LIMIT ?`,
  );
  const ofAll = db.prepare(`SELECT ${FIELDS} ORDER BY r.seq DESC LIMIT ?`);
  const each = db.prepare(`SELECT ${FIELDS} WHERE r.stream_key = ? ORDER BY r.seq`);
  return {
    add: (reject) =>
      add.run(
        fold(reject.stream),
        reject.rejectId,
        reject.batchId,
        reject.state,
        reject.code,
        reject.message,
        reject.line,
        reject.column,
        reject.faultCount,
        reject.sender,
        reject.receivedAt,
        reject.lastReceivedAt,
        reject.times,
        reject.bodyBytes,
        reject.sha256,
      ).changes > 0,
    countAgain: (stream, rejectId, at) => void again.run(at, fold(stream), rejectId),
    get: (stream, rejectId) => get.get(fold(stream), rejectId) as Reject | undefined,
    list: (stream, limit) =>
      (stream === undefined ? ofAll.all(limit) : ofStream.all(fold(stream), limit)) as Reject[],
    each: (stream) => each.iterate(fold(stream)) as IterableIterator<Reject>,
  };
};
