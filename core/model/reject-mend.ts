// Owns the types of one reject at work: all about it, its body, what a mend would do, how a replay ended.
// Never holds behaviour.

import type { Fault } from './batch.ts';
import type { Fix } from './fix.ts';
import type { Attempt, Cause, Reject, RejectSelection } from './reject.ts';
import type { ShownLine } from './reject-body.ts';

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

/** Open rejects that columns would let in. */
export interface LetIn {
  readonly count: number;
  /** Bodies that were held against the columns; all open ones with an unregistered field, up to 10,000. */
  readonly checked: number;
  readonly rows: number;
  /** For `replayMany`. */
  readonly selection: RejectSelection;
}

/** How replaying one reject ended. */
export interface ReplayOutcome {
  readonly landed: boolean;
  /** The reject as it is now. */
  readonly reject: RejectDetail;
  readonly attempt: Attempt;
}
