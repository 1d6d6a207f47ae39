// Owns the lines of a body on bytes: where each begins, and putting others in the place of some.
// Never decodes, and never changes a byte of a line that is not named.

import { ByteList, IntList } from './lists.ts';

const LINE_FEED = 0x0a;

/** A line is looked through byte by byte so far, then searched: a call a line costs more than a short line. */
const SHORT_LINE = 64;

/** Offsets of the first byte of each line. A line feed at the very end begins no further line. */
export const lineStarts = (body: Uint8Array): Int32Array => {
  const buffer = viewOf(body);
  const starts = new IntList(1_024);
  for (let at = 0; at < body.length; ) {
    starts.push(at);
    const near = Math.min(at + SHORT_LINE, body.length);
    while (at < near && body[at] !== LINE_FEED) at += 1;
    if (at === near && at < body.length) {
      const end = buffer.indexOf(LINE_FEED, at);
      at = end < 0 ? body.length : end;
    }
    at += 1;
  }
  return starts.taken();
};

/** A line's bytes without its line feed; `line` from 1. */
export const lineAt = (body: Uint8Array, starts: Int32Array, line: number): Uint8Array => {
  const start = starts[line - 1] as number;
  const next = starts[line] ?? body.length;
  const end = next > start && body[next - 1] === LINE_FEED ? next - 1 : next;
  return body.subarray(start, end);
};

/** A body on its way from what came to what is sent, and the line that came for each of its lines; null: line for line. */
export interface TracedBody {
  readonly bytes: Uint8Array;
  readonly sources: Int32Array | null;
}

/** The line that came of a line of the body. */
export const sourceOf = (sources: Int32Array | null, line: number): number =>
  sources === null ? line : (sources[line - 1] as number);

/**
 * Puts other lines in the place of those that `change` gives some for; it is asked for each line once, in order (from
 * 1). An empty list takes the line away with its line feed; null leaves it. The same body where none is changed.
 */
export const replaceLines = (
  body: TracedBody,
  change: (line: number) => readonly Uint8Array[] | null,
): TracedBody => {
  const { bytes } = body;
  const starts = lineStarts(bytes);
  const result = new ByteList(bytes.length);
  const sources = new IntList(starts.length);
  let copied = 0;
  let isChanged = false;
  for (let line = 1; line <= starts.length; line += 1) {
    const source = sourceOf(body.sources, line);
    const texts = change(line);
    if (texts === null) {
      sources.push(source);
      continue;
    }
    isChanged = true;
    const start = starts[line - 1] as number;
    const next = starts[line] ?? bytes.length;
    const hasFeed = bytes[next - 1] === LINE_FEED;
    result.add(bytes, copied, start);
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as Uint8Array;
      result.add(text, 0, text.length);
      if (index < texts.length - 1 || hasFeed) result.add(FEED, 0, 1);
      sources.push(source);
    }
    copied = next;
  }
  if (!isChanged) return body;
  result.add(bytes, copied, bytes.length);
  return { bytes: result.taken(), sources: sources.taken() };
};

const FEED = Uint8Array.of(LINE_FEED);

/** The same bytes as a Buffer, whose searches are fast. */
const viewOf = (body: Uint8Array): Buffer =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** Whether a line of one body and a line of another have the same bytes; without making views of either. */
export const isSameLine = (
  one: LinedBody,
  line: number,
  other: LinedBody,
  otherLine: number,
): boolean => {
  const from = one.starts[line - 1] as number;
  const length = endOf(one, line) - from;
  const otherFrom = other.starts[otherLine - 1] as number;
  if (endOf(other, otherLine) - otherFrom !== length) return false;
  if (length > SHORT_LINE) {
    const [there, here] = [viewOf(other.bytes), viewOf(one.bytes)];
    return here.compare(there, otherFrom, otherFrom + length, from, from + length) === 0;
  }
  for (let at = 0; at < length; at += 1) {
    if (one.bytes[from + at] !== other.bytes[otherFrom + at]) return false;
  }
  return true;
};

/** A body and where its lines begin. */
export interface LinedBody {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
}

/** After the last byte of a line, its line feed left out. */
const endOf = ({ bytes, starts }: LinedBody, line: number): number => {
  const start = starts[line - 1] as number;
  const next = starts[line] ?? bytes.length;
  return next > start && bytes[next - 1] === LINE_FEED ? next - 1 : next;
};
