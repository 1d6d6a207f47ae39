// Owns gathering news by stream and giving them out at most four times a second.
// Never keeps more than one pulse a stream, however slow a reader is.

import { setTimeout as pause } from 'node:timers/promises';
import type { LiveNews, StreamPulse } from '../model.ts';

const PERIOD_MS = 250;

/** Pulses as they come, until `signal` aborts. Each is what happened since the last. */
export async function* pulses(
  onNews: (hear: (news: LiveNews) => void) => () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPulse[], void, void> {
  let gathered = new Map<string, StreamPulse>();
  let wake: (() => void) | undefined;
  const stop = onNews((news) => {
    // No id has a slash.
    const key = `${news.knowledgebase ?? ''}/${news.stream ?? ''}`;
    gathered.set(key, add(gathered.get(key), news));
    wake?.();
  });
  const onAbort = (): void => wake?.();
  signal?.addEventListener('abort', onAbort);
  try {
    while (!signal?.aborted) {
      if (gathered.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
        continue;
      }
      const batch = [...gathered.values()];
      gathered = new Map();
      yield batch;
      // An abort ends the pause; the loop sees it.
      await pause(PERIOD_MS, undefined, signal ? { signal } : {}).catch(() => {});
    }
  } finally {
    stop();
    signal?.removeEventListener('abort', onAbort);
  }
}

const add = (pulse: StreamPulse | undefined, news: LiveNews): StreamPulse => {
  const { knowledgebase, stream, at } = news;
  const sum = pulse ?? {
    ...{ knowledgebase, stream, at, batches: 0, rows: 0 },
    ...{ replayed: 0, rejected: 0, refused: 0, rejectsChanged: 0 },
  };
  switch (news.kind) {
    case 'landed':
      return { ...sum, at, batches: sum.batches + 1, rows: sum.rows + news.rows };
    case 'replayed':
      return { ...sum, at, replayed: sum.replayed + 1 };
    case 'rejected':
      return { ...sum, at, rejected: sum.rejected + 1 };
    case 'refused':
      return { ...sum, at, refused: sum.refused + 1 };
    case 'reject-changed':
      return { ...sum, at, rejectsChanged: sum.rejectsChanged + 1 };
    case 'elsewhere':
      return {
        ...{ ...sum, at, batches: sum.batches + news.batches, rows: sum.rows + news.rows },
        rejectsChanged: sum.rejectsChanged + (news.rejects ? 1 : 0),
      };
  }
};
