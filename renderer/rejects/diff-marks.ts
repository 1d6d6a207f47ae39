// Owns which characters a change changed: those of the lines before that are gone, those of the lines after that
// are new. Never decides what a fix does.

import type { Stretch } from './segments.ts';

/** For each line before and after, its changed stretches. */
export interface DiffMarks {
  readonly before: readonly (readonly Stretch[])[];
  readonly after: readonly (readonly Stretch[])[];
}

/** Beyond so many characters in the middle they are compared no further: all of it counts as changed. */
const MOST_COMPARED = 600;

/** Compares lines before with lines after. */
export const diffMarks = (before: readonly string[], after: readonly string[]): DiffMarks => {
  const [old, now] = [before.join('\n'), after.join('\n')];
  if (before.length === 0 || after.length === 0) {
    return { before: before.map(() => []), after: after.map(() => []) };
  }
  let start = 0;
  const least = Math.min(old.length, now.length);
  while (start < least && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < least - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [gone, fresh] = compared(
    old.slice(start, old.length - end),
    now.slice(start, now.length - end),
  );
  const oldStretches = gone.map(({ from, to }) => ({ from: from + start, to: to + start }));
  // A line that was parted: what begins the new line is shown where it stood.
  if (oldStretches.length === 0 && now.slice(start, now.length - end).trim() === '') {
    if (start < old.length) oldStretches.push({ from: start, to: start + 1 });
  }
  return {
    before: byLine(before, oldStretches),
    after: byLine(
      after,
      fresh.map(({ from, to }) => ({ from: from + start, to: to + start })),
    ),
  };
};

/** What of the one is gone and what of the other is new, by their longest common subsequence. */
const compared = (old: string, now: string): [Stretch[], Stretch[]] => {
  if (old.length === 0 || now.length === 0 || old.length + now.length > MOST_COMPARED) {
    return [whole(old), whole(now)];
  }
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        old[i] === now[j]
          ? (longest[(i + 1) * width + j + 1] as number) + 1
          : Math.max(longest[(i + 1) * width + j] as number, longest[i * width + j + 1] as number);
    }
  }
  const gone: Stretch[] = [];
  const fresh: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1;
      j += 1;
    } else if (
      j >= now.length ||
      (i < old.length &&
        (longest[(i + 1) * width + j] as number) >= (longest[i * width + j + 1] as number))
    ) {
      push(gone, i);
      i += 1;
    } else {
      push(fresh, j);
      j += 1;
    }
  }
  return [gone, fresh];
};

const whole = (text: string): Stretch[] => (text === '' ? [] : [{ from: 0, to: text.length }]);

const push = (stretches: Stretch[], at: number): void => {
  const last = stretches.at(-1);
  if (last?.to === at) stretches[stretches.length - 1] = { from: last.from, to: at + 1 };
  else stretches.push({ from: at, to: at + 1 });
};

/** Stretches of joined lines, by line; the line feeds between them are left out. */
const byLine = (lines: readonly string[], stretches: readonly Stretch[]): Stretch[][] => {
  let start = 0;
  return lines.map((line) => {
    const end = start + line.length;
    const found = stretches
      .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to, end) }))
      .filter(({ from, to }) => from < to)
      .map(({ from, to }) => ({ from: from - start, to: to - start }));
    start = end + 1;
    return found;
  });
};

/** What of a long line is shown so that its first change can be seen: from where, and how many characters. */
export const windowOf = (text: string, stretches: readonly Stretch[], most: number): Stretch => {
  if (text.length <= most) return { from: 0, to: text.length };
  const first = stretches[0]?.from ?? 0;
  let from = Math.max(0, Math.min(first - Math.floor(most / 3), text.length - most));
  // Never between the two halves of a pair.
  if (from > 0 && isLowHalf(text.charCodeAt(from))) from -= 1;
  let to = Math.min(text.length, from + most);
  if (to < text.length && isLowHalf(text.charCodeAt(to))) to += 1;
  return { from, to };
};

const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
