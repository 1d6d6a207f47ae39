// Owns which lines of an edited body came from which lines of the one before. Pure.
// Never compares within a line.

import { lineAt, lineStarts } from './lines.ts';

/** Past so many differences the middle is taken as one change: exact would take time and room with the square of them. */
const MOST_DIFFERENCES = 1_000;

/**
 * For each line of `after` the line of `before` (from 1) that it came from: itself where it is unchanged, else the one
 * that stood in its place, or the one before where nothing stood. Never falls. Myers' shortest edit script over lines.
 */
export const sourcesOf = (before: Uint8Array, after: Uint8Array): Int32Array => {
  const [one, other] = numbered(before, after);
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  ) {
    end += 1;
  }
  const pairs = samePairs(
    one.subarray(start, one.length - end),
    other.subarray(start, other.length - end),
  );
  const same = new Int32Array(other.length).fill(-1);
  for (let line = 0; line < start; line += 1) same[line] = line;
  for (const [from, to] of pairs) same[start + to] = start + from;
  for (let back = 1; back <= end; back += 1) same[other.length - back] = one.length - back;
  return spread(same, one.length);
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

/** Each line as a number, the same for the same bytes. */
const numbered = (before: Uint8Array, after: Uint8Array): [Int32Array, Int32Array] => {
  const numbers = new Map<string, number>();
  const of = (body: Uint8Array): Int32Array => {
    const starts = lineStarts(body);
    return starts.map((_, at) => {
      const text = Buffer.from(lineAt(body, starts, at + 1)).toString('latin1');
      const known = numbers.get(text) ?? numbers.size;
      numbers.set(text, known);
      return known;
    });
  };
  return [of(before), of(after)];
};

/** Pairs of equal lines of a longest common sequence, or none where it would take too long to find. */
const samePairs = (one: Int32Array, other: Int32Array): [number, number][] => {
  const most = Math.min(one.length + other.length, MOST_DIFFERENCES);
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
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1;
      reach[offset + k] = x;
      if (x >= one.length && x - k >= other.length)
        return walkBack(trace, one.length, other.length);
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
