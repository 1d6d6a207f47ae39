// Owns the readonly domain types that the rooms of core pass to each other.
// Never holds behaviour, and imports nothing but the error codes.

import type { ErrorCode } from './errors.ts';

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

/** A landed batch, as the ledger has it. Times are ISO 8601 UTC with milliseconds. */
export interface Batch {
  readonly stream: string;
  readonly batchId: string;
  /** Its file, relative to the stream's data folder. */
  readonly file: string;
  readonly rows: number;
  /** Size of its Parquet file. */
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
}

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

/** One field of a stream and the column it lands in. */
export interface StreamColumn {
  readonly source: string;
  readonly landed: string;
  readonly firstSeenAt: string;
  readonly firstBatchId: string | null;
}

/** A stream's conservation ledger and sizes. received = landed + rejected + replayed + refused, in POSTs. */
export interface StreamTotals {
  readonly stream: string;
  readonly createdAt: string;
  readonly received: number;
  readonly landed: number;
  readonly rejected: number;
  readonly replayed: number;
  readonly refused: number;
  readonly openRejects: number;
  readonly rows: number;
  readonly files: number;
  readonly sizeBytes: number;
  readonly lastLandedAt: string | null;
}

/** Something that happened. */
export interface CoreEvent {
  readonly seq: number;
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  /** What kind, in kebab-case: stream-created, view-created, file-set-aside ... */
  readonly kind: string;
  readonly stream: string | null;
  readonly message: string;
}

/** A column of a query's answer, with DuckDB's name of its type. */
export interface QueryColumn {
  readonly name: string;
  readonly type: string;
}

/** A page of a query's answer. */
export interface QueryPage {
  readonly columns: readonly QueryColumn[];
  /** Values as text, NULL as null. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there are rows after this page. */
  readonly more: boolean;
  readonly elapsedMs: number;
  /** Why kb.duckdb was out of reach, so that only raw streams were; null when it was in reach. */
  readonly unavailable: string | null;
}

/** The answer to a batch that landed, now or before. Its names are those of the HTTP answer. */
export interface Landing {
  readonly batch_id: string;
  readonly rows: number;
  /** Bytes of the body, unpacked. */
  readonly bytes: number;
  /** Whether this batch had landed before with the same body. */
  readonly replayed: boolean;
  readonly landed_at: string;
}

/** What the engine says as it happens. */
export type LiveNews = {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly at: string;
} & (
  | {
      readonly kind: 'landed';
      readonly batchId: string;
      readonly rows: number;
      readonly sizeBytes: number;
      /** Received to landed. */
      readonly lagMs: number;
    }
  | { readonly kind: 'replayed'; readonly batchId: string }
  | { readonly kind: 'rejected'; readonly rejectId: string; readonly code: ErrorCode }
  | { readonly kind: 'refused'; readonly code: ErrorCode }
);

/** What verifying a stream found. */
export interface StreamProof {
  readonly totals: StreamTotals;
  readonly refusals: readonly Refusal[];
  /** Rows that the stream's view answers with; null when it has none (no file yet). */
  readonly viewRows: number | null;
  /** Each a sentence; empty when everything holds. At most 20 of one kind are named. */
  readonly differences: readonly string[];
}

export interface Proof {
  readonly knowledgebase: string;
  readonly holds: boolean;
  readonly streams: readonly StreamProof[];
  /** Differences of no one stream. */
  readonly differences: readonly string[];
}

/** What a repair did. */
export interface Repair {
  /** Landed files that were recorded. */
  readonly recorded: number;
  /** Files in data/ that were set aside into failed/: not whole, not Strata's, or a copy. */
  readonly setAside: readonly string[];
  /** Batches whose file is gone. */
  readonly missing: readonly string[];
  /** Strays removed from staging. */
  readonly swept: number;
  /** Where the old ledger went, when it could not be read. */
  readonly damagedLedger: string | null;
}

/** A knowledgebase in the list of all. */
export interface KnowledgebaseSummary {
  readonly id: string;
  readonly path: string;
  readonly streams: number;
  /** Why it cannot be opened; null when it can. */
  readonly fault: string | null;
}

/** A stream in the list of all. */
export interface StreamSummary extends StreamTotals {
  /** `new`: no batch yet; `landing`: a batch in the last minute; `idle`: none lately. */
  readonly status: 'new' | 'landing' | 'idle';
  /** Received to landed, 95th percentile of the last minute; null when nothing landed in it. */
  readonly lagMs: number | null;
  /** Registered columns; null where any field is welcome. */
  readonly registered: readonly string[] | null;
  /** Whether a batch without an id of its own is known by its body. */
  readonly recogniseEqualBodies: boolean;
}

/** A token as it may be shown. */
export interface TokenSummary {
  readonly id: string;
  readonly label: string;
  /** The stream it is for; null for the whole knowledgebase. */
  readonly stream: string | null;
  readonly createdAt: string;
}

/** How the engine is. */
export interface EngineStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly home: string;
  readonly ingestUrl: string | null;
  /** What waits for a view, by knowledgebase, and what for. */
  readonly waiting: readonly { readonly knowledgebase: string; readonly reason: string }[];
}

/** Landings of one stream since the last report, coalesced. */
export interface StreamPulse {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly batches: number;
  readonly rows: number;
  readonly replayed: number;
  readonly rejected: number;
  readonly refused: number;
  readonly at: string;
}

/** A query that a person saved. */
export interface SavedQuery {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  readonly at: string;
}

/** A query that was run. */
export interface PastQuery {
  readonly id: number;
  readonly sql: string;
  readonly at: string;
  readonly elapsedMs: number | null;
  /** Why it failed; null when it did not. */
  readonly fault: string | null;
}

/** One row of a stream as the grid shows it. */
export interface GridRow {
  /** Its number in landing order, from 0. */
  readonly row: number;
  readonly batchId: string;
  /** Its line in the POST, from 1. */
  readonly line: number;
  /** In the page's column order; NULL is null. */
  readonly values: readonly (string | null)[];
}

/** A page of a stream's rows. */
export interface RowsPage {
  /** The producer's columns, in order of first sight. */
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
  /** Rows of the stream, or rows that match where a filter is set. */
  readonly total: number;
}

/** Rows a second of each stream over the last minutes. */
export interface StreamRates {
  readonly periodMs: number;
  /** When the newest period began. */
  readonly at: string;
  /** By stream id; oldest first, the newest last. Every list is as long as the others. */
  readonly rowsPerSecond: Readonly<Record<string, readonly number[]>>;
}

/** A column as the Schema tab shows it. */
export interface ColumnProfile extends StreamColumn {
  /** Of the newest rows that were looked at, how many have a value; null where none was looked at. */
  readonly filled: number | null;
  readonly sampled: number;
  /** Up to three distinct values, as they are. */
  readonly examples: readonly string[];
}

/** Long work: an export, a compaction, an import. */
export interface Job {
  readonly id: number;
  /** export ... */
  readonly kind: string;
  /** Verb and object: "Exporting basin-sensors to CSV". */
  readonly title: string;
  readonly knowledgebase: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** What `done` and `total` count: rows, bytes. */
  readonly unit: string;
  /** What it is at, where that is not plain from the title. */
  readonly words: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly fault: string | null;
  /** What it made: a path, a count. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** A batch and its place. */
export type PlacedBatch = Batch & {
  readonly seq: number;
  /** Rows of the stream that landed before it. */
  readonly firstRow: number;
};

/** A knowledgebase as its settings show it. */
export interface KnowledgebaseView extends KnowledgebaseSummary {
  readonly createdAt: string;
  readonly createStreamsOnFirstPost: boolean;
  readonly maxBodyBytes: number;
  /** Free bytes on its disk. */
  readonly freeBytes: number;
}
