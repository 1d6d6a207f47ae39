// Owns how a text of a body is cut into what is shown: plain text, names of fields, marks for what cannot be seen,
// the place of a fault. Never changes the text: the segments in order are the text.

import { piecesOf } from '../ui/invisible.ts';

/** A stretch of a text that is shown alike. */
export interface Segment {
  readonly text: string;
  /** What stands for it; null where the text is seen as it is. */
  readonly mark: string | null;
  readonly isName: boolean;
  /** Whether it is solid: the place of a fault, or what a fix changed. */
  readonly isSolid: boolean;
}

/** A stretch of a text, in UTF-16 units; `to` is exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Wanted {
  /** Bytes that are not UTF-8 and where U+FFFD stands for them. */
  readonly invalid?: readonly { readonly at: number; readonly byte: number }[];
  readonly solid?: readonly Stretch[];
  /** Whether the text is a whole line, so that spaces at its ends are marked. */
  readonly isWhole?: boolean;
  /** Whether it begins as its line does. */
  readonly isStart?: boolean;
}

/** What stands for a space at an end. */
const SPACE = '·';

const NAME = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

/** Cuts a text. A mark stands for one character each. */
export const segmentsOf = (text: string, wanted: Wanted = {}): Segment[] => {
  const { invalid = [], solid = [], isWhole = true, isStart = true } = wanted;
  const names = [...text.matchAll(NAME)].map(({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
  }));
  const bytes = new Map(invalid.map(({ at, byte }) => [at, byte]));
  const cuts = new Set<number>();
  for (const { from, to } of [...names, ...solid]) cuts.add(from).add(to);
  for (const at of bytes.keys()) cuts.add(at).add(at + 1);
  const sorted = [...cuts].sort((one, other) => one - other);
  const inNames = walker(names);
  const inSolid = walker(solid);
  const segments: Segment[] = [];
  let at = 0;
  let next = 0;
  for (const piece of piecesOf(text, isWhole)) {
    const end = at + piece.text.length;
    while (at < end) {
      while (next < sorted.length && (sorted[next] as number) <= at) next += 1;
      const to = piece.mark === null ? Math.min(end, sorted[next] ?? end) : end;
      const byte = bytes.get(at);
      const seen = piece.mark === SPACE && !isStart && !isWhole ? null : piece.mark;
      const mark = byte === undefined ? seen : `\\x${hex(byte)}`;
      segments.push({
        text: text.slice(at, to),
        mark,
        isName: inNames(at),
        isSolid: inSolid(at),
      });
      at = to;
    }
  }
  return segments;
};

/** Whether places, asked in order, are in one of the stretches, which are in order. */
const walker = (stretches: readonly Stretch[]): ((at: number) => boolean) => {
  const ordered = [...stretches].sort((one, other) => one.from - other.from);
  let next = 0;
  return (at) => {
    while (next < ordered.length && (ordered[next] as Stretch).to <= at) next += 1;
    const found = ordered[next];
    return found !== undefined && found.from <= at;
  };
};

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** The stretch of the character at a column (in code points, from 1); an empty one after the last. */
export const stretchAt = (text: string, column: number): Stretch => {
  let at = 0;
  let left = column - 1;
  for (const char of text) {
    if (left <= 0) return { from: at, to: at + char.length };
    at += char.length;
    left -= 1;
  }
  return { from: text.length, to: text.length };
};

/** How many bytes a text is, where U+FFFD at an invalid place is the one byte it stands for. */
export const bytesOf = (text: string, invalid: readonly { readonly at: number }[] = []): number => {
  let bytes = 0 - 2 * invalid.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a pair is counted as two: four in all.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
};
