// Owns counting what matches a filter once for all the pages of it: asked twice at once it is counted once, and the
// newest counts are kept. Never counts itself, and never knows what a filter is.

import { AppError } from '../errors.ts';

/** How many rows match, batch by batch. */
export interface MatchCount {
  readonly total: number;
  /** The batches that have any, in landing order. */
  readonly batchIds: readonly string[];
  /** The file that each of them was in when it was counted. */
  readonly files: readonly string[];
  /** Of each of them, how many matches there are in it and in all before it. */
  readonly upTo: readonly number[];
}

/** A count that goes on until `signal` aborts. */
export type Counting = (signal: AbortSignal) => Promise<MatchCount>;

export interface MatchCounts {
  /**
   * The count under this key, made by `count` where it is not known. It is stopped when everybody who waits for it has
   * aborted. Throws `query_cancelled` to who aborts, and what `count` throws; a failed count is not kept.
   */
  get(key: string, count: Counting, signal?: AbortSignal): Promise<MatchCount>;
  /** Forgets the count under a key. */
  drop(key: string): void;
}

/** How many counts are kept, and of how many batches together. */
const KEPT = 16;
const KEPT_BATCHES = 200_000;

interface Entry {
  readonly count: Promise<MatchCount>;
  readonly abort: AbortController;
  waiting: number;
  /** Undefined while it is counted. */
  batches?: number;
}

/** Nothing counted. */
export const openMatchCounts = (): MatchCounts => {
  // In order of use: the first is the one that nobody has asked for longest.
  const entries = new Map<string, Entry>();

  const start = (key: string, count: Counting): Entry => {
    const abort = new AbortController();
    const entry: Entry = { count: count(abort.signal), abort, waiting: 0 };
    entry.count.then(
      ({ batchIds }) => {
        entry.batches = batchIds.length;
        trim();
      },
      () => forget(key, entry),
    );
    return entry;
  };

  const forget = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
  };

  const trim = (): void => {
    let batches = 0;
    for (const entry of entries.values()) batches += entry.batches ?? 0;
    for (const [key, entry] of entries) {
      if (entries.size <= KEPT && batches <= KEPT_BATCHES) break;
      if (entry.batches === undefined || entries.size === 1) continue;
      entries.delete(key);
      batches -= entry.batches;
    }
  };

  return {
    get: async (key, count, signal) => {
      if (signal?.aborted) throw cancelled();
      const entry = entries.get(key) ?? start(key, count);
      entries.delete(key);
      entries.set(key, entry);
      entry.waiting += 1;
      let onAbort = (): void => {};
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => reject(cancelled());
        signal?.addEventListener('abort', onAbort);
      });
      try {
        return await Promise.race([entry.count, aborted]);
      } finally {
        signal?.removeEventListener('abort', onAbort);
        entry.waiting -= 1;
        if (entry.waiting === 0 && entry.batches === undefined) {
          // Whoever asks from now on must not get what is being stopped.
          forget(key, entry);
          entry.abort.abort();
        }
      }
    },
    drop: (key) => void entries.delete(key),
  };
};

const cancelled = (): AppError => new AppError('query_cancelled', 'The query was cancelled.');
