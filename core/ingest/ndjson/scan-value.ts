// Owns the grammar of JSON values other than a record itself (RFC 8259 sections 2 to 6), on bytes.
// Never keeps a value: it says where one ends. Never recurses, and never reads past a line feed.

import { scanString } from './scan-string.ts';
import { type Expectation, fail, type Trouble } from './trouble.ts';

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Offset of the first byte at or after `at` that is not a space, tab or carriage return. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  let c = bytes[i];
  while (c === SPACE || c === TAB || c === CARRIAGE_RETURN) c = bytes[++i];
  return i;
}

/** Offset after the digits at `at`, of which there must be one at least. */
function scanDigits(bytes: Uint8Array, at: number, trouble: Trouble): number {
  let i = at;
  let c = bytes[i] as number;
  if (c < ZERO || c > NINE) return fail(trouble, 'digit', i);
  while (c >= ZERO && c <= NINE) c = bytes[++i] as number;
  return i;
}

/** Offset after the number at `at` (RFC 8259 section 6), or -1 with the trouble noted. */
function scanNumber(bytes: Uint8Array, at: number, trouble: Trouble): number {
  let i = bytes[at] === MINUS ? at + 1 : at;
  // A zero ends the whole part: a digit after it is not part of the number, and no value may end so.
  i = bytes[i] === ZERO ? i + 1 : scanDigits(bytes, i, trouble);
  if (i >= 0 && bytes[i] === DOT) i = scanDigits(bytes, i + 1, trouble);
  if (i >= 0 && ((bytes[i] as number) | 0x20) === 0x65) {
    i++;
    if (bytes[i] === PLUS || bytes[i] === MINUS) i++;
    i = scanDigits(bytes, i, trouble);
  }
  return i;
}

/** Offset after the word at `at`, whose first letter is known to be there. */
function scanWord(
  bytes: Uint8Array,
  at: number,
  word: string,
  kind: Expectation,
  trouble: Trouble,
): number {
  for (let k = 1; k < word.length; k++) {
    if (bytes[at + k] !== word.charCodeAt(k)) return fail(trouble, kind, at + k);
  }
  return at + word.length;
}

/** Offset after the string, number or word at `at`, or -1 with the trouble noted. */
function scanScalar(bytes: Uint8Array, at: number, trouble: Trouble): number {
  const c = bytes[at] as number;
  if (c === QUOTE) {
    const end = scanString(bytes, at + 1, false, trouble);
    return end < 0 ? end : end + 1;
  }
  if (c === MINUS || (c >= ZERO && c <= NINE)) return scanNumber(bytes, at, trouble);
  if (c === 0x74) return scanWord(bytes, at, 'true', 'true_rest', trouble);
  if (c === 0x66) return scanWord(bytes, at, 'false', 'false_rest', trouble);
  if (c === 0x6e) return scanWord(bytes, at, 'null', 'null_rest', trouble);
  return fail(trouble, 'value', at);
}

/** Offset of the value of the member of a nested object whose name must stand at `at`. */
function scanName(bytes: Uint8Array, at: number, kind: Expectation, trouble: Trouble): number {
  if (bytes[at] !== QUOTE) return fail(trouble, kind, at);
  const end = scanString(bytes, at + 1, false, trouble);
  if (end < 0) return end;
  const colon = skipSpace(bytes, end + 1);
  if (bytes[colon] !== COLON) return fail(trouble, 'colon', colon);
  return skipSpace(bytes, colon + 1);
}

/** Offset after the object or array at `at`, whose open brackets are kept on `open`. */
function scanNested(bytes: Uint8Array, at: number, open: Uint8Array, trouble: Trouble): number {
  let depth = 0;
  let i = at;
  for (;;) {
    const c = bytes[i];
    if (c === OPEN_BRACKET || c === OPEN_BRACE) {
      if (depth === open.length) return fail(trouble, 'too_deep', i);
      open[depth++] = c;
      i = skipSpace(bytes, i + 1);
      // The closing bracket is two above the opening one in ASCII, for both kinds.
      if (bytes[i] !== c + 2) {
        if (c === OPEN_BRACE) i = scanName(bytes, i, 'name_or_brace', trouble);
        if (i < 0) return i;
        continue;
      }
    } else {
      i = scanScalar(bytes, i, trouble);
      if (i < 0) return i;
      i = skipSpace(bytes, i);
    }
    // Here a value is complete, or a bracket closes an empty one: close all that end here.
    let inner = open[depth - 1] as number;
    while (bytes[i] === inner + 2) {
      i++;
      if (--depth === 0) return i;
      i = skipSpace(bytes, i);
      inner = open[depth - 1] as number;
    }
    if (bytes[i] !== COMMA) {
      return fail(trouble, inner === OPEN_BRACE ? 'comma_or_brace' : 'comma_or_bracket', i);
    }
    i = skipSpace(bytes, i + 1);
    if (inner === OPEN_BRACE) i = scanName(bytes, i, 'name', trouble);
    if (i < 0) return i;
  }
}

/**
 * Offset after the value at `at`, or -1 with the trouble noted. `open` is scratch: its length is how
 * many levels of objects and arrays may stand in each other (`too_deep` at the bracket beyond).
 */
export function scanValue(
  bytes: Uint8Array,
  at: number,
  open: Uint8Array,
  trouble: Trouble,
): number {
  const c = bytes[at];
  if (c === OPEN_BRACKET || c === OPEN_BRACE) return scanNested(bytes, at, open, trouble);
  return scanScalar(bytes, at, trouble);
}
