// Owns a piece of a body as it may be shown: lines, or bytes from an offset. Pure.
// Never gives a piece of more than a bounded size.

import { isUtf8 } from 'node:buffer';
import type { BodyPage } from '../model.ts';
import { type LinedBody, lineAt, lineStarts } from './lines.ts';
import { characterStart, showBytes, showLine } from './show-line.ts';

/** A piece has no further line once its lines have this many bytes; the next piece goes on there. */
const PIECE_BYTES = 1_048_576;
/** A byte that is not UTF-8 counts for so many more: its place is told too. */
const INVALID_BYTES = 64;

/** Which piece of a body. */
export type BodyRange =
  | {
      readonly as: 'lines';
      readonly line: number;
      readonly count: number;
      readonly width: number;
    }
  | { readonly as: 'text' | 'base64'; readonly offset: number; readonly bytes: number };

/** What every piece of a body rests on: found once for all of them. */
export interface PagedBody extends LinedBody {
  readonly utf8: boolean;
}

/** A body that pieces are taken from. */
export const pagedBody = (bytes: Uint8Array): PagedBody => ({
  ...{ bytes, starts: lineStarts(bytes), utf8: isUtf8(bytes) },
});

/** A piece of a body, as it may be shown. */
export const pageOf = ({ bytes: body, starts, utf8 }: PagedBody, range: BodyRange): BodyPage => ({
  ...{ bodyBytes: body.length, lines: starts.length, utf8 },
  piece: range.as === 'lines' ? linesOf(body, starts, range) : bytesOf(body, range),
});

const linesOf = (
  body: Uint8Array,
  starts: Int32Array,
  { line: first, count, width }: Extract<BodyRange, { as: 'lines' }>,
): BodyPage['piece'] => {
  const lines: Extract<BodyPage['piece'], { as: 'lines' }>['lines'][number][] = [];
  const end = Math.min(starts.length, first + count - 1);
  for (let line = first, left = PIECE_BYTES; line <= end && left > 0; line += 1) {
    const bytes = lineAt(body, starts, line);
    const offset = starts[line - 1] as number;
    const shown = showLine(bytes, width);
    lines.push({ line, offset, bytes: bytes.length, ...shown });
    left -= Math.min(bytes.length, width) + INVALID_BYTES * shown.invalid.length;
  }
  return { as: 'lines', lines };
};

const bytesOf = (
  body: Uint8Array,
  { as, offset, bytes }: Exclude<BodyRange, { as: 'lines' }>,
): BodyPage['piece'] => {
  const from = Math.min(offset, body.length);
  const to = Math.min(from + bytes, body.length);
  if (as === 'base64') {
    const base64 = Buffer.from(body.subarray(from, to)).toString('base64');
    return { as, offset: from, bytes: to - from, base64 };
  }
  // Two pieces side by side have each character once.
  const start = from < body.length ? characterStart(body, from) : from;
  const end = to < body.length ? characterStart(body, to) : to;
  const { text, invalid, shownBytes } = showBytes(body.subarray(start, end));
  return { as, offset: start, bytes: shownBytes, text, invalid };
};
