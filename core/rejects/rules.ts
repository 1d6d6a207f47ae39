// Owns what a reject is held against, as plain data that may travel to a thread, and the ids that it may land under.
// Never reads a ledger; who has one fills the rules in.

import { createHash } from 'node:crypto';
import { fold } from '../ids.ts';
import type { Reject } from '../model.ts';
import type { StreamRules } from './check.ts';

/** A reject's stream at a moment. */
export interface RejectRules extends Omit<StreamRules, 'taken'> {
  /** The largest that a mended body may be. */
  readonly maxBytes: number;
  /** Where it lands: under its batch's id, or where its mend says so under its own. */
  readonly places: { readonly batch: LandingPlace; readonly own: LandingPlace };
}

/** An id to land under, and who has it. */
export interface LandingPlace {
  readonly batchId: string;
  readonly taken: StreamRules['taken'];
}

/**
 * The id that a reject lands under: that of its batch, which is the reject's own where its producer sent none; or one
 * made from the reject's id, always the same, so that a second try after a crash meets the first. What is a part of a
 * batch has an own one always: the batch has landed.
 */
export const landingId = ({ stream, rejectId, batchId, partOf }: Reject, ownId: boolean): string =>
  ownId || partOf !== null
    ? `reject-${createHash('sha256')
        .update(`${fold(stream)}\n${rejectId}`)
        .digest('hex')
        .slice(0, 32)}`
    : batchId;
