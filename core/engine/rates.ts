// Owns how many rows a second each stream landed over the last quarter of an hour.
// Never survives a restart: lost time is drawn as lost, not as zero, by who shows it.

import type { LiveNews, StreamRates } from '../model.ts';

const PERIOD_MS = 5_000;
const PERIODS = 180;

export interface RateMeter {
  add(news: LiveNews): void;
  /** The rates of one knowledgebase's streams. */
  read(knowledgebase: string): StreamRates;
}

interface Ring {
  readonly counts: Float64Array;
  /** The number of the period that `counts` was last brought up to. */
  period: number;
}

/** A meter with nothing counted. */
export const rateMeter = (now: () => number = Date.now): RateMeter => {
  const rings = new Map<string, Map<string, Ring>>();
  const since = new Date(now()).toISOString();

  /** Empties the periods that have passed since the ring was last touched. */
  const roll = (ring: Ring, period: number): void => {
    const passed = Math.min(period - ring.period, PERIODS);
    for (let step = 0; step < passed; step += 1) ring.counts[(period - step) % PERIODS] = 0;
    ring.period = Math.max(ring.period, period);
  };

  return {
    add: (news) => {
      if (news.kind !== 'landed') return;
      const period = Math.floor(now() / PERIOD_MS);
      const streams = rings.get(news.knowledgebase) ?? new Map<string, Ring>();
      rings.set(news.knowledgebase, streams);
      const ring = streams.get(news.stream) ?? { counts: new Float64Array(PERIODS), period };
      streams.set(news.stream, ring);
      roll(ring, period);
      ring.counts[period % PERIODS] = (ring.counts[period % PERIODS] as number) + news.rows;
    },
    read: (knowledgebase) => {
      const period = Math.floor(now() / PERIOD_MS);
      const rowsPerSecond: Record<string, number[]> = Object.create(null);
      for (const [stream, ring] of rings.get(knowledgebase) ?? []) {
        roll(ring, period);
        rowsPerSecond[stream] = Array.from(
          { length: PERIODS },
          (_, index) =>
            (ring.counts[(period + 1 + index) % PERIODS] as number) / (PERIOD_MS / 1_000),
        );
      }
      const at = new Date(period * PERIOD_MS).toISOString();
      return { periodMs: PERIOD_MS, at, since, rowsPerSecond };
    },
  };
};
