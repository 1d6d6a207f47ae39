// Owns what each stream did lately: rows a second over the last quarter of an hour, and refusals of the last minute.
// Counts what it hears of, and what the ledger says of the time before. Never draws time that it does not know as zero.

import type { ErrorCode } from '../errors.ts';
import type { LandedLately, LiveNews, StreamRates } from '../model.ts';

const PERIOD_MS = 5_000;
const PERIODS = 180;
/** The last minute, the period that is not over with it. */
const MINUTE_PERIODS = 60_000 / PERIOD_MS;

export interface RateMeter {
  /**
   * Begins anew with a knowledgebase that was opened just now. `landedBefore` is asked once, when its rates are read
   * first, what landed between two moments, ISO 8601.
   */
  opened(knowledgebase: string, landedBefore: (from: string, until: string) => LandedLately): void;
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
  const since = new Map<string, string>();
  const unread = new Map<string, () => LandedLately>();
  const begun = new Date(now()).toISOString();
  const periodNow = (): number => Math.floor(now() / PERIOD_MS);

  const readBefore = (knowledgebase: string, period: number): void => {
    const read = unread.get(knowledgebase);
    if (!read) return;
    const before = read();
    // A period that began before what is known is not known as a whole.
    const first = Math.ceil(Date.parse(before.since) / PERIOD_MS);
    for (const { stream, at, rows } of before.landed) {
      const then = Math.floor(Date.parse(at) / PERIOD_MS);
      if (then < first || then <= period - PERIODS || then > period) continue;
      const ring = ringOf(landed, knowledgebase, stream, period);
      roll(ring, period);
      ring.counts[then % PERIODS] = (ring.counts[then % PERIODS] as number) + rows;
    }
    since.set(knowledgebase, timeOf(first));
    unread.delete(knowledgebase);
  };

  return {
    opened: (knowledgebase, landedBefore) => {
      landed.delete(knowledgebase);
      const until = new Date(now()).toISOString();
      unread.set(knowledgebase, () => landedBefore(timeOf(periodNow() - PERIODS + 1), until));
    },
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
      readBefore(knowledgebase, period);
      const rowsPerSecond: Record<string, number[]> = Object.create(null);
      for (const [stream, ring] of landed.get(knowledgebase) ?? []) {
        rowsPerSecond[stream] = countsOf(ring, period).map((rows) => rows / (PERIOD_MS / 1_000));
      }
      return {
        periodMs: PERIOD_MS,
        periods: PERIODS,
        at: timeOf(period),
        since: since.get(knowledgebase) ?? begun,
        rowsPerSecond,
      };
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

/** When a period begins. */
const timeOf = (period: number): string => new Date(period * PERIOD_MS).toISOString();

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
