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
 * queries take longer: those of 10,000 files take seconds, and compacting is what makes them short. As long as new ones
 * were held back, they are let through before the next try.
 */
const FIRST_QUERY_PATIENCE_MS = 1_000;
const LAST_QUERY_PATIENCE_MS = 30_000;
/**
 * How long who has waited for queries stays, with new ones held back, until other processes leave a gap too: as long as
 * it has waited, within these bounds. Where every try began with the queries again, both gaps would have to come at once.
 */
const LEAST_STAY_MS = 1_000;
const MOST_STAY_MS = 3_000;
/** Below it no query was waited for. */
const NOTICED_MS = 50;
/**
 * A program that opens the file for each query leaves short gaps, which seldom tries would go on missing; one that
 * keeps it open is asked less often. A try takes some 5 ms of processor time.
 */
const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 100;
const STAYING_RETRY_MS = 20;
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
  const onObstacle = (obstacle: AppError): void => say(waitingFor(obstacle));
  for (let tries = 1; ; tries += 1) {
    const began = performance.now();
    const left = Math.max(FIRST_QUERY_PATIENCE_MS, giveUpAt - Date.now());
    const obstacle = await attempt(options, work, Math.min(queryPatienceMs, left), {
      onObstacle,
      onEntered: () => say(null),
    });
    if (!obstacle) return;
    if (Date.now() > giveUpAt) throw obstacle;
    onObstacle(obstacle);
    const tookMs = performance.now() - began;
    const pauseMs = tookMs < LEAST_STAY_MS / 2 ? retryMs : tookMs;
    await wait(pauseMs, undefined, { signal: options.signal });
    if (obstacle.message === QUERIES) {
      queryPatienceMs = Math.min(queryPatienceMs * 2, LAST_QUERY_PATIENCE_MS);
    }
    if (tries > QUICK_TRIES) retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
};

interface Hearing {
  readonly onObstacle: (obstacle: AppError) => void;
  readonly onEntered: () => void;
}

/** Tries once; what stands in the way is returned, what goes wrong in the work is thrown. */
const attempt = async (
  { paths, gate, purpose, signal }: EnterOptions,
  work: SwapWork,
  queryPatienceMs: number,
  { onObstacle, onEntered }: Hearing,
): Promise<AppError | undefined> => {
  signal.throwIfAborted();
  let lock: ReturnType<typeof takeWriterLock>;
  try {
    lock = takeWriterLock(paths, purpose);
  } catch (error) {
    return asObstacle(error);
  }
  try {
    const asked = performance.now();
    const entered = await gate.write(async (): Promise<AppError | number> => {
      const waitedMs = performance.now() - asked;
      const stayMs = Math.min(Math.max(waitedMs, LEAST_STAY_MS), MOST_STAY_MS);
      const stay: Stay = {
        until: performance.now() + (waitedMs < NOTICED_MS ? 0 : stayMs),
        ...{ signal, onObstacle },
      };
      const claim = await staying(stay, async () => claimFolder(paths) ?? readElsewhere());
      if (claim instanceof AppError) return claim;
      try {
        let started = 0;
        const opened = await staying(stay, () => {
          started = performance.now();
          return openViews(paths).catch(asObstacle);
        });
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

/** Until when a try may be repeated while new queries are held back. */
interface Stay {
  readonly until: number;
  readonly signal: AbortSignal;
  readonly onObstacle: (obstacle: AppError) => void;
}

/** Tries until it succeeds or the stay is over; then the obstacle is returned. */
const staying = async <T>(
  { until, signal, onObstacle }: Stay,
  attempt: () => Promise<T | AppError>,
): Promise<T | AppError> => {
  for (;;) {
    const got = await attempt();
    if (!(got instanceof AppError) || performance.now() > until) return got;
    onObstacle(got);
    await wait(STAYING_RETRY_MS, undefined, { signal });
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
