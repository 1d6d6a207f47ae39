// Owns how bytes of a body become text that may be shown: broken UTF-8 visible, long lines cut.
// Never escapes what is only invisible: who draws it does.

import { findInvalidUtf8 } from '../ingest/ndjson/find-invalid-utf8.ts';
import type { ShownLine } from '../model.ts';

/** A text ends after so many bytes that are not UTF-8: each is told by its place, which is many times its size. */
export const MOST_INVALID = 8_192;

/** Bytes as text, with U+FFFD for each byte that is not UTF-8 and the places of these; `shownBytes` are in it. */
export const showBytes = (bytes: Uint8Array): Omit<ShownLine, 'cut'> & { shownBytes: number } => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const invalid: { at: number; byte: number }[] = [];
  let text = '';
  for (let from = 0; from < bytes.length; ) {
    if (invalid.length === MOST_INVALID) return { text, invalid, shownBytes: from };
    const broken = findInvalidUtf8(bytes, from);
    text += buffer.toString('utf8', from, broken);
    if (broken < bytes.length) {
      invalid.push({ at: text.length, byte: bytes[broken] as number });
      text += '\ufffd';
    }
    from = broken + 1;
  }
  return { text, invalid, shownBytes: bytes.length };
};

/** A line's text, cut after `width` bytes, between two characters. */
export const showLine = (line: Uint8Array, width: number): ShownLine => {
  const isLong = line.length > width;
  const shown = isLong ? line.subarray(0, characterStart(line, width)) : line;
  const { text, invalid, shownBytes } = showBytes(shown);
  return { text, invalid, cut: isLong || shownBytes < shown.length };
};

/** The offset at or up to 3 bytes before `at` where a character begins, so that none is cut in two. */
export const characterStart = (bytes: Uint8Array, at: number): number => {
  for (let back = 0; back < 4 && at - back > 0; back += 1) {
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
  }
  return at;
};
