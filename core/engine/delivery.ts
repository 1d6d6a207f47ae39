// Owns the types of a batch as it comes to the pipeline. Never holds behaviour.

import type { Attempt, Fault } from '../model.ts';

/** One batch as it came in. */
export interface Delivery {
  /** The unpacked body, in a buffer of its own: it is handed over. */
  readonly body: Uint8Array;
  /** The producer's batch id; undefined where it sent none. */
  readonly batchId: string | undefined;
  readonly sender: string | null;
  readonly contentType: string | null;
  readonly receivedAt: string;
  /** A fault that was found before the body could be parsed (media type, encoding): the body is kept with it. */
  readonly fault?: Fault;
  /** Where the body is the repair of a reject, whose batch id, sender and time it has. */
  readonly repair?: Repair;
}

/** The try to land a reject that a delivery is. */
export interface Repair {
  readonly rejectId: string;
  /** The id that the body came with. */
  readonly batchId: string;
  /** SHA-256 of the body as it came, hex. */
  readonly sha256: string;
  /** The line in the POST of each line of the body; handed over like it. Null where they are the same. */
  readonly sources: Int32Array | null;
  /** Whether good lines land alone. */
  readonly partial: boolean;
  readonly operation: string | null;
  readonly attempt: Omit<Attempt, 'outcome' | 'batchId' | 'rows' | 'fault' | 'faultCount'>;
}
