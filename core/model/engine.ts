// Owns the types of the engine at work: its status, events, news and jobs. Never holds behaviour.

import type { ErrorCode } from '../errors.ts';

/** The ingest listener and its limits. The largest body is a setting of each knowledgebase. */
export interface ListenerStatus {
  /** The address that it is bound to. */
  readonly host: string;
  readonly port: number;
  /** As a producer on this machine reaches it. */
  readonly url: string;
  /** Whether every POST needs a token, since other machines can reach it. */
  readonly tokenNeeded: boolean;
  /** How long a request's headers may take. */
  readonly headerTimeoutMs: number;
  /** From the headers to the body's last byte. */
  readonly bodyTimeoutMs: number;
  /** How long a connection without a request is kept open. */
  readonly keepAliveMs: number;
  /** POSTs of one stream between their first byte and their answer; one more is answered 429. */
  readonly inFlightBatchesPerStream: number;
  readonly inFlightBytesPerStream: number;
}

/** How the engine is. */
export interface EngineStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly home: string;
  readonly ingestUrl: string | null;
  /** Null where nothing listens. */
  readonly listener: ListenerStatus | null;
  /** What waits for a view, by knowledgebase, and what for. */
  readonly waiting: readonly { readonly knowledgebase: string; readonly reason: string }[];
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

/** What the engine says as it happens. */
export type LiveNews = StreamNews | ElsewhereNews;

/** What this process did. */
type StreamNews = {
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
  /** A reject changed after it came: it landed, was discarded, reopened, tried in vain, or lost its body. */
  | { readonly kind: 'reject-changed'; readonly rejectId: string }
);

/**
 * What another process changed, noticed within a second or so: of a stream; where `stream` is null, of its
 * knowledgebase beside the numbers of streams; where that is null too, the list of knowledgebases.
 */
interface ElsewhereNews {
  readonly kind: 'elsewhere';
  readonly knowledgebase: string | null;
  readonly stream: string | null;
  readonly at: string;
  /** What landed, as far as it can be told. */
  readonly batches: number;
  readonly rows: number;
  /** Whether its rejects are others, or in another state. */
  readonly rejects: boolean;
}

/**
 * Landings of one stream since the last report, coalesced. Where `stream` is null another process changed something
 * else of the knowledgebase (its settings, its model, a compaction ...); where that is null too, the list of them.
 */
export interface StreamPulse {
  readonly knowledgebase: string | null;
  readonly stream: string | null;
  readonly batches: number;
  readonly rows: number;
  readonly replayed: number;
  readonly rejected: number;
  readonly refused: number;
  /** Rejects that changed after they came: landed, discarded, reopened, tried in vain, without body; by others: at least 1. */
  readonly rejectsChanged: number;
  readonly at: string;
}

/** Long work: an export, a compaction, an import. */
export interface Job {
  readonly id: number;
  /** export, replay, discard, reopen ... */
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
  /** More of its progress, by kind: a CompactionProgress for `compact` and `compact-undo`; null for the others. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly fault: string | null;
  /** What it made: a path, a count. */
  readonly result: Readonly<Record<string, unknown>> | null;
}
