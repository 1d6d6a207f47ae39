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

interface Measured {
  readonly at: number;
  readonly files: number;
  readonly groupByMs: number | null;
}

/** What a run did to the count of files, and when: its end, and that of its undo. */
const changesOf = ({ endedAt, undoneAt, filesBefore, filesAfter }: PlottedRun) => {
  if (filesAfter === null || endedAt === null) return [];
  const added = filesAfter - filesBefore;
  return [
    { at: Date.parse(endedAt), added },
    ...(undoneAt === null ? [] : [{ at: Date.parse(undoneAt), added: -added }]),
  ];
};

/**
 * The points with two more at each change of files, so that the lines fall where they fell: the count by what is known
 * of the run, the cost as it was measured last.
 */
const withChanges = (points: readonly Measured[], runs: readonly PlottedRun[]): Measured[] => {
  const known = [...points];
  for (const { at, added } of runs.flatMap(changesOf)) {
    const next = points.find((point) => point.at >= at);
    if (!next) continue;
    const cost = points.findLast((point) => point.at < at)?.groupByMs ?? null;
    known.push({ at: at - 1, files: Math.max(0, next.files - added), groupByMs: cost });
    known.push({ at, files: next.files, groupByMs: next.groupByMs });
  }
  return known.sort((one, other) => one.at - other.at);
};

/** What the plots need of a run. */
type PlottedRun = Pick<CompactionRun, 'endedAt' | 'undoneAt' | 'filesBefore' | 'filesAfter'>;

/**
 * The plots' points. `live` is the count of files now, which needs no measuring. The last point before the span is
 * kept, so that a line comes in from the edge.
 */
export const costPlotOf = (
  { points, compactions }: CostHistory,
  runs: readonly PlottedRun[],
  live: { readonly at: number; readonly files: number },
  span: CostSpan,
): CostPlot => {
  const measured = points.map(({ at, ...point }) => ({ ...point, at: Date.parse(at) }));
  // What was measured since the last look is shown at once.
  const to = Math.max(live.at, (measured.at(-1)?.at ?? 0) + 1);
  const known = withChanges([...measured, { at: to, files: live.files, groupByMs: null }], runs);
  const oldest = Math.min(startOf(points, to), to - LEAST_MS);
  const from = span === 'all' ? oldest : to - LENGTHS[span];
  const before = known.findLastIndex(({ at }) => at < from);
  const shown = known.slice(Math.max(0, before));
  const unit = shown.some(({ groupByMs }) => (groupByMs ?? 0) >= 1_000) ? 'seconds' : 'ms';
  const scale = unit === 'ms' ? 1 : 1_000;
  const inSpan = (at: string | null, word: CostMark['word']): CostMark[] =>
    at !== null && Date.parse(at) >= from && Date.parse(at) <= to
      ? [{ at: Date.parse(at) / 1_000, word }]
      : [];
  return {
    ...{ from: from / 1_000, to: to / 1_000, unit },
    x: shown.map(({ at }) => at / 1_000),
    files: shown.map(({ files }) => files),
    groupBy: shown.map(({ groupByMs }) => (groupByMs === null ? null : groupByMs / scale)),
    marks: [
      ...compactions.flatMap(({ at }) => inSpan(at, 'compacted')),
      ...runs.flatMap(({ undoneAt }) => inSpan(undoneAt, 'undone')),
    ].sort((one, other) => one.at - other.at),
  };
};

/** The highest place of a line within the span, and of the piece that comes in from its edge; 0 where it has none. */
export const mostOf = (plot: CostPlot, of: 'files' | 'groupBy'): number => {
  const known = plot.x.flatMap((at, index) => {
    const value = plot[of][index];
    return value === null || value === undefined ? [] : [{ at, value }];
  });
  const inside = known.filter(({ at }) => at >= plot.from);
  const before = known.findLast(({ at }) => at < plot.from);
  const next = inside[0];
  const share = before && next ? (plot.from - before.at) / (next.at - before.at) : 0;
  const edge = before && next ? before.value + (next.value - before.value) * share : 0;
  return Math.max(0, edge, ...inside.map(({ value }) => value));
};

/** Labels of moments: clock times within two days, dates else, each once; the date stands where a day begins. UTC. */
export const momentLabels = (seconds: readonly number[], spanSeconds: number): string[] => {
  const isLong = spanSeconds > (2 * DAY_MS) / 1_000;
  const hasSeconds = !isLong && seconds.some((at) => at % 60 !== 0);
  let last = '';
  return seconds.map((at) => {
    const date = new Date(at * 1_000);
    const iso = date.toISOString();
    const isSameDay = iso.slice(0, 10) === last;
    last = iso.slice(0, 10);
    if (isLong && isSameDay) return '';
    if (isLong || iso.slice(11, 19) === '00:00:00') {
      return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    }
    return iso.slice(11, hasSeconds ? 19 : 16);
  });
};

/**
 * Where the words of marks begin, in px: right of their line, else left of it, so that none crosses a line or another
 * word; null where there is no room, and the line stands for itself.
 */
export const wordPlaces = (
  lines: readonly { readonly x: number; readonly wide: number }[],
  { from, to, gap }: { readonly from: number; readonly to: number; readonly gap: number },
): (number | null)[] => {
  let free = from;
  return lines.map(({ x, wide }, at) => {
    const [right, left] = [x + gap, x - gap - wide];
    const before = lines[at - 1]?.x ?? from;
    const after = lines[at + 1]?.x ?? to;
    const place =
      right >= free && right + wide <= after
        ? right
        : left >= Math.max(free, before + gap)
          ? left
          : null;
    if (place !== null) free = place + wide + 2 * gap;
    return place;
  });
};
