// Owns what the ledger records of a reject, told from the reason that was kept of it.
// Never reads a disk.

import type { Reject } from '../model.ts';
import type { Reason } from './keep.ts';

/** The reject of a reason, as it came: open, once. Its cause is `other` where an older Strata did not tell it. */
export const rejectOf = (stream: string, reason: Reason): Reject => ({
  stream,
  rejectId: reason.reject_id,
  batchId: reason.batch_id,
  state: 'open',
  code: reason.code,
  message: reason.message,
  line: reason.line,
  column: reason.column,
  field: reason.field ?? null,
  shape: reason.shape ?? 'other',
  faultCount: reason.error_count,
  sender: reason.sender,
  receivedAt: reason.received_at,
  lastReceivedAt: reason.received_at,
  times: 1,
  bodyBytes: reason.body_bytes,
  sha256: reason.sha256,
  changedAt: null,
  changedBy: null,
  landedAs: null,
  partOf: reason.part_of ?? null,
  bodyRemovedAt: null,
  attempts: 0,
});
