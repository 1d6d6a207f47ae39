// Owns what happened last in a stream: landed, replayed and rejected batches in one order. Never renders.

import type { PlacedBatch, Reject } from '../../../core/model.ts';

/** One thing that happened to a batch. */
export interface Happening {
  readonly key: string;
  readonly kind: 'landed' | 'replayed' | 'rejected';
  readonly batchId: string;
  readonly rows: number | null;
  /** From received to landed; null where it is not known. */
  readonly ms: number | null;
  readonly at: string;
  /** Why, where it was rejected. */
  readonly reason: string | null;
}

/** The newest first. */
export const latestOf = (
  batches: readonly PlacedBatch[],
  rejects: readonly Reject[],
  limit: number,
): Happening[] => {
  const happenings: Happening[] = [];
  for (const batch of batches) {
    const { batchId, rows, receivedAt, landedAt, replays, lastReplayedAt } = batch;
    // A reject that landed later took as long as a person did.
    const ms = batch.rejectId === null ? Date.parse(landedAt) - Date.parse(receivedAt) : null;
    const base = { batchId, rows, reason: null };
    happenings.push({ ...base, key: `l ${batchId}`, kind: 'landed', ms, at: landedAt });
    if (replays > 0 && lastReplayedAt !== null) {
      happenings.push({
        ...{ ...base, key: `r ${batchId}`, kind: 'replayed' },
        ...{ ms: null, at: lastReplayedAt },
      });
    }
  }
  for (const { batchId, rejectId, lastReceivedAt, message } of rejects) {
    happenings.push({
      ...{ key: `x ${rejectId}`, kind: 'rejected', batchId, rows: null, ms: null },
      ...{ at: lastReceivedAt, reason: message },
    });
  }
  return happenings.sort((one, other) => other.at.localeCompare(one.at)).slice(0, limit);
};
