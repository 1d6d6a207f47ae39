// Owns how bytes of a body become text that may be shown: broken UTF-8 visible, long lines cut.
// Never escapes what is only invisible: who draws it does.

import { findInvalidUtf8 } from '../ingest/ndjson/find-invalid-utf8.ts';
import type { ShownLine } from '../model.ts';

/** Bytes as text, with U+FFFD for each byte that is not UTF-8 and the places of these. */
export const showBytes = (bytes: Uint8Array): Omit<ShownLine, 'cut'> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const invalid: { at: number; byte: number }[] = [];
  let text = '';
  for (let from = 0; from < bytes.length; ) {
    const broken = findInvalidUtf8(bytes, from);
    text += buffer.toString('utf8', from, broken);
    if (broken < bytes.length) {
      invalid.push({ at: text.length, byte: bytes[broken] as number });
      text += '\ufffd';
    }
    from = broken + 1;
  }
  return { text, invalid };
};

/** A line's text, cut after `width` bytes, between two characters. */
export const showLine = (line: Uint8Array, width: number): ShownLine => {
  if (line.length <= width) return { ...showBytes(line), cut: false };
  return { ...showBytes(line.subarray(0, characterStart(line, width))), cut: true };
};

/** The offset at or up to 3 bytes before `at` where a character begins, so that none is cut in two. */
export const characterStart = (bytes: Uint8Array, at: number): number => {
  for (let back = 0; back < 4 && at - back > 0; back += 1) {
    if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
  }
  return at;
};
