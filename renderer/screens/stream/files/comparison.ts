// Owns how a stream's files lie now and after a compaction, as layers of two bands. Never renders.

import type {
  CompactionPlan,
  CompactionRun,
  CostHistory,
  FileSums,
} from '../../../../core/model.ts';
import type { Layer } from '../../../ui/band.tsx';

/** Both bands, oldest first, and the stretch that is merged, as shares of all rows. */
export interface Comparison {
  readonly now: readonly Layer[];
  readonly after: readonly Layer[];
  readonly merged: { readonly from: number; readonly to: number };
  /** Where layers of `after` meet, as shares from the oldest row on. */
  readonly joints: readonly number[];
}

/** More than this in a band cannot be told apart. */
const MOST = 400;

/** Rows in as many thin layers as there are files, or as can be drawn. */
const thin = (rows: number, files: number): Layer[] => {
  const pieces = Math.min(MOST, files);
  return Array.from({ length: pieces }, () => ({ rows: rows / pieces, kind: 'loose' as const }));
};

const solid = (rows: number): Layer => ({ rows, kind: 'solid' });

/**
 * The bands of a plan. `compacted` are the rows of the stream's compacted files, `loose` those of its loose ones where
 * they are few enough to be known one by one; both oldest first. What stays out is the newest (a day that is not over).
 */
export const comparisonOf = (
  plan: Pick<CompactionPlan, 'now' | 'loose' | 'merged' | 'into'>,
  compacted: readonly number[],
  loose: readonly number[] | null,
): Comparison => {
  const { now, merged, into } = plan;
  const isWhole = loose !== null && loose.length === plan.loose.files;
  const some = isWhole
    ? loose.map((rows): Layer => ({ rows, kind: 'loose' }))
    : thin(plan.loose.rows, plan.loose.files);
  // The compacted files that are merged again are the newest of them.
  const again = Math.max(0, merged.files - plan.loose.files);
  const stays = compacted.slice(0, compacted.length - again).map(solid);
  const below = stays.reduce((sum, { rows }) => sum + rows, 0);
  const left: Pick<FileSums, 'rows' | 'files'> = {
    rows: Math.max(0, now.rows - below - merged.rows),
    files: Math.max(0, plan.loose.files - merged.files),
  };
  const made = Array.from({ length: into }, () => solid(merged.rows / into));
  const after = [
    ...stays,
    ...made,
    ...(left.rows > 0 ? thin(left.rows, Math.max(1, left.files)) : []),
  ];
  const share = (rows: number): number => (now.rows === 0 ? 0 : rows / now.rows);
  const joints: number[] = [];
  let sum = 0;
  for (const { rows } of [...stays, ...made]) {
    sum += rows;
    joints.push(share(sum));
  }
  return {
    now: [...compacted.map(solid), ...some],
    after,
    merged: { from: share(below), to: share(below + merged.rows) },
    joints,
  };
};

/** "about 9× faster"; empty where it would not be felt. */
export const fasterOf = (beforeMs: number, afterMs: number): string => {
  if (afterMs <= 0 || beforeMs / afterMs < 1.5) return '';
  const times = beforeMs / afterMs;
  return `about ${times < 10 ? times.toFixed(1).replace(/\.0$/, '') : Math.round(times)}× faster`;
};

/** What a group-by took before a run, over the files that it merged, and after it; null where it was not measured. */
export const measuredGain = (
  points: CostHistory['points'],
  { startedAt, endedAt, filesBefore }: Pick<CompactionRun, 'startedAt' | 'endedAt' | 'filesBefore'>,
): { readonly before: number; readonly after: number } | null => {
  const before = points.findLast(({ at, files }) => at <= startedAt && files >= filesBefore);
  const after = endedAt === null ? undefined : points.find(({ at }) => at >= endedAt);
  return before && after ? { before: before.groupByMs, after: after.groupByMs } : null;
};
