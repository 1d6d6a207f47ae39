// Owns what happens without being asked: automatic compactions, retention, measuring, settling what another process
// left. Never while the machine is busy landing, and one compaction at a time.

import { AppError } from '../../errors.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { LiveNews } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';
import { measureStream } from './cost.ts';
import { listOriginals, removeOriginals } from './originals.ts';
import { isSuggested, policyOf } from './plan.ts';
import { startCompaction } from './run.ts';
import { unsettled } from './settle.ts';

export interface Policy {
  /** Looks once at everything that may be due; resolves when what it started itself is done, but for compactions. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 30_000;
/** The machine is busy while it lands more than this, over the last half minute, in all knowledgebases together. */
export const BUSY_ROWS_A_SECOND = 1_000;
const BUSY_WINDOW_MS = 30_000;
/** After a run that did not go through (a foreign program holds kb.duckdb, the disk is full) it is left alone for this long. */
const BACK_OFF_MS = 600_000;
/** How long an automatic swap waits for others before it gives way. */
const PATIENCE_MS = 60_000;
/** Runs that ended badly may stand before the newest that went through. */
const RUNS_LOOKED_AT = 50;
/** Between two measurements of a stream. */
const MEASURE_MS = 3_600_000;

/** Loose files that count for an automatic run: what an undo has brought back stays, as the person wanted it. */
const looseFiles = ({ batches, compactions }: Ledger, stream: string): number => {
  const newest = compactions
    .list(stream, RUNS_LOOKED_AT)
    .find(({ state, undoneAt }) => state === 'done' || undoneAt !== null);
  const undoneAt = newest?.undoneAt ?? null;
  return undoneAt === null ? batches.looseSums(stream).files : batches.looseSince(stream, undoneAt);
};

/** Starts looking every half minute; `now` is the clock. */
export const openPolicy = (core: Core, now: () => number = Date.now): Policy => {
  const landings: { at: number; rows: number }[] = [];
  const notBefore = new Map<string, number>();
  const keptBefore = new Map<string, number>();
  const measured = new Map<string, { at: number; files: number }>();
  const running = new Map<string, number>();
  let ticking: Promise<void> | undefined;

  const stop = core.onNews((news: LiveNews) => {
    if (news.kind !== 'landed') return;
    const last = landings.at(-1);
    const at = now();
    if (last && at - last.at < 1_000) last.rows += news.rows;
    else landings.push({ at, rows: news.rows });
    while (landings[0] && at - landings[0].at > BUSY_WINDOW_MS) landings.shift();
  });

  const isBusy = (): boolean => {
    const since = now() - BUSY_WINDOW_MS;
    const rows = landings.reduce((sum, one) => sum + (one.at > since ? one.rows : 0), 0);
    return rows / (BUSY_WINDOW_MS / 1_000) > BUSY_ROWS_A_SECOND;
  };

  /** Runs that have ended badly are not tried again at once. */
  const heedEnded = (): void => {
    for (const [key, id] of running) {
      const state = core.jobs.get(id)?.state;
      if (state === 'running') continue;
      running.delete(key);
      if (state !== 'done') notBefore.set(key, now() + BACK_OFF_MS);
    }
  };

  const compact = async (knowledgebase: OpenKnowledgebase, stream: OpenStream): Promise<void> => {
    const key = stream.place.mapKey;
    const policy = policyOf(stream);
    if (policy.policy !== 'automatic' || isBusy() || running.size > 0) return;
    if ((notBefore.get(key) ?? 0) > now()) return;
    if (!isSuggested(policy, looseFiles(knowledgebase.ledger(), stream.id))) return;
    try {
      const options = { by: 'policy', patienceMs: PATIENCE_MS } as const;
      const job = await startCompaction(core, knowledgebase.id, stream.id, options);
      running.set(key, job.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // All of a day that is not over, for one; or another process compacts.
      notBefore.set(key, now() + BACK_OFF_MS);
    }
  };

  const removeDue = async (knowledgebase: OpenKnowledgebase, stream: OpenStream): Promise<void> => {
    const key = stream.place.mapKey;
    if ((keptBefore.get(key) ?? 0) > now() || listOriginals(stream).due.files === 0) return;
    const { due } = await removeOriginals(knowledgebase, stream);
    // What must stay, or somebody reads, is not looked at again at once.
    if (due.files > 0) keptBefore.set(key, now() + BACK_OFF_MS);
  };

  const measure = async (knowledgebase: OpenKnowledgebase, stream: OpenStream): Promise<void> => {
    if (isBusy()) return;
    const key = stream.place.mapKey;
    const last = measured.get(key);
    const files = knowledgebase.ledger().streams.get(stream.id)?.files ?? 0;
    if (files === 0 || last?.files === files || (last?.at ?? 0) > now() - MEASURE_MS) return;
    measured.set(key, { at: now(), files });
    await measureStream(knowledgebase, stream);
  };

  const lookAt = async (knowledgebase: OpenKnowledgebase): Promise<void> => {
    // One that this process is carrying out is not finished, but nothing has broken off.
    const isOurs = core.jobs
      .list()
      .some(({ kind, state }) => state === 'running' && kind.startsWith('compact'));
    if (!isOurs && unsettled(knowledgebase.paths).length > 0) knowledgebase.views.request();
    for (const id of knowledgebase.streams.list()) {
      const stream = knowledgebase.streams.get(id);
      // Nobody can say what is due there.
      if (stream.fault() !== null) continue;
      await removeDue(knowledgebase, stream);
      await compact(knowledgebase, stream);
      await measure(knowledgebase, stream);
    }
  };

  const lookAtAll = async (): Promise<void> => {
    heedEnded();
    for (const knowledgebase of core.opened()) {
      try {
        await lookAt(knowledgebase);
      } catch (error) {
        // What is in the way now may be gone at the next look.
        if (!(error instanceof AppError)) core.log.error(error, { part: 'compaction policy' });
      }
    }
  };

  const tick = (): Promise<void> => {
    ticking ??= lookAtAll().finally(() => {
      ticking = undefined;
    });
    return ticking;
  };
  const timer = setInterval(() => void tick(), TICK_MS).unref();
  return {
    tick,
    close: async () => {
      clearInterval(timer);
      stop();
      await ticking;
    },
  };
};
