// Owns which lines of an edited body came from which lines of the one before. Pure.
// Never compares within a line.

import { isSameLine, type LinedBody, lineStarts } from './lines.ts';

/** Past so many differences the middle is taken as one change: exact would take time and room with the square of them. */
const MOST_DIFFERENCES = 1_000;
/** Past so many comparisons of lines too: bodies of few different lines can ask for millions of times as many. */
const MOST_COMPARISONS = 50_000_000;

/**
 * For each line of `after` the line of `before` (from 1) that it came from: itself where it is unchanged, else the one
 * that stood in its place, or the one before where nothing stood. Never falls. Myers' shortest edit script over lines.
 */
export const sourcesOf = (before: Uint8Array, after: Uint8Array): Int32Array => {
  const one = { bytes: before, starts: lineStarts(before) };
  const other = { bytes: after, starts: lineStarts(after) };
  const [lines, newLines] = [one.starts.length, other.starts.length];
  const shorter = Math.min(lines, newLines);
  let start = 0;
  while (start < shorter && isSameLine(one, start + 1, other, start + 1)) start += 1;
  let end = 0;
  while (end < shorter - start && isSameLine(one, lines - end, other, newLines - end)) end += 1;
  const pairs = samePairs(
    { body: one, from: start, count: lines - start - end },
    { body: other, from: start, count: newLines - start - end },
  );
  const same = new Int32Array(newLines).fill(-1);
  for (let line = 0; line < start; line += 1) same[line] = line;
  for (const [from, to] of pairs) same[start + to] = start + from;
  for (let back = 1; back <= end; back += 1) same[newLines - back] = lines - back;
  return spread(same, lines);
};

/** Gives the lines between two that are the same to the lines that stood there. */
const spread = (same: Int32Array, before: number): Int32Array => {
  const sources = new Int32Array(same.length);
  for (let from = 0; from < same.length; ) {
    if (same[from] !== -1) {
      sources[from] = (same[from] as number) + 1;
      from += 1;
      continue;
    }
    let to = from;
    while (to < same.length && same[to] === -1) to += 1;
    const first = from === 0 ? 0 : (same[from - 1] as number) + 1;
    const last = to === same.length ? before - 1 : (same[to] as number) - 1;
    for (let line = from; line < to; line += 1) {
      sources[line] = Math.max(1, Math.min(first + (line - from), last) + 1);
    }
    from = to;
  }
  return sources;
};

/** Lines of a body in a row: how many after the first so many. */
interface Stretch {
  readonly body: LinedBody;
  readonly from: number;
  readonly count: number;
}

/** Pairs of equal lines of a longest common sequence, or none where it would take too long to find. */
const samePairs = (one: Stretch, other: Stretch): [number, number][] => {
  const most = Math.min(one.count + other.count, MOST_DIFFERENCES);
  // As many lines more or fewer are as many differences at least.
  if (Math.abs(one.count - other.count) > most) return [];
  let comparisons = 0;
  const same = (x: number, y: number): boolean => {
    comparisons += 1;
    return isSameLine(one.body, one.from + x + 1, other.body, other.from + y + 1);
  };
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let differences = 0; differences <= most; differences += 1) {
    trace.push(reach.slice(offset - differences - 1, offset + differences + 2));
    for (let k = -differences; k <= differences; k += 2) {
      const down =
        k === -differences ||
        (k !== differences &&
          (reach[offset + k - 1] as number) < (reach[offset + k + 1] as number));
      let x = down ? (reach[offset + k + 1] as number) : (reach[offset + k - 1] as number) + 1;
      while (x < one.count && x - k < other.count && same(x, x - k)) x += 1;
      reach[offset + k] = x;
      if (x >= one.count && x - k >= other.count) return walkBack(trace, one.count, other.count);
      if (comparisons > MOST_COMPARISONS) return [];
    }
  }
  return [];
};

/** The equal lines along the way that was found, from its end. */
const walkBack = (
  trace: readonly Int32Array[],
  oneEnd: number,
  otherEnd: number,
): [number, number][] => {
  const pairs: [number, number][] = [];
  let x = oneEnd;
  let y = otherEnd;
  for (let differences = trace.length - 1; x > 0 || y > 0; differences -= 1) {
    // Diagonal k of that round is at k + differences + 1.
    const reach = trace[differences] as Int32Array;
    const at = (k: number): number => reach[k + differences + 1] as number;
    const k = x - y;
    const down = k === -differences || (k !== differences && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = differences === 0 ? 0 : at(fromK);
    const fromY = differences === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY && (differences === 0 || x > (down ? fromX : fromX + 1))) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    x = fromX;
    y = fromY;
  }
  return pairs;
};
