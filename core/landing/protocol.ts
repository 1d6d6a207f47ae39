// Owns what the engine's main thread and its landing threads say to each other: plain data, no behaviour.

import type { ErrorCode } from '../errors.ts';
import type { Cause, Fault } from '../model.ts';

/** Where a job's stream is, as the landing threads need it. */
export interface StreamPlace {
  /** Identifies the stream's name map in a thread's cache: the knowledgebase's folder and the stream's folded id. */
  readonly mapKey: string;
  readonly knowledgebase: string;
  readonly stream: string;
  readonly data: string;
  readonly staging: string;
  readonly failed: string;
  /** The day (UTC) from which on the folder may have files that the ledger does not know. */
  readonly since: string;
}

/** What every task carries. */
interface TaskBase {
  readonly batchId: string;
  readonly sender: string | null;
  readonly receivedAt: string;
  /** The Content-Type as sent; kept with a reject. */
  readonly contentType: string | null;
}

/** To parse a body and land it. */
export interface LandTask extends TaskBase {
  readonly kind: 'land';
  readonly registered: readonly string[] | null;
  /** Whether it lands in the folder of its day. */
  readonly dateFolders: boolean;
  /** Bodies that have come under this id and landed, and the batches they are in: one of them is a replay. */
  readonly landedAs: readonly { readonly sha256: string; readonly batchId: string }[];
  /** Whether this id has landed, so that any other body is in conflict with it. */
  readonly isTaken: boolean;
  /** Whether Strata made the id just now, so that no file can have it. */
  readonly isFresh: boolean;
  /** Whether good lines land while bad ones become a reject. */
  readonly partial: boolean;
  /** Where the body is the repair of a reject; it is not kept as a reject again when it fails. */
  readonly repairs: Repairs | null;
}

/** What a body is the repair of. */
export interface Repairs {
  readonly rejectId: string;
  /** SHA-256 of the reject's body as it came. */
  readonly sha256: string;
  /** The line in the POST of each line of the body, handed over as it is; null where they are the same. */
  readonly sources: Int32Array | null;
  /** The try, as JSON, for the file's metadata. */
  readonly attempt: string;
}

/** To reject a body without parsing it, and keep it with its reason. */
export interface RejectTask extends TaskBase {
  readonly kind: 'reject';
  readonly fault: Fault;
}

/** What is to be done with a body, and where. */
export interface Job<Task = LandTask | RejectTask> {
  readonly jobId: number;
  readonly place: StreamPlace;
  /** The body as parsed (unpacked); whoever gives it away no longer uses it. */
  readonly body: Uint8Array;
  /** Travels as it is: it is not taken apart on the way. */
  readonly task: Task;
}

/** A job as it travels. */
export interface PackedJob {
  readonly jobId: number;
  readonly placeNumber: number;
  /** The body itself, handed over, or its length in the thread's buffer, where the group's bodies lie in a row. */
  readonly body: Uint8Array | number;
  readonly task: LandTask | RejectTask;
}

/** A group of jobs as it travels. */
export interface PackedGroup {
  readonly jobs: readonly PackedJob[];
  /** Places that the thread has not been told of. */
  readonly places: readonly (readonly [number, StreamPlace])[];
}

/** A file that is in data/, durable. */
export interface LandedFile {
  readonly file: string;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly bodyBytes: number;
  readonly sha256: string;
  readonly receivedAt: string;
  readonly landedAt: string;
  readonly sender: string | null;
  /** As of Batch. */
  readonly rejectId: string | null;
  readonly rejectSha256: string | null;
  readonly partRejectId: string | null;
  readonly linesRejected: number;
}

/** A body that is in failed/ with its reason, durable. */
export interface KeptReject {
  readonly rejectId: string;
  /** The same body was kept under this id before; nothing was written. */
  readonly repeated: boolean;
  readonly sha256: string;
  readonly bodyBytes: number;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly cause: Cause;
}

/** How a job ended. */
export type JobResult =
  /** `part` holds the bad lines, where the batch landed in part. */
  | {
      readonly jobId: number;
      readonly kind: 'landed';
      readonly landed: LandedFile;
      readonly part: KeptReject | null;
    }
  /** This body has landed before, as `batchId`. `found` is what its file says, where the ledger did not know it. */
  | {
      readonly jobId: number;
      readonly kind: 'replayed';
      readonly batchId: string;
      readonly found: LandedFile | null;
    }
  /** The repair of a reject has faults still. */
  | {
      readonly jobId: number;
      readonly kind: 'unfit';
      readonly faults: readonly Fault[];
      readonly faultCount: number;
    }
  | { readonly jobId: number; readonly kind: 'rejected'; readonly reject: KeptReject }
  | {
      readonly jobId: number;
      readonly kind: 'failed';
      /** A foreseen error; null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string | null;
    };

/** A field that a thread has not met in this stream. */
export interface NewField {
  readonly source: string;
  readonly line: number;
}

export type ToThread =
  | { readonly kind: 'jobs'; readonly group: PackedGroup }
  /** The columns of the fields asked for, in their order, or why they cannot be given. */
  | {
      readonly kind: 'named';
      readonly jobId: number;
      readonly landed: readonly string[];
      readonly fault: Fault | null;
    }
  /** The ledger was made anew: name maps are to be asked for again. */
  | { readonly kind: 'forget' };

export type FromThread =
  | { readonly kind: 'name'; readonly jobId: number; readonly fields: readonly NewField[] }
  | { readonly kind: 'done'; readonly results: readonly JobResult[] };
