// Owns how a mended body differs from the one that came, line by line, as it may be shown. Pure.
// Never compares within a line.

import type { LineChange } from '../model.ts';
import { isSameLine, lineAt, lineStarts, sourceOf, type TracedBody } from './lines.ts';
import { showLine } from './show-line.ts';

/** How many changes are given, how many lines of one, how many bytes of a line; and of all before no more is given. */
const MOST_CHANGES = 200;
const MOST_LINES = 100;
const WIDTH = 4_096;
const MOST_BYTES = 1_048_576;
/** A byte that is not UTF-8 counts for so many more: its place is told too. */
const INVALID_BYTES = 64;

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
  const counts = { changeCount: 0, linesAdded: 0, linesRemoved: 0, linesLost: 0, linesChanged: 0 };
  const changes: LineChange[] = [];
  // The very same bytes: nothing was mended but what else is asked for.
  if (mended.bytes === original) return { ...counts, changes };
  const came = { bytes: original, starts: lineStarts(original) };
  const sent = { bytes: mended.bytes, starts: lineStarts(mended.bytes) };
  const [lines, newLines] = [came.starts.length, sent.starts.length];
  const same = (line: number, newLine: number): boolean => isSameLine(came, line, sent, newLine);
  let shownBytes = 0;
  const shown = ({ bytes, starts }: typeof came, from: number, to: number) =>
    Array.from({ length: Math.min(to - from, MOST_LINES) }, (_, at) => {
      const line = lineAt(bytes, starts, from + at);
      const text = showLine(line, WIDTH);
      shownBytes += Math.min(line.length, WIDTH) + INVALID_BYTES * text.invalid.length;
      return text;
    });
  const note = (hunk: Hunk): void => {
    const { from, to, newFrom, newTo } = trim(hunk, same);
    if (to === from && newTo === newFrom) return;
    counts.changeCount += 1;
    counts.linesRemoved += to - from;
    counts.linesAdded += newTo - newFrom;
    if (changes.length === MOST_CHANGES || shownBytes > MOST_BYTES) return;
    changes.push({
      line: from,
      newLine: newFrom,
      before: shown(came, from, to),
      after: shown(sent, newFrom, newTo),
    });
  };
  let open: Hunk | undefined;
  let newLine = 1;
  for (let line = 1; line <= lines; line += 1) {
    const newFrom = newLine;
    while (newLine <= newLines && sourceOf(mended.sources, newLine) <= line) newLine += 1;
    if (line === lines) newLine = newLines + 1;
    const now = newLine - newFrom;
    if (now === 1 && same(line, newFrom)) {
      if (open) note(open);
      open = undefined;
      continue;
    }
    if (now === 0) counts.linesLost += 1;
    counts.linesChanged += 1;
    open ??= { from: line, to: line, newFrom, newTo: newFrom };
    open.to = line + 1;
    open.newTo = newLine;
  }
  if (lines === 0 && newLines > 0) open = { from: 1, to: 1, newFrom: 1, newTo: newLines + 1 };
  if (open) note(open);
  return { ...counts, changes };
};

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
