// Owns fixes of a line's text that need no knowledge of its fields: broken bytes, half pairs, several objects. Pure.
// Never changes a line that has nothing of the kind (null).

import { findInvalidUtf8 } from '../../ingest/ndjson/find-invalid-utf8.ts';
import { scanValue, skipSpace } from '../../ingest/ndjson/scan-value.ts';
import { noTrouble } from '../../ingest/ndjson/trouble.ts';
import { ended, startOf } from './members.ts';

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** The line with U+FFFD in place of each byte that begins no UTF-8 character (RFC 3629); null where it is UTF-8. */
export const replaceInvalidUtf8 = (line: Uint8Array): Uint8Array | null => {
  const broken: number[] = [];
  for (let at = findInvalidUtf8(line, 0); at < line.length; at = findInvalidUtf8(line, at + 1)) {
    broken.push(at);
  }
  if (broken.length === 0) return null;
  const result = new Uint8Array(line.length + broken.length * (REPLACEMENT.length - 1));
  let from = 0;
  let to = 0;
  for (const at of broken) {
    result.set(line.subarray(from, at), to);
    to += at - from;
    result.set(REPLACEMENT, to);
    to += REPLACEMENT.length;
    from = at + 1;
  }
  result.set(line.subarray(from), to);
  return result;
};

/** The line with \\ufffd in place of each escape that is half a surrogate pair; null where every pair is whole. */
export const replaceLoneSurrogates = (line: Uint8Array): Uint8Array | null => {
  let result: Uint8Array | null = null;
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] !== BACKSLASH) continue;
    const unit = unitAt(line, i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const low = unitAt(line, i + 6);
      if (low >= 0xdc00 && low <= 0xdfff) {
        i += 11;
        continue;
      }
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
      // The escape of U+FFFD is as long.
      result ??= line.slice();
      result.set(Buffer.from('\\ufffd'), i);
      i += 5;
    } else {
      // What the backslash escapes is no backslash of its own.
      i += 1;
    }
  }
  return result;
};

/** The unit that an escape of four hexadecimal digits at `at` stands for; -1 where none stands. */
const unitAt = (line: Uint8Array, at: number): number => {
  if (line[at] !== BACKSLASH || line[at + 1] !== LOWER_U) return -1;
  const digits = String.fromCharCode(...line.subarray(at + 2, at + 6));
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
};

/**
 * Each object of a line on its own: objects in a row, with commas between or not, or an array of them. Null where the
 * line is one object, or anything else stands in it.
 */
export const splitObjects = (line: Uint8Array): Uint8Array[] | null => {
  const first = line[startOf(line)];
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return null;
  const bytes = ended(line);
  const trouble = noTrouble();
  const open = new Uint8Array(bytes.length);
  let i = startOf(bytes);
  const isArray = bytes[i] === OPEN_BRACKET;
  if (isArray) i = skipSpace(bytes, i + 1);
  const objects: Uint8Array[] = [];
  while (bytes[i] === OPEN_BRACE) {
    const end = scanValue(bytes, i, open, trouble);
    if (end < 0) return null;
    objects.push(bytes.slice(i, end));
    i = skipSpace(bytes, end);
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1);
    else if (isArray) break;
  }
  if (isArray) {
    if (bytes[i] !== CLOSE_BRACKET) return null;
    i = skipSpace(bytes, i + 1);
  }
  const isMany = objects.length > (isArray ? 0 : 1);
  return isMany && bytes[i] === LINE_FEED ? objects : null;
};
