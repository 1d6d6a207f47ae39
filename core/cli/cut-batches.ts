// Owns cutting a stream of bytes into bodies between lines. Never changes a byte, and never parses.

import { AppError } from '../errors.ts';

/** A body, and which line of the input its first one is. */
export interface Cut {
  readonly bytes: Uint8Array;
  readonly firstLine: number;
}

const LINE_FEED = 0x0a;

/**
 * Cuts the input into bodies of whole lines, each of at most `maxBytes`. Their bytes, joined, are the input.
 * Throws `body_too_large` at a single line that is longer, as soon as that shows; `name` is the input's, for people.
 */
export async function* cutBatches(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Cut> {
  let held = new Uint8Array(0);
  let firstLine = 1;
  for await (const chunk of input) {
    held = join(held, chunk);
    while (held.length > maxBytes) {
      const end = held.lastIndexOf(LINE_FEED, maxBytes - 1) + 1;
      if (end === 0) throw tooLong(name, firstLine, maxBytes);
      const bytes = held.slice(0, end);
      // Before the yield: whoever lands the bytes hands their buffer to a thread.
      const lines = countLines(bytes);
      yield { bytes, firstLine };
      firstLine += lines;
      held = held.slice(end);
    }
  }
  if (held.length > 0) yield { bytes: held, firstLine };
}

const tooLong = (name: string, line: number, maxBytes: number): AppError =>
  new AppError('body_too_large', `${name}: line ${line} is over ${maxBytes} bytes.`, {
    hint: 'Lines before it have landed; max_body_bytes in knowledgebase.json is the setting.',
    details: { line, max_body_bytes: maxBytes },
  });

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
