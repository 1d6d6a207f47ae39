// Owns the types of a knowledgebase: in the list, in its settings, its tokens, its proof and repair. Never holds behaviour.

import type { Refusal } from './reject.ts';
import type { StreamTotals } from './stream.ts';

/** A knowledgebase in the list of all. */
export interface KnowledgebaseSummary {
  readonly id: string;
  readonly path: string;
  readonly streams: number;
  /** Whether its folder is in the home; one elsewhere is in the list because it was opened. */
  readonly inHome: boolean;
  /** Why it cannot be opened; null when it can. */
  readonly fault: string | null;
}

/** A knowledgebase as its settings show it. */
export interface KnowledgebaseView extends KnowledgebaseSummary {
  readonly createdAt: string;
  readonly createStreamsOnFirstPost: boolean;
  readonly maxBodyBytes: number;
  /** Free bytes on its disk. */
  readonly freeBytes: number;
}

/** A token as it may be shown. */
export interface TokenSummary {
  readonly id: string;
  readonly label: string;
  /** The stream it is for; null for the whole knowledgebase. */
  readonly stream: string | null;
  readonly createdAt: string;
}

/** What verifying a stream found. */
export interface StreamProof {
  readonly totals: StreamTotals;
  readonly refusals: readonly Refusal[];
  /** Rows that the stream's view answers with; null when it has none (no file yet). */
  readonly viewRows: number | null;
  /** Each a sentence; empty when everything holds. At most 20 of one kind are named. */
  readonly differences: readonly string[];
}

/** What verifying a knowledgebase found. */
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
  /** Streams whose stream.json cannot be read, and why. A repair cannot know what was in it. */
  readonly broken: readonly string[];
  /** Where the old ledger went, when it could not be read. */
  readonly damagedLedger: string | null;
}
