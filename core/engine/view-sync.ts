// Owns keeping kb.duckdb's views in line with the streams, off every request's path.
// Never gives up: while another program has the file, it tries again until it is free.

import { AppError } from '../errors.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { type LockHolder, takeWriterLock } from '../knowledgebase/writer-lock.ts';
import type { Gate } from '../lake/gate.ts';
import { LOOKING } from '../lake/reader.ts';
import { syncViews, type ViewChanges, type ViewedStream } from '../lake/views.ts';
import type { OntologyChanges, WantedOntology } from '../ontology/sync-views.ts';
import { syncOntologyViews } from './ontology.ts';

/** Why views are waiting, in words; null when none is. */
export type WaitingFor = string | null;

/** What keeps one stream from being in line, as a sentence. */
export interface StreamFault {
  readonly stream: string;
  readonly words: string;
}

export interface ViewSync {
  /** Asks for a sync, now; many requests become one. */
  request(): void;
  /** Asks for the view of a stream that a batch has landed in. Only the first time hurries a sync that waits. */
  requestFor(stream: string): void;
  /** Whether a stream's view is there, as far as this process knows. */
  has(stream: string): boolean;
  /** Why the last try could not be carried out; null when it was. */
  readonly waitingFor: WaitingFor;
  /** Why a compaction of the stream that broke off could not be finished at the last try; null when nothing is. */
  faultOf(stream: string): string | null;
  /** Resolves when no sync is wanted any more: true, or false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface ViewSyncOptions {
  readonly paths: KnowledgebasePaths;
  readonly gate: Gate;
  readonly streams: () => readonly ViewedStream[];
  /**
   * Finishes what broke off; called under the writer lock, alone. Returns the streams where it cannot be, and why: they
   * keep no other from its view.
   */
  readonly settle: () => Promise<readonly StreamFault[]>;
  /** What the ontology's views are to be; null where there is no model. */
  readonly ontology: () => Promise<WantedOntology | null>;
  readonly onChange: (changes: ViewChanges) => void;
  readonly onOntology: (changes: OntologyChanges) => void;
  readonly onWaiting: (reason: string) => void;
  readonly onBug: (error: unknown) => void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/** A view that DuckDB refuses needs a person: trying it often would only keep other programs from the file. */
const REFUSED_RETRY_MS = 30_000;
/** How long a sync waits for running queries of this process before it steps back and tries later. */
const QUERY_PATIENCE_MS = 1_000;

/** How soon, and how often, a lock that is held for a moment is tried again before it counts as waiting. */
const PASSING_RETRY_MS = 25;
const PASSING_TRIES = 20;

/**
 * Whether what is in the way may be gone in a moment: the writer lock is held by a reader that only looks, or by
 * somebody who has not yet said who they are; or another program has the file open. One that opens it for each query
 * leaves short gaps, which single tries seconds apart would go on missing.
 */
const isPassing = (error: unknown): boolean => {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'duckdb_locked') return true;
  if (!('holder' in error.details)) return false;
  const holder = error.details.holder as LockHolder | null;
  return holder === null || holder.purpose === LOOKING;
};

/** A sync that does nothing until it is asked. */
export const openViewSync = (options: ViewSyncOptions): ViewSync => {
  const viewed = new Set<string>();
  const asked = new Set<string>();
  let wanted = false;
  let closed = false;
  let waitingFor: WaitingFor = null;
  let running: Promise<void> | undefined;
  let wakeEarly: (() => void) | undefined;
  let settlers: (() => void)[] = [];
  let unsettled: readonly StreamFault[] = [];

  const once = async (): Promise<readonly StreamFault[]> => {
    const streams = options.streams();
    const ontology = await options.ontology();
    const changes = await options.gate.write(async () => {
      const lock = takeWriterLock(options.paths, 'creating views');
      try {
        // A view is judged by its folder, which a swap that broke off has left half way.
        unsettled = await options.settle();
        const views = await syncViews(options.paths, streams);
        if (ontology) options.onOntology(await syncOntologyViews(options.paths, ontology));
        return views;
      } finally {
        lock.release();
      }
    }, QUERY_PATIENCE_MS);
    if (changes === undefined) throw new AppError('writer_lock_held', 'Queries are still running.');
    const refused = new Map(changes.refused.map(({ stream, reason }) => [stream, reason]));
    for (const { stream, hasFiles } of streams) {
      if (refused.has(stream)) viewed.delete(stream);
      else if (hasFiles) viewed.add(stream);
    }
    if (changes.created.length + changes.rewritten.length > 0 || changes.rebuilt) {
      options.onChange(changes);
    }
    return [
      ...unsettled,
      ...changes.refused.map(({ stream, reason }) => ({
        stream,
        words: `DuckDB refuses the view of ${stream}: ${reason}`,
      })),
    ];
  };

  const loop = async (): Promise<void> => {
    let passing = 0;
    for (let retryMs = FIRST_RETRY_MS; wanted && !closed; ) {
      wanted = false;
      try {
        const [refused] = await once();
        retryMs = FIRST_RETRY_MS;
        if (!refused) {
          waitingFor = null;
          continue;
        }
        // Whoever asked while it ran, asked for what it did not see.
        const isAskedAgain = wanted;
        wanted = true;
        say(refused.words);
        if (!isAskedAgain) await pause(REFUSED_RETRY_MS);
      } catch (error) {
        wanted = true;
        if (isPassing(error) && passing < PASSING_TRIES) {
          passing += 1;
          await pause(PASSING_RETRY_MS);
          continue;
        }
        passing = 0;
        if (error instanceof AppError) {
          say(error.message);
        } else {
          options.onBug(error);
          waitingFor = 'An error inside Strata; the log has it.';
        }
        await pause(retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
    running = undefined;
    if (!wanted) {
      for (const settle of settlers) settle();
      settlers = [];
    }
  };

  const say = (reason: string): void => {
    if (waitingFor !== reason) options.onWaiting(reason);
    waitingFor = reason;
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeEarly = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const request = (): void => {
    wanted = true;
    wakeEarly?.();
    if (!closed) running ??= loop();
  };

  return {
    request,
    requestFor: (stream) => {
      if (viewed.has(stream) || asked.has(stream)) return;
      asked.add(stream);
      request();
    },
    has: (stream) => viewed.has(stream),
    faultOf: (stream) => unsettled.find((fault) => fault.stream === stream)?.words ?? null,
    get waitingFor() {
      return waitingFor;
    },
    settled: (timeoutMs) =>
      new Promise((resolve) => {
        if (!running && !wanted) {
          resolve(true);
          return;
        }
        const timer = setTimeout(() => resolve(false), timeoutMs);
        settlers.push(() => {
          clearTimeout(timer);
          resolve(true);
        });
      }),
    close: async () => {
      closed = true;
      wakeEarly?.();
      await running;
    },
  };
};
