// Owns what each stream did lately: rows a second over the last quarter of an hour, and refusals of the last minute.
// Never survives a restart: lost time is drawn as lost, not as zero, by who shows it.

import type { ErrorCode } from '../errors.ts';
import type { LiveNews, StreamRates } from '../model.ts';

const PERIOD_MS = 5_000;
const PERIODS = 180;
/** The last minute, the period that is not over with it. */
const MINUTE_PERIODS = 60_000 / PERIOD_MS;

export interface RateMeter {
  add(news: LiveNews): void;
  /** The rates of one knowledgebase's streams. */
  read(knowledgebase: string): StreamRates;
  /** How many POSTs of a stream were refused with a code in the last minute, to five seconds. */
  refused(knowledgebase: string, stream: string, code: ErrorCode): number;
}

interface Ring {
  readonly counts: Float64Array;
  /** The number of the period that `counts` was last brought up to. */
  period: number;
}

/** A meter with nothing counted. */
export const rateMeter = (now: () => number = Date.now): RateMeter => {
  const landed = new Map<string, Map<string, Ring>>();
  const refusals = new Map<string, Map<string, Ring>>();
  const since = new Date(now()).toISOString();
  const periodNow = (): number => Math.floor(now() / PERIOD_MS);

  return {
    add: (news) => {
      const period = periodNow();
      if (news.kind === 'elsewhere') {
        const { knowledgebase, stream, rows } = news;
        if (knowledgebase === null || stream === null || rows === 0) return;
        count(ringOf(landed, knowledgebase, stream, period), period, rows);
      } else if (news.kind === 'landed') {
        count(ringOf(landed, news.knowledgebase, news.stream, period), period, news.rows);
      } else if (news.kind === 'refused') {
        count(ringOf(refusals, news.knowledgebase, `${news.stream} ${news.code}`, period), period);
      }
    },
    read: (knowledgebase) => {
      const period = periodNow();
      const rowsPerSecond: Record<string, number[]> = Object.create(null);
      for (const [stream, ring] of landed.get(knowledgebase) ?? []) {
        rowsPerSecond[stream] = countsOf(ring, period).map((rows) => rows / (PERIOD_MS / 1_000));
      }
      const at = new Date(period * PERIOD_MS).toISOString();
      return { periodMs: PERIOD_MS, at, since, rowsPerSecond };
    },
    refused: (knowledgebase, stream, code) => {
      const ring = refusals.get(knowledgebase)?.get(`${stream} ${code}`);
      if (!ring) return 0;
      return countsOf(ring, periodNow())
        .slice(-MINUTE_PERIODS)
        .reduce((sum, times) => sum + times, 0);
    },
  };
};

const ringOf = (
  rings: Map<string, Map<string, Ring>>,
  knowledgebase: string,
  name: string,
  period: number,
): Ring => {
  const named = rings.get(knowledgebase) ?? new Map<string, Ring>();
  rings.set(knowledgebase, named);
  const ring = named.get(name) ?? { counts: new Float64Array(PERIODS), period };
  named.set(name, ring);
  return ring;
};

/** Empties the periods that have passed since the ring was last touched. */
const roll = (ring: Ring, period: number): void => {
  const passed = Math.min(period - ring.period, PERIODS);
  for (let step = 0; step < passed; step += 1) ring.counts[(period - step) % PERIODS] = 0;
  ring.period = Math.max(ring.period, period);
};

const count = (ring: Ring, period: number, times = 1): void => {
  roll(ring, period);
  ring.counts[period % PERIODS] = (ring.counts[period % PERIODS] as number) + times;
};

/** What was counted in each period, oldest first. */
const countsOf = (ring: Ring, period: number): number[] => {
  roll(ring, period);
  return Array.from(
    { length: PERIODS },
    (_, index) => ring.counts[(period + 1 + index) % PERIODS] as number,
  );
};
