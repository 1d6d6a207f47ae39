// Owns how a mended body differs from the one that came, line by line, as it may be shown. Pure.
// Never compares within a line.

import type { LineChange } from '../model.ts';
import { lineAt, lineStarts, sourceOf, type TracedBody } from './lines.ts';
import { showLine } from './show-line.ts';

/** How many changes are given, how many lines of one, and how many bytes of a line. */
const MOST_CHANGES = 200;
const MOST_LINES = 100;
const WIDTH = 4_096;

/** Counts of a mend's effect on lines. */
export interface ChangeCounts {
  readonly changeCount: number;
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Lines of the body as it came that have nothing in their place. */
  readonly linesLost: number;
  /** Lines of the body as it came that are not as they were. */
  readonly linesChanged: number;
}

/** A run of changed lines, from the first to the one after the last, before and after. */
interface Hunk {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** The changes from what came to what is sent; runs of changed lines are one change. */
export const changesOf = (
  original: Uint8Array,
  mended: TracedBody,
): ChangeCounts & { readonly changes: readonly LineChange[] } => {
  const starts = lineStarts(original);
  const newStarts = lineStarts(mended.bytes);
  const before = (line: number): Uint8Array => lineAt(original, starts, line);
  const after = (line: number): Uint8Array => lineAt(mended.bytes, newStarts, line);
  const same = (line: number, newLine: number): boolean =>
    Buffer.compare(before(line), after(newLine)) === 0;
  const hunks: Hunk[] = [];
  const counts = { linesAdded: 0, linesRemoved: 0, linesLost: 0, linesChanged: 0 };
  let open: Hunk | undefined;
  let newLine = 1;
  for (let line = 1; line <= starts.length; line += 1) {
    const newFrom = newLine;
    while (newLine <= newStarts.length && sourceOf(mended.sources, newLine) <= line) newLine += 1;
    const isLast = line === starts.length;
    if (isLast) newLine = newStarts.length + 1;
    const now = newLine - newFrom;
    if (now === 1 && same(line, newFrom)) {
      if (open) hunks.push(open);
      open = undefined;
      continue;
    }
    if (now === 0) counts.linesLost += 1;
    counts.linesChanged += 1;
    open ??= { from: line, to: line, newFrom, newTo: newFrom };
    open.to = line + 1;
    open.newTo = newLine;
  }
  if (starts.length === 0 && newStarts.length > 0) {
    open = { from: 1, to: 1, newFrom: 1, newTo: newStarts.length + 1 };
  }
  if (open) hunks.push(open);
  const trimmed = hunks.map((hunk) => trim(hunk, same)).filter(isChange);
  for (const { from, to, newFrom, newTo } of trimmed) {
    counts.linesRemoved += to - from;
    counts.linesAdded += newTo - newFrom;
  }
  const shown = (read: (line: number) => Uint8Array, from: number, to: number) =>
    Array.from({ length: Math.min(to - from, MOST_LINES) }, (_, at) =>
      showLine(read(from + at), WIDTH),
    );
  return {
    ...counts,
    changeCount: trimmed.length,
    changes: trimmed.slice(0, MOST_CHANGES).map(({ from, to, newFrom, newTo }) => ({
      line: from,
      newLine: newFrom,
      before: shown(before, from, to),
      after: shown(after, newFrom, newTo),
    })),
  };
};

const isChange = ({ from, to, newFrom, newTo }: Readonly<Hunk>): boolean =>
  to > from || newTo > newFrom;

/** Lines that are the same at the ends of a change are no part of it: a line beside which others were put. */
const trim = (hunk: Readonly<Hunk>, same: (line: number, newLine: number) => boolean): Hunk => {
  let { from, to, newFrom, newTo } = hunk;
  while (from < to && newFrom < newTo && same(from, newFrom)) {
    from += 1;
    newFrom += 1;
  }
  while (from < to && newFrom < newTo && same(to - 1, newTo - 1)) {
    to -= 1;
    newTo -= 1;
  }
  return { from, to, newFrom, newTo };
};
