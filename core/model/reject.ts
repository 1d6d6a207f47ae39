// Owns the types of what was not taken in: rejects, what became of them, and refusals. Never holds behaviour.

import type { ErrorCode } from '../errors.ts';
import type { Fault } from './batch.ts';
import type { Fix } from './fix.ts';

export type RejectState = 'open' | 'replayed' | 'discarded';

/**
 * The shape of a fault: what tells apart two faults of one code. Those of `not_json` say what stands where; every
 * other code has one shape of its own, `other`, or `body` where the fault is of the whole body and has no line.
 */
export type FaultShape =
  /** Another object begins where the line should end: `{"a":1}{"a":2}`. */
  | 'two_objects'
  /** The last line of the body ends inside its record. */
  | 'cut_short'
  /** Another line ends inside its record. */
  | 'ends_early'
  /** Something else follows the record. */
  | 'trailing'
  /** The line does not begin as a record does. */
  | 'no_record'
  /** A name is not in quotation marks, or missing (a comma before the closing brace). */
  | 'name'
  /** A value is missing, or no JSON (NaN, single quotes). */
  | 'value'
  /** A comma, colon or bracket is missing. */
  | 'punctuation'
  /** A string has a bare control character or an escape that is none. */
  | 'string'
  /** A number is not written as JSON writes numbers. */
  | 'number'
  | 'other'
  | 'body';

/** What rejects are grouped by. */
export interface Cause {
  readonly code: ErrorCode;
  /** The field that the fault is about, ASCII letters lowered; null where it is about none. */
  readonly field: string | null;
  readonly shape: FaultShape;
}

/** A rejected body, as the ledger has it. Times are ISO 8601 UTC with milliseconds. */
export interface Reject {
  readonly stream: string;
  /** Unique in its stream, not in its knowledgebase. */
  readonly rejectId: string;
  /** The producer's batch id, or the one that Strata gave where it sent none that can be used. */
  readonly batchId: string;
  readonly state: RejectState;
  /** Of the first fault as it was answered; `Attempt` has what came of it later. */
  readonly code: ErrorCode;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  /** See Cause. */
  readonly field: string | null;
  readonly shape: FaultShape;
  readonly faultCount: number;
  readonly sender: string | null;
  readonly receivedAt: string;
  readonly lastReceivedAt: string;
  /** How often this body came in under this batch id. */
  readonly times: number;
  readonly bodyBytes: number;
  /** Of the body as it came, hex. */
  readonly sha256: string;
  /** When its state last changed; null while it is as it came. */
  readonly changedAt: string | null;
  /** Who changed it: `window`, `command line`, `recipe <name>`; null while it is as it came. */
  readonly changedBy: string | null;
  /** The batch that a replay of it landed as; null unless replayed. */
  readonly landedAs: string | null;
  /** The batch whose bad lines it holds, on a stream (or a replay) that lands in part; null where the whole body was rejected. */
  readonly partOf: string | null;
  /** When retention removed its body; null while it is there. */
  readonly bodyRemovedAt: string | null;
  /** How often landing it was tried. */
  readonly attempts: number;
}

/** Rejects, newest first. */
export interface RejectPage {
  readonly rejects: readonly Reject[];
  /** Where the next page begins; null after the last. */
  readonly cursor: string | null;
  /**
   * Bodies that were looked through for `text`; 0 without it. A search stops after a bounded time, so a page may have
   * fewer rejects than asked for, and none, while `cursor` goes on.
   */
  readonly searched: number;
}

/** Which rejects are meant. Every member that is given narrows; ids, fields and streams are compared without case. */
export interface RejectFilter {
  readonly stream?: string | undefined;
  readonly state?: RejectState | undefined;
  readonly code?: string | undefined;
  /** Null is: about no field. */
  readonly field?: string | null | undefined;
  readonly shape?: FaultShape | undefined;
  readonly sender?: string | undefined;
  /** ISO 8601; received at or after, before. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** In the body, the ids or the message; ASCII letters without case. */
  readonly text?: string | undefined;
  /** Those whose state was last changed by this operation (of a job's result): what undo needs. */
  readonly operation?: string | undefined;
}

/** A choice of rejects: those that are named, or all that match. */
export type RejectSelection =
  | { readonly rejects: readonly { readonly stream: string; readonly rejectId: string }[] }
  | { readonly filter: RejectFilter };

/** Rejects of one stream with one cause. */
export interface RejectGroup extends Cause {
  readonly stream: string;
  /** In words: "Two objects on one line", "discount_code is not registered". Field names are shown, no other data. */
  readonly title: string;
  readonly open: number;
  readonly replayed: number;
  readonly discarded: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** Most frequent first, at most 10. */
  readonly senders: readonly { readonly sender: string | null; readonly rejects: number }[];
  /** Rejects in each of 12 equal spans between the answer's `from` and `to`, oldest first. */
  readonly spark: readonly number[];
}

/** Groups, those seen last first. */
export interface RejectGroups {
  readonly groups: readonly RejectGroup[];
  /** Of all rejects that the filter without its state lets through. */
  readonly totals: Readonly<Record<RejectState, number>>;
  /** What the sparks span. */
  readonly from: string;
  readonly to: string;
}

/** One try to land a reject. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly at: string;
  readonly by: string;
  /** The recipe that did it; null for a person. */
  readonly recipeId: string | null;
  readonly fixes: readonly Fix[];
  /** Whether lines, or the whole body, were edited by hand. */
  readonly edited: boolean;
  /** The body that was tried, if it is kept and is another than came: `rejects.body` reads it by this number. */
  readonly hasBody: boolean;
  readonly bodyBytes: number;
  readonly sha256: string;
  readonly outcome: 'landed' | 'failed';
  /** Where it landed; null where it failed. */
  readonly batchId: string | null;
  readonly rows: number | null;
  /** Why it failed; null where it landed. */
  readonly fault: Fault | null;
  readonly faultCount: number;
}

/** How often POSTs were refused with one code. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly times: number;
  readonly lastAt: string;
}
