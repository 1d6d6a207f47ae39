// Owns where the points of a rate plot stand. Never renders.

import type { StreamRates } from '../../../core/model.ts';
import { lostOf } from '../../app/lost-time.ts';

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  /** When its period began, ISO 8601. */
  readonly at: string;
}

export interface Plot {
  /** Those that are known. */
  readonly points: readonly PlotPoint[];
  /** How wide the time is in which nothing was counted, from the left. */
  readonly lost: number;
  readonly peak: number;
  readonly last: number;
  readonly from: string;
  readonly to: string;
  readonly line: string;
  readonly area: string;
  /** Where a moment stands; null when it is not on the plot. */
  readonly placeOf: (at: string) => number | null;
}

/** The plot of one stream, from zero to its peak. The newest period is left out: it is not over. */
export const plotOf = (
  rates: StreamRates,
  stream: string,
  { width, top, base }: { width: number; top: number; base: number },
): Plot => {
  const length = rates.periods - 1;
  const values = rates.rowsPerSecond[stream]?.slice(0, -1) ?? new Array<number>(length).fill(0);
  const end = Date.parse(rates.at);
  const start = end - length * rates.periodMs;
  const usable = width - 3;
  // The newest period is left out of the values, and is never lost.
  const unknown = Math.min(length, lostOf(rates));
  const known = values.slice(unknown);
  const peak = Math.max(0, ...known);
  const points = known.map((value, index) => ({
    x: round(((index + unknown) / (length - 1)) * usable),
    y: round(base - (peak === 0 ? 0 : (value / peak) * (base - top))),
    value,
    at: new Date(start + (index + unknown) * rates.periodMs).toISOString(),
  }));
  const path = points.map(({ x, y }) => `${x} ${y}`).join('L');
  return {
    points,
    lost: unknown === 0 ? 0 : (points[0]?.x ?? width),
    peak,
    last: values.at(-1) ?? 0,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    line: `M${path}`,
    area: `M${points[0]?.x ?? 0} ${base}L${path}L${usable} ${base}Z`,
    placeOf: (at) => {
      const share = (Date.parse(at) - start) / (end - start);
      return share < 0 || share > 1 ? null : round(share * usable);
    },
  };
};

const round = (value: number): number => Math.round(value * 10) / 10;
