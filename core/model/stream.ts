// Owns the types of a stream: columns, totals, rates, rows as the grid shows them. Never holds behaviour.

import type { CompactionPolicy } from './compaction.ts';

/** One field of a stream and the column it lands in. */
export interface StreamColumn {
  readonly source: string;
  readonly landed: string;
  readonly firstSeenAt: string;
  readonly firstBatchId: string | null;
}

/**
 * A stream's conservation ledger and sizes. In POSTs: received = landed + rejected + replayed + refused. A reject that
 * lands later came in once, as rejected, and stays counted there: its batch counts under `repaired`, so that
 * files = landed + repaired. In lines: rows + linesRejected = lines of the batches that landed.
 */
export interface StreamTotals {
  readonly stream: string;
  readonly createdAt: string;
  readonly received: number;
  readonly landed: number;
  readonly rejected: number;
  readonly replayed: number;
  readonly refused: number;
  /** Batches that landed from rejects, by a person or a recipe; no POSTs. */
  readonly repaired: number;
  /** Lines that stayed behind as rejects while the rest of their batch landed. */
  readonly linesRejected: number;
  readonly openRejects: number;
  readonly rows: number;
  readonly files: number;
  readonly sizeBytes: number;
  readonly lastLandedAt: string | null;
}

/** A stream in the list of all. */
export interface StreamSummary extends StreamTotals {
  /**
   * `error`: needs a person; `lagging`: over 1 s from received to landed, or refusing with 429, in the last minute;
   * `landing`: a batch in the last minute; `idle`: none lately; `new`: no batch yet.
   */
  readonly status: 'new' | 'landing' | 'idle' | 'lagging' | 'error';
  /** What is behind `lagging` or `error`, as a short sentence: "1 broken file set aside"; null when all is well. */
  readonly trouble: string | null;
  /** Received to landed, 95th percentile of the last minute; null when nothing landed in it. */
  readonly lagMs: number | null;
  /** Registered columns; null where any field is welcome. */
  readonly registered: readonly string[] | null;
  /** Whether a batch without an id of its own is known by its body. */
  readonly recogniseEqualBodies: boolean;
  /** Whether batches land in a folder for each day (UTC) they land on. */
  readonly dateFolders: boolean;
  /** Whether good lines of a batch land while its bad ones become a reject. */
  readonly partialLanding: boolean;
  readonly compaction: CompactionPolicy;
  /** Files that hold one batch each. */
  readonly looseFiles: number;
  /** Whether they have reached the policy's count, so that compacting pays; false where the policy is `off`. */
  readonly compactionSuggested: boolean;
}

/** Rows a second of each stream over the last minutes. */
export interface StreamRates {
  readonly periodMs: number;
  /** How many, the newest included, which is not over. */
  readonly periods: number;
  /** When the newest period began. */
  readonly at: string;
  /** From when on every landing is in; what is before is lost time, not zero. */
  readonly since: string;
  /** By stream id; oldest first, the newest last. A stream in which nothing landed may have none. */
  readonly rowsPerSecond: Readonly<Record<string, readonly number[]>>;
}

/** What the ledger says of the last minutes. */
export interface LandedLately {
  /** From when on `landed` is all, ISO 8601. */
  readonly since: string;
  /** Rows by stream id and second. */
  readonly landed: readonly {
    readonly stream: string;
    readonly at: string;
    readonly rows: number;
  }[];
}

/** A column as the Schema tab shows it. */
export interface ColumnProfile extends StreamColumn {
  /** Of the newest rows that were looked at, how many have a value; null where none was looked at. */
  readonly filled: number | null;
  readonly sampled: number;
  /** Up to three distinct values, as they are. */
  readonly examples: readonly string[];
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
