// Owns the types of what was not taken in: rejects and refusals. Never holds behaviour.

import type { ErrorCode } from '../errors.ts';

/** A rejected body, as the ledger has it. */
export interface Reject {
  readonly stream: string;
  readonly rejectId: string;
  readonly batchId: string;
  readonly state: 'open' | 'replayed' | 'discarded';
  readonly code: ErrorCode;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly faultCount: number;
  readonly sender: string | null;
  readonly receivedAt: string;
  readonly lastReceivedAt: string;
  /** How often this body came in under this batch id. */
  readonly times: number;
  readonly bodyBytes: number;
  readonly sha256: string;
}

/** How often POSTs were refused with one code. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly times: number;
  readonly lastAt: string;
}
