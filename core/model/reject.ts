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

/** One reject with everything about it but its body. */
export interface RejectDetail extends Reject {
  readonly title: string;
  readonly hint: string;
  /** The HTTP status that was answered; 200 for bad lines of a batch that landed in part. */
  readonly status: number;
  readonly contentType: string | null;
  /** As they were answered, at most 100, by line of the body. Where there are more, `now` may have them. */
  readonly faults: readonly Fault[];
  /** For a reject that is part of a batch: the line in the POST of each line of its body, at most 10,000; else null. */
  readonly sourceLines: readonly number[] | null;
  /** The body held against the stream as it is now; null without a body. */
  readonly now: Checked | null;
  /** What the stream takes. */
  readonly expects: {
    /** Registered columns; null where any field is welcome. */
    readonly registered: readonly string[] | null;
    /** Columns that the stream has, by the first spelling of their field, in order of first sight. */
    readonly known: readonly string[];
  };
  /** Newest last. */
  readonly history: readonly Attempt[];
  /** Fixes that make sense here, the best first, each with what it would do. */
  readonly offers: readonly FixOffer[];
  /** Rejects of the same cause and stream, this one too: how many are open, how many in any state this sender had, and its first. */
  readonly alike: {
    readonly open: number;
    readonly ofSender: number;
    readonly firstOfSenderAt: string;
  };
}

/** A fix that is offered for one reject. */
export interface FixOffer {
  readonly fix: Fix;
  /** What it does, in words: "Split objects onto their own lines". */
  readonly title: string;
  /** Whether the body has no fault after it. */
  readonly passes: boolean;
  readonly rows: number;
  /** Lines whose text it takes away, with their data. */
  readonly linesLost: number;
  readonly linesChanged: number;
}

/** What a body is when it is held against a stream's rules. Nothing was sent. */
export interface Checked {
  /** Whether it would land. */
  readonly ok: boolean;
  /** At most 100, by line. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** Lines of the body, blank ones too. */
  readonly lines: number;
  /** Lines that are good records. */
  readonly records: number;
  /** Numbers of the faulty lines, at most 10,000; and how many there are. */
  readonly badLines: readonly number[];
  readonly badLineCount: number;
  readonly bodyBytes: number;
  readonly sha256: string;
}

/** A check of a mended body, and how it differs from the body as it came. */
export interface CheckedMend extends Checked {
  readonly changes: readonly LineChange[];
  /** How many changes there are in all; at most 200 are given, fewer once they have 1 MB. */
  readonly changeCount: number;
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Columns that replaying would register on the stream. */
  readonly registers: readonly string[];
  /** Whether good lines land and bad ones stay as a reject of their own (fix `land-good-lines`). */
  readonly partial: boolean;
  /** The id that it would land under. */
  readonly batchId: string;
}

/** Lines of the body as it came, from `line` (from 1), and what stands in their place. */
export interface LineChange {
  readonly line: number;
  /** The line of the mended body that `after` begins at, from 1. */
  readonly newLine: number;
  readonly before: readonly ShownLine[];
  readonly after: readonly ShownLine[];
}

/** A line as it may be shown. Text of bytes that are not UTF-8 has U+FFFD for each such byte. */
export interface ShownLine {
  readonly text: string;
  /** Where in `text`, in UTF-16 units, such bytes are, and which. */
  readonly invalid: readonly { readonly at: number; readonly byte: number }[];
  /** Whether the line goes on after `text`. */
  readonly cut: boolean;
}

/** A piece of a body. */
export interface BodyPage {
  /** Of the whole body. */
  readonly bodyBytes: number;
  readonly lines: number;
  /** Whether the whole body is UTF-8. */
  readonly utf8: boolean;
  readonly piece:
    | {
        readonly as: 'lines';
        readonly lines: readonly (ShownLine & {
          /** From 1. */
          readonly line: number;
          /** Of its first byte in the body. */
          readonly offset: number;
          /** Without its line feed. */
          readonly bytes: number;
        })[];
      }
    /**
     * From a character's first byte to a character's last where the bytes are UTF-8, so up to 3 bytes more or less than
     * asked for; less once 8,192 of them are not UTF-8.
     */
    | (Omit<ShownLine, 'cut'> & {
        readonly as: 'text';
        readonly offset: number;
        readonly bytes: number;
      })
    | {
        readonly as: 'base64';
        readonly offset: number;
        readonly bytes: number;
        readonly base64: string;
      };
}

/** What a mend would do to a choice of rejects. Nothing was sent. */
export interface GroupPreview {
  readonly rejects: number;
  /** Of those that were checked; all of them up to 2,000, the newest. */
  readonly checked: number;
  readonly pass: number;
  readonly fail: number;
  /** Rows that would land. */
  readonly rows: number;
  readonly linesChanged: number;
  readonly linesLost: number;
  /** Bodies that retention removed: nothing can be done with them. */
  readonly withoutBody: number;
  /** What is still wrong with those that fail, most frequent first, at most 10. */
  readonly remaining: readonly (Cause & { readonly title: string; readonly rejects: number })[];
  readonly registers: readonly string[];
}

/** How replaying one reject ended. */
export interface ReplayOutcome {
  readonly landed: boolean;
  /** The reject as it is now. */
  readonly reject: RejectDetail;
  readonly attempt: Attempt;
}

/** What keeps failed bodies, and what is kept now. */
export interface RetentionView {
  /** Bodies of rejects older than so many days go; null keeps them for ever. */
  readonly days: number | null;
  /** Bodies go until the rest is no larger, those of closed rejects first, the oldest first; null for no limit. */
  readonly bytes: number | null;
  readonly bodies: number;
  readonly bodyBytes: number;
}

/** What a retention would remove, or did. Rows of the ledger, reasons and states stay. */
export interface RetentionPreview {
  readonly bodies: number;
  readonly bodyBytes: number;
  /** Of them, bodies of rejects that are still open: they could not be landed any more. */
  readonly open: number;
  /** When the oldest and the newest of them came; null without any. */
  readonly oldestAt: string | null;
  readonly newestAt: string | null;
  readonly streams: readonly {
    readonly stream: string;
    readonly bodies: number;
    readonly bodyBytes: number;
  }[];
}

/** Open rejects that columns would let in. */
export interface LetIn {
  readonly count: number;
  /** Bodies that were held against the columns; all open ones with an unregistered field, up to 10,000. */
  readonly checked: number;
  readonly rows: number;
  /** For `replayMany`. */
  readonly selection: RejectSelection;
}

/** How often POSTs were refused with one code. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly times: number;
  readonly lastAt: string;
}
