// Owns what the plots of files and query cost show: the span, the points, where compactions stand. Never draws.

import type { CompactionRun, CostHistory } from '../../../../core/model.ts';

export type CostSpan = 'day' | 'week' | 'all';

/** The spans in the order they are offered. */
export const SPANS: readonly { readonly value: CostSpan; readonly label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'all', label: 'All' },
];

const DAY_MS = 86_400_000;
const LENGTHS: Readonly<Record<CostSpan, number>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
};
/** A history that began a moment ago still has a width. */
const LEAST_MS = 60_000;

/** A moment that the plots mark, in seconds. */
export interface CostMark {
  readonly at: number;
  readonly word: 'compacted' | 'undone';
}

/** Points in time, seconds; a value that was not measured then is null. */
export interface CostPlot {
  readonly from: number;
  readonly to: number;
  readonly x: readonly number[];
  readonly files: readonly (number | null)[];
  /** In `unit`. */
  readonly groupBy: readonly (number | null)[];
  readonly unit: 'ms' | 'seconds';
  readonly marks: readonly CostMark[];
}

/** The span that shows all there is, and no more than a week unless it is asked for. */
export const likelySpan = ({ points }: CostHistory, now: number): CostSpan =>
  now - startOf(points, now) > LENGTHS.week ? 'week' : 'all';

const startOf = (points: CostHistory['points'], now: number): number =>
  points[0] ? Date.parse(points[0].at) : now;

/**
 * The plots' points. `live` is the count of files now, which needs no measuring. The last point before the span is
 * kept, so that a line comes in from the edge.
 */
export const costPlotOf = (
  { points, compactions }: CostHistory,
  runs: readonly Pick<CompactionRun, 'undoneAt'>[],
  live: { readonly at: number; readonly files: number },
  span: CostSpan,
): CostPlot => {
  const to = live.at;
  const oldest = Math.min(startOf(points, to), to - LEAST_MS);
  const from = span === 'all' ? oldest : to - LENGTHS[span];
  const before = points.findLastIndex(({ at }) => Date.parse(at) < from);
  const shown = points.slice(Math.max(0, before)).filter(({ at }) => Date.parse(at) < to);
  const unit = shown.some(({ groupByMs }) => groupByMs >= 1_000) ? 'seconds' : 'ms';
  const scale = unit === 'ms' ? 1 : 1_000;
  const inSpan = (at: string | null, word: CostMark['word']): CostMark[] =>
    at !== null && Date.parse(at) >= from && Date.parse(at) <= to
      ? [{ at: Date.parse(at) / 1_000, word }]
      : [];
  return {
    ...{ from: from / 1_000, to: to / 1_000, unit },
    x: [...shown.map(({ at }) => Date.parse(at) / 1_000), to / 1_000],
    files: [...shown.map(({ files }) => files), live.files],
    groupBy: [...shown.map(({ groupByMs }) => groupByMs / scale), null],
    marks: [
      ...compactions.flatMap(({ at }) => inSpan(at, 'compacted')),
      ...runs.flatMap(({ undoneAt }) => inSpan(undoneAt, 'undone')),
    ].sort((one, other) => one.at - other.at),
  };
};

/** Labels of moments: clock times within two days, dates else; the date stands where a day begins. UTC. */
export const momentLabels = (seconds: readonly number[], spanSeconds: number): string[] => {
  const isLong = spanSeconds > (2 * DAY_MS) / 1_000;
  const hasSeconds = !isLong && seconds.some((at) => at % 60 !== 0);
  return seconds.map((at) => {
    const date = new Date(at * 1_000);
    const iso = date.toISOString();
    if (isLong || iso.slice(11, 19) === '00:00:00') {
      return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    }
    return iso.slice(11, hasSeconds ? 19 : 16);
  });
};
