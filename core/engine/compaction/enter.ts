// Owns getting a knowledgebase to oneself for a swap: writer lock, no query here, no reader of files, no other process
// in kb.duckdb. Waits a bounded time and says for whom. Never moves a file.

import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { claimFolder } from '../../knowledgebase/folder-lock.ts';
import type { KnowledgebasePaths } from '../../knowledgebase/paths.ts';
import { takeWriterLock } from '../../knowledgebase/writer-lock.ts';
import type { DuckDBConnection } from '../../lake/duckdb.ts';
import type { Gate } from '../../lake/gate.ts';
import { readElsewhere } from '../../lake/open-kb.ts';
import { openViews } from '../../lake/views.ts';

export interface EnterOptions {
  readonly paths: KnowledgebasePaths;
  readonly gate: Gate;
  /** What for, as the writer lock's holder says it. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** How long it may take until nobody is in the way. */
  readonly patienceMs: number;
  /** Hears a sentence each time something else is in the way; null when it goes on. */
  readonly onWaiting: (reason: string | null) => void;
}

/** What is done alone, and what is done after readers are let in again, still under the writer lock. */
export interface SwapWork {
  alone(connection: DuckDBConnection): Promise<void>;
  afterwards(heldMs: number): Promise<void>;
}

/**
 * How long running queries of this process may go on before those that were held back get their turn. It grows where
 * queries take longer; as long as new ones were held back, they are let through before the next try.
 */
const FIRST_QUERY_PATIENCE_MS = 1_000;
const LAST_QUERY_PATIENCE_MS = 8_000;
/**
 * A program that opens the file for each query leaves short gaps, which seldom tries would go on missing; one that
 * keeps it open is asked less and less often.
 */
const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 500;
const QUICK_TRIES = 200;
const QUERIES = 'Queries are still running.';

/**
 * Does the work once nobody else is there. Throws `writer_lock_held` or `duckdb_locked`, naming the holder, when that
 * takes longer than the patience; nothing was done then.
 */
export const enterAlone = async (options: EnterOptions, work: SwapWork): Promise<void> => {
  const giveUpAt = Date.now() + options.patienceMs;
  let said: string | null = null;
  const say = (reason: string | null): void => {
    if (reason !== said) options.onWaiting(reason);
    said = reason;
  };
  let retryMs = FIRST_RETRY_MS;
  let queryPatienceMs = FIRST_QUERY_PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const obstacle = await attempt(options, work, queryPatienceMs, () => say(null));
    if (!obstacle) return;
    if (Date.now() > giveUpAt) throw obstacle;
    say(waitingFor(obstacle));
    const isQueries = obstacle.message === QUERIES;
    const pauseMs = isQueries ? queryPatienceMs : retryMs;
    await wait(pauseMs, undefined, { signal: options.signal });
    if (isQueries) queryPatienceMs = Math.min(queryPatienceMs * 2, LAST_QUERY_PATIENCE_MS);
    if (tries > QUICK_TRIES) retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
};

/** Tries once; what stands in the way is returned, what goes wrong in the work is thrown. */
const attempt = async (
  { paths, gate, purpose, signal }: EnterOptions,
  work: SwapWork,
  queryPatienceMs: number,
  onEntered: () => void,
): Promise<AppError | undefined> => {
  signal.throwIfAborted();
  let lock: ReturnType<typeof takeWriterLock>;
  try {
    lock = takeWriterLock(paths, purpose);
  } catch (error) {
    return asObstacle(error);
  }
  try {
    const entered = await gate.write(async (): Promise<AppError | number> => {
      const claim = claimFolder(paths);
      if (!claim) return readElsewhere();
      const started = performance.now();
      try {
        const opened = await openViews(paths).catch(asObstacle);
        if (opened instanceof AppError) return opened;
        try {
          onEntered();
          await work.alone(opened.duckdb.connection);
        } finally {
          opened.duckdb.close();
        }
        return performance.now() - started;
      } finally {
        claim.release();
      }
    }, queryPatienceMs);
    if (entered === undefined) return busy(QUERIES);
    if (entered instanceof AppError) return entered;
    await work.afterwards(entered);
    return undefined;
  } finally {
    lock.release();
  }
};

const busy = (message: string): AppError => new AppError('writer_lock_held', message);

/** What passes by itself; anything else is thrown. */
const asObstacle = (error: unknown): AppError => {
  const passes =
    error instanceof AppError &&
    (error.code === 'writer_lock_held' || error.code === 'duckdb_locked');
  if (!passes) throw error;
  return error;
};

/** "Waiting for dbeaver (pid 4121)." where it is known who. */
const waitingFor = (obstacle: AppError): string => {
  const { name, pid, holder } = obstacle.details as {
    name?: string;
    pid?: number;
    holder?: { pid: number; purpose: string } | null;
  };
  if (pid !== undefined) return `Waiting for ${name ?? 'another program'} (pid ${pid}).`;
  if (holder) return `Waiting for Strata (pid ${holder.pid}): ${holder.purpose}.`;
  return `Waiting: ${obstacle.message}`;
};
