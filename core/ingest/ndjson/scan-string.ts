// Owns JSON strings on bytes (RFC 8259 section 7): where one ends, and its escapes as UTF-8.
// Never makes a JavaScript string, and never reads past a line feed.

import { fail, type Trouble } from './trouble.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** The byte an escape of one letter stands for; 0 where the letter is no escape. */
const SINGLE_ESCAPES = new Uint8Array(256);
for (const [letter, meaning] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  SINGLE_ESCAPES[(letter as string).charCodeAt(0)] = (meaning as string).charCodeAt(0);
}

/** The worth of a hexadecimal digit; 255 for any other byte. */
const HEX = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit;
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/**
 * Offset of the first quotation mark, backslash or control character at or after `at`.
 * A line feed must follow somewhere; it is a control character, so the scan ends there at the latest.
 */
export function endOfPlainRun(bytes: Uint8Array, at: number): number {
  let i = at;
  let c = bytes[i] as number;
  while (c !== QUOTE && c !== BACKSLASH && c >= 0x20) c = bytes[++i] as number;
  return i;
}

/** Offset of the first of the four digits at `at` that is not hexadecimal; `at + 4` when all are. */
function endOfHex(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < at + 4 && HEX[bytes[i] as number] !== 255) i++;
  return i;
}

/** The number four hexadecimal digits stand for; more than 0xFFFF when they are not four digits. */
function hexValue(bytes: Uint8Array, at: number): number {
  if (endOfHex(bytes, at) !== at + 4) return 0x10000;
  let value = 0;
  for (let i = at; i < at + 4; i++) value = value * 16 + (HEX[bytes[i] as number] as number);
  return value;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The low half when an escape of one stands at `at`, else 0. */
function lowHalf(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return 0;
  const unit = hexValue(bytes, at + 2);
  return isLow(unit) ? unit : 0;
}

/**
 * Scans a string from `at`, a byte after its opening quotation mark, and returns the offset of its
 * closing one, or -1 with the trouble noted. With `storable`, half a surrogate pair is trouble too
 * (`lone_surrogate`, at its backslash): it has no UTF-8 (RFC 8259 section 8.2, RFC 3629 section 3).
 */
export function scanString(
  bytes: Uint8Array,
  at: number,
  storable: boolean,
  trouble: Trouble,
): number {
  let i = at;
  for (;;) {
    i = endOfPlainRun(bytes, i);
    if (bytes[i] === QUOTE) return i;
    if (bytes[i] !== BACKSLASH) return fail(trouble, 'string_rest', i);
    const letter = bytes[i + 1] as number;
    if (letter !== LOWER_U) {
      if (SINGLE_ESCAPES[letter] === 0) return fail(trouble, 'escape', i + 1);
      i += 2;
      continue;
    }
    const end = endOfHex(bytes, i + 2);
    if (end !== i + 6) return fail(trouble, 'hex_digit', end);
    if (storable) {
      const unit = hexValue(bytes, i + 2);
      if (isLow(unit)) return fail(trouble, 'lone_surrogate', i);
      if (isHigh(unit)) {
        if (lowHalf(bytes, end) === 0) return fail(trouble, 'lone_surrogate', i);
        i += 6;
      }
    }
    i += 6;
  }
}

/** Writes one code point as UTF-8 (RFC 3629 section 3) and returns the offset after it. */
function writeCodePoint(into: Uint8Array, at: number, point: number): number {
  let i = at;
  if (point < 0x80) {
    into[i++] = point;
    return i;
  }
  if (point < 0x800) {
    into[i++] = 0xc0 | (point >> 6);
  } else {
    if (point < 0x10000) {
      into[i++] = 0xe0 | (point >> 12);
    } else {
      into[i++] = 0xf0 | (point >> 18);
      into[i++] = 0x80 | ((point >> 12) & 0x3f);
    }
    into[i++] = 0x80 | ((point >> 6) & 0x3f);
  }
  into[i++] = 0x80 | (point & 0x3f);
  return i;
}

/**
 * Writes the text of the string between two offsets to `into` from `at` and returns the offset after
 * it. The string must have passed scanString as storable. The text is never longer than its source.
 */
export function decodeString(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
): number {
  let to = at;
  let i = start;
  while (i < end) {
    const c = bytes[i] as number;
    if (c !== BACKSLASH) {
      into[to++] = c;
      i++;
      continue;
    }
    const letter = bytes[i + 1] as number;
    if (letter !== LOWER_U) {
      into[to++] = SINGLE_ESCAPES[letter] as number;
      i += 2;
      continue;
    }
    let point = hexValue(bytes, i + 2);
    i += 6;
    if (isHigh(point)) {
      point = 0x10000 + ((point - 0xd800) << 10) + (lowHalf(bytes, i) - 0xdc00);
      i += 6;
    }
    to = writeCodePoint(into, to, point);
  }
  return to;
}
