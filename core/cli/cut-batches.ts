// Owns cutting a stream of bytes into bodies between lines. Never changes a byte, and never parses.

/** A body, and which line of the input its first one is. */
export interface Cut {
  readonly bytes: Uint8Array;
  readonly firstLine: number;
}

const LINE_FEED = 0x0a;

/**
 * Cuts the input into bodies of whole lines, each of at most `maxBytes`; a single line that is longer becomes a body
 * of its own, which landing then refuses by its size. Their bytes, joined, are the input.
 */
export async function* cutBatches(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Cut> {
  let held = new Uint8Array(0);
  let firstLine = 1;
  for await (const chunk of input) {
    held = join(held, chunk);
    while (held.length > maxBytes) {
      const end = endOfBody(held, maxBytes);
      if (end === 0) break;
      const bytes = held.slice(0, end);
      yield { bytes, firstLine };
      firstLine += countLines(bytes);
      held = held.slice(end);
    }
  }
  if (held.length > 0) yield { bytes: held, firstLine };
}

/** Where the body ends: after the last line that fits, else after the first line; 0 when that is not in yet. */
const endOfBody = (held: Uint8Array, maxBytes: number): number => {
  const fits = held.lastIndexOf(LINE_FEED, maxBytes - 1);
  return (fits >= 0 ? fits : held.indexOf(LINE_FEED)) + 1;
};

const countLines = (bytes: Uint8Array): number => {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines += 1;
  return lines;
};

const join = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
};
