// Owns how running work reads: done of total, the rate, the time left. Never draws.

import { count, duration, rate } from './format.ts';

/** How far work is. */
export interface WorkDone {
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** What is counted: rows, bytes, %. */
  readonly unit: string;
}

/** Done of total, the rate and the time left, in words. */
export const progressWords = ({ done, total, unit }: WorkDone, elapsedMs: number): string => {
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1_000 : 0;
  const left =
    total !== null && perSecond > 0 && done > 0 && done < total
      ? `, ${duration(Math.max(1_000, Math.round((total - done) / perSecond) * 1_000))} left`
      : '';
  if (unit === '%') return left === '' ? '' : `${left.slice(2)}.`;
  if (done === 0) return total === null ? '' : `0 of ${count(total)} ${unit}.`;
  const of = total === null ? count(done) : `${count(done)} of ${count(total)}`;
  // What is all done has no rate any more: only the time since would change it.
  if (done === total) return `${of} ${unit}.`;
  return `${of} ${unit}. ${rate(perSecond)} ${unit}/s${left}.`;
};
