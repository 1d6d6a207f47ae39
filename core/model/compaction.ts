// Owns the types of compaction: policy, plan, progress, runs, kept originals, files, measured cost. Never holds behaviour.

/** When a stream is compacted, and how long what was replaced is kept. */
export interface CompactionPolicy {
  /** `off`: only when a person asks; `suggested`: also says when it pays; `automatic`: runs by itself, never while batches land fast. */
  readonly policy: 'off' | 'suggested' | 'automatic';
  /** From how many loose files on it is suggested, or runs. */
  readonly files: number;
  /** Days for which originals are kept, and with them the undo; 0 removes them at the next sweep. */
  readonly retentionDays: number;
}

/** How many files, and what is in them. */
export interface FileSums {
  readonly files: number;
  readonly rows: number;
  readonly sizeBytes: number;
}

/** How long three queries of a stream take, in ms. */
export interface QueryCost {
  /** A group-by over the whole stream. */
  readonly groupByMs: number;
  /** A count of all rows. */
  readonly countMs: number;
  /** All rows of one batch. */
  readonly batchMs: number;
}

/** What compaction would do to a stream now: the dry run. Nothing is changed to find it out. */
export interface CompactionPlan {
  readonly stream: string;
  readonly at: string;
  readonly policy: CompactionPolicy;
  readonly now: FileSums;
  /** Of `now`, the files that hold one batch each. */
  readonly loose: FileSums;
  /** The files that would be merged, loose ones and small compacted ones; 0 files where there is nothing to gain. */
  readonly merged: FileSums;
  /** How many files they would become. */
  readonly into: number;
  /** The stream afterwards; its bytes are an estimate from a sample that was merged, or, without one, as many as now. */
  readonly after: FileSums;
  /** What stays out this time and why, each a sentence ("The 12 files of 2026-07-12 wait until the day is over."). */
  readonly waits: readonly string[];
  /** Measured on some of the files, then scaled; null where fewer than 2 files would be merged. */
  readonly gain: {
    readonly sampledFiles: number;
    readonly now: QueryCost;
    readonly after: QueryCost;
  } | null;
  /** The most memory that the merge may take, in bytes. */
  readonly memoryBytes: number;
  /** Free bytes on the disk, and what the merge needs of them until retention removes the originals. */
  readonly freeBytes: number;
  readonly neededBytes: number;
  /** Whether loose files have reached `policy.files` (and the policy is not `off`). */
  readonly suggested: boolean;
}

/** Where a run is. `Job.details` of a compaction or an undo is one of these. */
export interface CompactionProgress {
  /** `merge` and `verify` touch nothing that is read; `swap` is short; `record` brings the ledger in line. */
  readonly step: 'merge' | 'verify' | 'swap' | 'record';
  /** Whether all is read and a merged file is written from it; until then rows count half. */
  readonly isWriting: boolean;
  readonly files: { readonly done: number; readonly total: number };
  readonly rows: { readonly done: number; readonly total: number };
  readonly bytes: { readonly done: number; readonly total: number };
  /** How many files the merge makes. */
  readonly into: number;
  /** What the swap waits for: "Waiting for duckdb (pid 4121)."; null where it waits for nothing. */
  readonly waitingFor: string | null;
}

/** One run of compaction, as the history has it. */
export interface CompactionRun {
  /** Its id, also the name of its folder of originals: `20260712-140211-3f9c`. */
  readonly run: string;
  readonly stream: string;
  readonly by: 'person' | 'policy';
  /** `undone`: the originals are back. A run that failed or was cancelled left every file as it was. */
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'undone';
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly filesBefore: number;
  /** Null until it is done. */
  readonly filesAfter: number | null;
  readonly batches: number;
  readonly rows: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number | null;
  /** For how long the swap held kb.duckdb; null until it is done. */
  readonly heldMs: number | null;
  /** Why it failed, as a sentence; null when it did not. */
  readonly fault: string | null;
  readonly undoneAt: string | null;
  /** Until when the originals are kept by the present setting; null where they are gone, or back. */
  readonly originalsUntil: string | null;
  /** Whether it can be undone now: it is the newest run of its stream that is done, and its originals are there. */
  readonly undoable: boolean;
}

/** What one run replaced, as it lies in processed/. */
export interface KeptOriginals {
  readonly run: string;
  readonly files: number;
  readonly sizeBytes: number;
  readonly keptSince: string;
  readonly keptUntil: string;
  /** Whether applying the retention now would remove them. */
  readonly due: boolean;
}

/** The originals that a stream keeps, oldest first, and what applying the retention would remove. */
export interface Originals {
  readonly stream: string;
  readonly retentionDays: number;
  readonly runs: readonly KeptOriginals[];
  readonly kept: { readonly files: number; readonly sizeBytes: number };
  readonly due: { readonly files: number; readonly sizeBytes: number };
}

/** A file in a stream's data folder. */
export interface StreamFile {
  /** Relative to data/, with forward slashes. */
  readonly file: string;
  readonly kind: 'loose' | 'compacted';
  readonly rows: number;
  readonly sizeBytes: number;
  /** How many batches it holds. */
  readonly batches: number;
  /** The id of the batch of a loose file; null for a compacted one. */
  readonly batchId: string | null;
  readonly firstLandedAt: string;
  readonly lastLandedAt: string;
  /** The run that made it; null for a loose one. */
  readonly run: string | null;
  /** Where this file stands in landing order; give it as `before` to get what comes after it in the list. */
  readonly place: number;
}

/** A page of a stream's files, newest first. */
export interface FilesPage {
  readonly files: readonly StreamFile[];
  readonly total: number;
  readonly loose: FileSums;
  readonly compacted: FileSums;
}

/** A measurement of what queries cost. */
export interface CostPoint extends QueryCost {
  readonly at: string;
  readonly files: number;
  readonly rows: number;
}

/** The measurements of a stream, oldest first, and when it was compacted. */
export interface CostHistory {
  readonly points: readonly CostPoint[];
  readonly compactions: readonly { readonly at: string; readonly run: string }[];
}
