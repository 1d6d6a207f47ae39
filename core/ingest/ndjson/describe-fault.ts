// Owns the words: a scan's trouble becomes a fault with its code, its place and one exact sentence.
// Never decides what is a fault.

import { grouped } from '../../counted.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Fault } from '../../model.ts';
import { MAX_NAME_BYTES } from './columns.ts';
import { decodeString, scanString } from './scan-string.ts';
import { showCharacter, showText } from './show-text.ts';
import { type Expectation, noTrouble, type Refusal, type Trouble } from './trouble.ts';

/** The limits that a sentence may have to name. */
export interface Limits {
  readonly maxDepth: number;
  readonly maxColumns: number;
}

const WANTED: Readonly<Record<Expectation, string>> = {
  record: 'a record, one JSON object, is expected',
  value: 'a value is expected',
  name: 'a field name in quotation marks is expected',
  name_or_brace: 'a field name in quotation marks or } is expected',
  colon: 'a colon is expected',
  comma_or_brace: 'a comma or } is expected',
  comma_or_bracket: 'a comma or ] is expected',
  string_rest: 'the rest of a string is expected',
  escape: 'an escape is expected, one of " \\ / b f n r t u',
  hex_digit: 'a hexadecimal digit is expected, four after \\u',
  digit: 'a digit is expected',
  true_rest: 'the rest of the word true is expected',
  false_rest: 'the rest of the word false is expected',
  null_rest: 'the rest of the word null is expected',
  line_end: 'the line should end',
};

const REFUSED: Readonly<Record<Refusal, ErrorCode>> = {
  not_object: 'not_object',
  lone_surrogate: 'invalid_unicode',
  too_deep: 'too_deep',
  empty_name: 'invalid_column_name',
  nul_name: 'invalid_column_name',
  long_name: 'invalid_column_name',
  unknown_name: 'unknown_column',
  one_too_many: 'too_many_columns',
  duplicate_name: 'duplicate_key',
  case_conflict: 'column_case_conflict',
  broken_utf8: 'invalid_utf8',
};

const isExpectation = (kind: Trouble['kind']): kind is Expectation => kind in WANTED;

/** The name whose opening quotation mark is at `at`. */
function nameAt(bytes: Uint8Array, at: number): string {
  const end = scanString(bytes, at + 1, true, noTrouble());
  const decoded = Buffer.alloc(end - at - 1);
  return decoded.toString('utf8', 0, decodeString(bytes, at + 1, end, decoded, 0));
}

/** The character whose first byte is at `at`; of broken UTF-8 never asked. */
function characterAt(bytes: Uint8Array, at: number): string {
  const text = Buffer.from(bytes.subarray(at, at + 4)).toString('utf8');
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function sayExpectation(bytes: Uint8Array, kind: Expectation, at: number): string {
  if (bytes[at] === 0x0a) {
    return kind === 'string_rest'
      ? 'the line ends inside a string'
      : `the line ends where ${WANTED[kind]}`;
  }
  const found = showCharacter(characterAt(bytes, at));
  if (kind === 'string_rest') return `${found} stands in a string without an escape`;
  return `${found} stands where ${WANTED[kind]}`;
}

/** What kind of JSON value, other than an object, begins with this byte. */
function sayValueKind(first: number | undefined): string {
  if (first === 0x5b) return 'an array';
  if (first === 0x22) return 'a string';
  if (first === 0x74 || first === 0x66) return 'a boolean';
  return first === 0x6e ? 'null' : 'a number';
}

function sayBrokenByte(bytes: Uint8Array, at: number): string {
  const hex = (bytes[at] as number).toString(16).toUpperCase();
  const mark = at === 0 ? `${bytes[0]} ${bytes[1]}` : '';
  const utf16 = mark === '255 254' || mark === '254 255';
  return `the byte 0x${hex} is not valid UTF-8 here${utf16 ? '; the body begins as UTF-16 does' : ''}`;
}

function sayRefusal(bytes: Uint8Array, trouble: Trouble, kind: Refusal, limits: Limits): string {
  const { at } = trouble;
  switch (kind) {
    case 'not_object':
      return `the line is ${sayValueKind(bytes[at])}, not an object`;
    case 'lone_surrogate':
      return `the escape ${Buffer.from(bytes.subarray(at, at + 6)).toString('latin1')} is half of a surrogate pair`;
    case 'too_deep':
      return `the value is nested deeper than ${grouped(limits.maxDepth)} levels`;
    case 'broken_utf8':
      return sayBrokenByte(bytes, at);
    case 'empty_name':
      return 'the field has an empty name';
  }
  const name = nameAt(bytes, at);
  const shown = showText(name, kind === 'case_conflict' ? 24 : 48);
  switch (kind) {
    case 'nul_name':
      return `the field name ${shown} has a NUL character`;
    case 'long_name':
      return `the field name ${shown} is ${grouped(Buffer.byteLength(name))} bytes long, and ${MAX_NAME_BYTES} is the limit`;
    case 'unknown_name':
      return `the field ${shown} is not a registered column`;
    case 'one_too_many':
      return `the field ${shown} is one column more than the ${grouped(limits.maxColumns)} a batch may have`;
    case 'duplicate_name':
      return `the field ${shown} stands twice in this record`;
    case 'case_conflict':
      return `the fields ${showText(nameAt(bytes, trouble.other), 24)} and ${shown} differ only in case`;
  }
}

/** Number of the character at `at`, from 1, counting code points from `from`. */
function columnOf(bytes: Uint8Array, from: number, at: number): number {
  let column = 1;
  for (let i = from; i < at; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) column++;
  return column;
}

/**
 * The fault that a scan's trouble is. `lineStart` is the offset of the line's first byte; the column
 * counts Unicode code points from there.
 */
export function describeFault(
  bytes: Uint8Array,
  trouble: Trouble,
  line: number,
  lineStart: number,
  limits: Limits,
): Fault {
  const { kind, at } = trouble;
  const column = columnOf(bytes, lineStart, at);
  const what = isExpectation(kind)
    ? sayExpectation(bytes, kind, at)
    : sayRefusal(bytes, trouble, kind, limits);
  return {
    code: isExpectation(kind) ? 'not_json' : REFUSED[kind],
    message: `Line ${line}, column ${column}: ${what}.`,
    line,
    column,
  };
}

/** What the grammar wanted at a `not_json` fault, told from its message, and whether the line ended there. */
export function expectationOf(message: string): { kind: Expectation; atLineEnd: boolean } | null {
  if (message.endsWith('the line ends inside a string.')) {
    return { kind: 'string_rest', atLineEnd: true };
  }
  if (message.endsWith('stands in a string without an escape.')) {
    return { kind: 'string_rest', atLineEnd: false };
  }
  const found = Object.entries(WANTED).find(([, wanted]) => message.endsWith(`${wanted}.`));
  return found
    ? { kind: found[0] as Expectation, atLineEnd: message.includes(': the line ends where ') }
    : null;
}
