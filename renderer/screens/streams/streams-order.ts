// Owns which streams the list shows and in which order. Never renders, and never asks the engine.

import type { StreamSummary } from '../../../core/model.ts';

/** What the list can be sorted by. */
export type SortBy =
  | 'stream'
  | 'rate'
  | 'rows'
  | 'files'
  | 'sizeBytes'
  | 'lagMs'
  | 'lastLandedAt'
  | 'openRejects';

export interface Sort {
  readonly by: SortBy;
  readonly isUp: boolean;
}

/** Which streams: all, those that land, those that need a person. */
export type Segment = 'all' | 'landing' | 'look';

/** A stream and its rows a second. */
export interface Listed {
  readonly stream: StreamSummary;
  readonly rate: number;
}

/** The same head again turns the order; another begins with the most, names with the first. */
export const sortedNext = (sort: Sort, by: SortBy): Sort =>
  sort.by === by ? { by, isUp: !sort.isUp } : { by, isUp: by === 'stream' };

/** Whether a person should look: something was rejected and is open, landing is slow, or the stream says so itself. */
export const needsLook = ({ openRejects, trouble }: StreamSummary): boolean =>
  openRejects > 0 || trouble !== null;

/** Whether a batch came in the last minute, also one that was slow. */
export const isLanding = ({ status, lagMs }: StreamSummary): boolean =>
  status === 'landing' || status === 'lagging' || (status === 'error' && lagMs !== null);

/** Whether a stream belongs to a segment. */
export const isIn = (segment: Segment, stream: StreamSummary): boolean =>
  segment === 'all' || (segment === 'landing' ? isLanding(stream) : needsLook(stream));

/** The ids of the streams that match, in order. What is not known comes last, whichever way. */
export const orderOf = (
  listed: readonly Listed[],
  { sort, segment, filter }: { sort: Sort; segment: Segment; filter: string },
): string[] => {
  const wanted = filter.trim().toLowerCase();
  return listed
    .filter(({ stream }) => isIn(segment, stream))
    .filter(({ stream }) => stream.stream.toLowerCase().includes(wanted))
    .sort((one, other) => compare(one, other, sort) || byLiveliness(one, other))
    .map(({ stream }) => stream.stream);
};

const compare = (one: Listed, other: Listed, { by, isUp }: Sort): number => {
  const [left, right] = [figureOf(one, by), figureOf(other, by)];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  const rising = typeof left === 'string' ? compareText(left, String(right)) : left - Number(right);
  return isUp ? rising : -rising;
};

const figureOf = ({ stream, rate }: Listed, by: SortBy): string | number | null => {
  if (by === 'rate') return rate;
  if (by === 'stream') return stream.stream;
  if (by === 'rows' || by === 'files' || by === 'sizeBytes') {
    return stream.lastLandedAt === null ? null : stream[by];
  }
  return stream[by];
};

const compareText = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

/** Among equals: those that land, then those that landed last, then by name. */
const byLiveliness = (one: Listed, other: Listed): number =>
  Number(isLanding(other.stream)) - Number(isLanding(one.stream)) ||
  (other.stream.lastLandedAt ?? '').localeCompare(one.stream.lastLandedAt ?? '') ||
  compareText(one.stream.stream, other.stream.stream);

/** The order that was, as far as it still holds; what is new stands at the end. */
export const held = (kept: readonly string[], wanted: readonly string[]): string[] => {
  const present = new Set(wanted);
  const known = new Set(kept);
  return [...kept.filter((id) => present.has(id)), ...wanted.filter((id) => !known.has(id))];
};

/** Fewer points: the mean of every `step`, so that a line of many fits a few px. The newest are whole. */
export const thinned = (values: readonly number[], step: number): number[] => {
  const points: number[] = [];
  for (let end = values.length; end - step >= 0; end -= step) {
    const part = values.slice(end - step, end);
    points.unshift(part.reduce((sum, value) => sum + value, 0) / step);
  }
  return points;
};
