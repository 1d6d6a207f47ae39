// Owns the table `rejects`: one row a rejected body, and what became of it. Finding many is in reject-lists.ts.
// Never holds the body; that is in the stream's failed folder.

import { fold } from '../ids.ts';
import type { Cause, Reject, RejectState } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** A change of a reject's state. */
export interface RejectChange {
  readonly state: RejectState;
  readonly at: string;
  readonly by: string;
  /** What many changes at once have in common; null for one by itself. */
  readonly operation: string | null;
  /** The batch it landed as; null unless replayed. */
  readonly landedAs: string | null;
}

/** A body that landed from a reject: sent again under the reject's batch id, it is a replay of that batch. */
export interface LandedReject {
  readonly sha256: string;
  readonly landedAs: string;
}

export interface RejectTable {
  /** Records a reject. False when its id is recorded already; nothing changes then. */
  add(reject: Reject): boolean;
  /** Counts the same body coming in again under the same batch id. */
  countAgain(stream: string, rejectId: string, at: string): void;
  get(stream: string, rejectId: string): Reject | undefined;
  /** Every reject of a stream, oldest first, one at a time. */
  each(stream: string): IterableIterator<Reject>;
  /** Changes a reject's state where it is `from`; its state file is to be written then. False where it is another. */
  change(stream: string, rejectId: string, from: RejectState, change: RejectChange): boolean;
  removeBody(stream: string, rejectId: string, at: string): void;
  /** What its state file says, where that is newer than the ledger. */
  restore(reject: Reject, operation: string | null): void;
  /** The state file was written at this moment of its folder. */
  saved(stream: string, rejectId: string, savedMs: number): void;
  /** When each state file of a stream was last known to be written, by reject id; in a far future where the ledger is ahead of it. */
  savedTimes(stream: string): Map<string, number>;
  /** Rejects whose state file is still to be written. */
  unsaved(): { readonly stream: string; readonly rejectId: string }[];
  operationOf(stream: string, rejectId: string): string | null;
  /** Rejects of an older ledger, whose cause was never told. */
  withoutCause(): { readonly stream: string; readonly rejectId: string }[];
  setCause(stream: string, rejectId: string, cause: Omit<Cause, 'code'>): void;
  /** Bodies that came under this batch id, compared without case, were rejected, and landed later. */
  landedUnder(stream: string, batchId: string): LandedReject[];
}

/** A reject's columns as Reject names them; `r` is the table. */
export const REJECT_FIELDS = `
  s.stream, r.reject_id AS rejectId, r.batch_id AS batchId, r.state, r.code, r.message, r.line,
  r."column", r.field, coalesce(r.shape, 'other') AS shape, r.fault_count AS faultCount, r.sender,
  r.received_at AS receivedAt, r.last_received_at AS lastReceivedAt, r.times, r.body_bytes AS bodyBytes,
  r.sha256, r.changed_at AS changedAt, r.changed_by AS changedBy, r.landed_as AS landedAs,
  r.part_of AS partOf, r.body_removed_at AS bodyRemovedAt, r.attempts
  FROM rejects r JOIN streams s USING (stream_key)`;

export const rejectTable = (db: SqliteDatabase): RejectTable => {
  const add = db.prepare(`
    INSERT INTO rejects (stream_key, reject_id, batch_id, state, code, message, line, "column", field, shape,
      fault_count, sender, received_at, last_received_at, times, body_bytes, sha256, changed_at, changed_by,
      landed_as, part_of, body_removed_at, attempts)
    VALUES (@key, @rejectId, @batchId, @state, @code, @message, @line, @column, @field, @shape, @faultCount,
      @sender, @receivedAt, @lastReceivedAt, @times, @bodyBytes, @sha256, @changedAt, @changedBy, @landedAs,
      @partOf, @bodyRemovedAt, @attempts) ON CONFLICT DO NOTHING`);
  const again = db.prepare(`
    UPDATE rejects SET times = times + 1, last_received_at = ? WHERE stream_key = ? AND reject_id = ?`);
  const get = db.prepare(`SELECT ${REJECT_FIELDS} WHERE r.stream_key = ? AND r.reject_id = ?`);
  const each = db.prepare(`SELECT ${REJECT_FIELDS} WHERE r.stream_key = ? ORDER BY r.seq`);
  const change = db.prepare(`
    UPDATE rejects SET state = @state, changed_at = @at, changed_by = @by, operation = @operation,
      landed_as = @landedAs, unsaved = 1
    WHERE stream_key = @key AND reject_id = @rejectId AND state = @from`);
  const removeBody = db.prepare(`
    UPDATE rejects SET body_removed_at = ?, unsaved = 1 WHERE stream_key = ? AND reject_id = ?`);
  const restore = db.prepare(`
    UPDATE rejects SET state = @state, changed_at = @changedAt, changed_by = @changedBy, operation = @operation,
      landed_as = @landedAs, body_removed_at = @bodyRemovedAt
    WHERE stream_key = @key AND reject_id = @rejectId`);
  const saved = db.prepare(`
    UPDATE rejects SET unsaved = 0, saved_ms = ? WHERE stream_key = ? AND reject_id = ?`);
  const savedTimes = db.prepare(`
    SELECT reject_id AS rejectId, iif(unsaved, 9e15, saved_ms) AS savedMs FROM rejects
    WHERE stream_key = ? AND (saved_ms IS NOT NULL OR unsaved = 1)`);
  const named = `SELECT s.stream, r.reject_id AS rejectId FROM rejects r JOIN streams s USING (stream_key)`;
  const unsaved = db.prepare(`${named} WHERE r.unsaved = 1`);
  const operation = db.prepare(
    'SELECT operation FROM rejects WHERE stream_key = ? AND reject_id = ?',
  );
  const withoutCause = db.prepare(`${named} WHERE r.shape IS NULL`);
  const setCause = db.prepare(
    'UPDATE rejects SET field = ?, shape = ? WHERE stream_key = ? AND reject_id = ?',
  );
  const landed = db.prepare(`
    SELECT sha256, landed_as AS landedAs FROM rejects
    WHERE stream_key = ? AND batch_id = ? COLLATE NOCASE AND state = 'replayed' AND landed_as IS NOT NULL
      AND part_of IS NULL`);
  return {
    add: (reject) => add.run({ ...reject, key: fold(reject.stream) }).changes > 0,
    countAgain: (stream, rejectId, at) => void again.run(at, fold(stream), rejectId),
    get: (stream, rejectId) => get.get(fold(stream), rejectId) as Reject | undefined,
    each: (stream) => each.iterate(fold(stream)) as IterableIterator<Reject>,
    change: (stream, rejectId, from, to) =>
      change.run({ ...to, from, rejectId, key: fold(stream) }).changes > 0,
    removeBody: (stream, rejectId, at) => void removeBody.run(at, fold(stream), rejectId),
    restore: (reject, by) =>
      void restore.run({ ...reject, key: fold(reject.stream), operation: by }),
    saved: (stream, rejectId, savedMs) => void saved.run(savedMs, fold(stream), rejectId),
    savedTimes: (stream) =>
      new Map(
        (savedTimes.all(fold(stream)) as { rejectId: string; savedMs: number }[]).map(
          ({ rejectId, savedMs }) => [rejectId, savedMs],
        ),
      ),
    unsaved: () => unsaved.all() as { stream: string; rejectId: string }[],
    operationOf: (stream, rejectId) =>
      (operation.get(fold(stream), rejectId) as { operation: string | null } | undefined)
        ?.operation ?? null,
    withoutCause: () => withoutCause.all() as { stream: string; rejectId: string }[],
    setCause: (stream, rejectId, { field, shape }) =>
      void setCause.run(field, shape, fold(stream), rejectId),
    landedUnder: (stream, batchId) => landed.all(fold(stream), batchId) as LandedReject[],
  };
};
