// Owns the lines of a body on bytes: where each begins, and putting others in the place of some.
// Never decodes, and never changes a byte of a line that is not named.

const LINE_FEED = 0x0a;

/** Offsets of the first byte of each line. A line feed at the very end begins no further line. */
export const lineStarts = (body: Uint8Array): Int32Array => {
  const buffer = viewOf(body);
  let starts = new Int32Array(1_024);
  let count = 0;
  for (let at = 0; at < body.length; ) {
    if (count === starts.length) {
      const more = new Int32Array(count * 2);
      more.set(starts);
      starts = more;
    }
    starts[count++] = at;
    const end = buffer.indexOf(LINE_FEED, at);
    at = end < 0 ? body.length : end + 1;
  }
  return starts.slice(0, count);
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

/** Puts other lines in the place of some (numbers from 1); an empty list takes the line away with its line feed. */
export const replaceLines = (
  body: TracedBody,
  changes: ReadonlyMap<number, readonly Uint8Array[]>,
): TracedBody => {
  if (changes.size === 0) return body;
  const { bytes } = body;
  const starts = lineStarts(bytes);
  const parts: Uint8Array[] = [];
  const sources: number[] = [];
  const feed = Uint8Array.of(LINE_FEED);
  let copied = 0;
  for (let line = 1; line <= starts.length; line += 1) {
    const source = sourceOf(body.sources, line);
    const texts = changes.get(line);
    if (texts === undefined) {
      sources.push(source);
      continue;
    }
    const start = starts[line - 1] as number;
    const next = starts[line] ?? bytes.length;
    const hasFeed = bytes[next - 1] === LINE_FEED;
    if (copied < start) parts.push(bytes.subarray(copied, start));
    for (let index = 0; index < texts.length; index += 1) {
      parts.push(texts[index] as Uint8Array);
      if (index < texts.length - 1 || hasFeed) parts.push(feed);
      sources.push(source);
    }
    copied = next;
  }
  parts.push(bytes.subarray(copied));
  return { bytes: joined(parts), sources: Int32Array.from(sources) };
};

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** The same bytes as a Buffer, whose searches are fast. */
const viewOf = (body: Uint8Array): Buffer =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength);
