// Owns the types of a batch on its way: what is parsed, what landed, how it is answered. Never holds behaviour.

import type { ErrorCode } from '../errors.ts';

/** One column of a parsed batch. */
export interface ParsedColumn {
  /** The field's name as the batch first spelled it. */
  readonly key: string;
  /** The line that first had it, from 1. */
  readonly firstLine: number;
  /**
   * Two entries a row: start and end (exclusive) of the value's text in the batch's `text`.
   * A start of -1 is NULL (the field is null, or missing from the record).
   */
  readonly spans: Int32Array;
}

/** A batch whose every line was accepted: columns over one buffer of text, nothing decoded to JavaScript values. */
export interface ParsedBatch {
  /** The body's bytes, followed by the decoded text of strings that had escapes. Valid UTF-8 in every span. */
  readonly text: Uint8Array;
  readonly rows: number;
  /** The line of each row in the body, from 1. */
  readonly lines: Int32Array;
  /** In order of first sight. Empty when every record is an empty object. */
  readonly columns: readonly ParsedColumn[];
}

/** What parsing a body gives: a batch, or what is wrong with it. */
export type ParseOutcome =
  | { readonly ok: true; readonly batch: ParsedBatch }
  | {
      readonly ok: false;
      /** At least one and at most 100, by line. */
      readonly faults: readonly Fault[];
      /** How many there are in all, at most one a line. */
      readonly faultCount: number;
    };

/** One fault of a batch, with its place. */
export interface Fault {
  readonly code: ErrorCode;
  /** What is wrong at this place, as a sentence. */
  readonly message: string;
  /** Line of the body, from 1; null where the fault is of the whole body. */
  readonly line: number | null;
  /** Column of that line, in characters (Unicode code points), from 1; null where it has none. */
  readonly column: number | null;
}

/** A landed batch, as the ledger has it. Times are ISO 8601 UTC with milliseconds. */
export interface Batch {
  readonly stream: string;
  readonly batchId: string;
  /** The file it is in, relative to the stream's data folder. */
  readonly file: string;
  /** The file it landed as, where compaction has put it into another; null while it is still in its own. */
  readonly landedFile: string | null;
  /** Rows that stand before its first in `file`; 0 while it is in its own. */
  readonly rowInFile: number;
  readonly rows: number;
  /** Size of the Parquet file that it landed as. */
  readonly sizeBytes: number;
  /** Size of the body as parsed (unpacked). */
  readonly bodyBytes: number;
  /** SHA-256 of the body as parsed, hex. */
  readonly sha256: string;
  /** Who sent it: an address, or `command line`; null when it is not known. */
  readonly sender: string | null;
  readonly receivedAt: string;
  readonly landedAt: string;
  readonly replays: number;
  readonly lastReplayedAt: string | null;
  /** Whether the ledger learned of it from its file alone (a crash before it was recorded, or a rebuild). */
  readonly recovered: boolean;
  /** The reject that it is the repair of; null for a batch that a POST landed. */
  readonly rejectId: string | null;
  /** SHA-256 of the reject's body as it came, hex: sent again under the batch's id, it is a replay. Null as `rejectId`. */
  readonly rejectSha256: string | null;
  /** The reject that its bad lines are in; null for a batch that landed whole. */
  readonly partRejectId: string | null;
  /** How many lines those are. */
  readonly linesRejected: number;
}

/** A batch and its place. */
export type PlacedBatch = Batch & {
  readonly seq: number;
  /** Rows of the stream that landed before it. */
  readonly firstRow: number;
};

/** The answer to a batch that landed, now or before. Its names are those of the HTTP answer. */
export interface Landing {
  readonly batch_id: string;
  readonly rows: number;
  /** Bytes of the body, unpacked. */
  readonly bytes: number;
  /** Whether this batch had landed before with the same body. */
  readonly replayed: boolean;
  readonly landed_at: string;
  /** Where the stream lands in part and this batch had bad lines: how many. */
  readonly rejected?: number;
  /** And the reject that they are in. */
  readonly reject_id?: string;
}
