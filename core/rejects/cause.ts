// Owns what a reject is grouped by: the code, field and shape of its first fault, and that in words.
// Never words a fault itself, and never reads a disk.

import { CATALOGUE } from '../errors.ts';
import { fold } from '../ids.ts';
import { expectationOf } from '../ingest/ndjson/describe-fault.ts';
import { skipSpace } from '../ingest/ndjson/scan-value.ts';
import { showText } from '../ingest/ndjson/show-text.ts';
import type { Expectation } from '../ingest/ndjson/trouble.ts';
import type { Cause, Fault, FaultShape } from '../model.ts';
import { membersOf } from './fixes/members.ts';
import { lineAt, lineStarts } from './lines.ts';

/** A field's name is kept this long in a cause; what is longer cannot be a column. */
const FIELD_CHARACTERS = 255;

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;

const SHAPES: Readonly<Record<Expectation, FaultShape>> = {
  record: 'no_record',
  value: 'value',
  true_rest: 'value',
  false_rest: 'value',
  null_rest: 'value',
  name: 'name',
  name_or_brace: 'name',
  colon: 'punctuation',
  comma_or_brace: 'punctuation',
  comma_or_bracket: 'punctuation',
  string_rest: 'string',
  escape: 'string',
  hex_digit: 'string',
  digit: 'number',
  line_end: 'trailing',
};

/** The cause of a fault, from the body that has it. */
export const causeOf = (body: Uint8Array, fault: Fault): Cause => {
  const { code, line, column } = fault;
  if (line === null) return { code, field: null, shape: 'body' };
  const starts = lineStarts(body);
  if (line > starts.length || column === null) return { code, field: null, shape: 'other' };
  const text = lineAt(body, starts, line);
  const at = offsetOf(text, column);
  if (code !== 'not_json') {
    return { code, field: ABOUT_FIELD[code] ? fieldAt(text, at) : null, shape: 'other' };
  }
  const isLast = line === starts.length || isBlank(body, starts[line] as number);
  return { code, field: null, shape: shapeOf(fault.message, text, at, isLast) };
};

const shapeOf = (message: string, line: Uint8Array, at: number, isLast: boolean): FaultShape => {
  const expectation = expectationOf(message);
  if (expectation === null) return 'other';
  if (expectation.atLineEnd) return isLast ? 'cut_short' : 'ends_early';
  if (expectation.kind === 'line_end') {
    const next = line[at] === COMMA ? skipSpace(line, at + 1) : at;
    if (line[next] === OPEN_BRACE) return 'two_objects';
  }
  return SHAPES[expectation.kind];
};

const fieldAt = (line: Uint8Array, at: number): string | null => {
  const name = nameAt(line, at);
  return name === null ? null : fold(name).slice(0, FIELD_CHARACTERS);
};

/** The name of the member that a byte of a record lies in. */
const nameAt = (line: Uint8Array, at: number): string | null =>
  membersOf(line)?.find(({ start, end }) => start <= at && at < end)?.name ?? null;

/** The field that a fault is about, as it is spelled; null where it is about none. */
export const fieldOf = (body: Uint8Array, { line, column }: Fault): string | null => {
  const starts = lineStarts(body);
  if (line === null || column === null || line > starts.length) return null;
  const text = lineAt(body, starts, line);
  return nameAt(text, offsetOf(text, column));
};

/** Offset of a column (characters from 1) of a line; faults count bytes that begin a character, so broken ones count too. */
const offsetOf = (line: Uint8Array, column: number): number => {
  let left = column - 1;
  let at = 0;
  while (at < line.length && left > 0) {
    if (((line[at] as number) & 0xc0) !== 0x80) left -= 1;
    at += 1;
  }
  while (at < line.length && ((line[at] as number) & 0xc0) === 0x80) at += 1;
  return at;
};

const isBlank = (body: Uint8Array, from: number): boolean =>
  body.subarray(from).every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

const TITLES: Partial<Record<FaultShape, string>> = {
  two_objects: 'Two objects on one line',
  cut_short: 'Last line cut short',
  ends_early: 'A line ends inside its record',
  trailing: 'Something follows the record',
  no_record: 'A line is no record',
  name: 'A field name is missing or not quoted',
  value: 'A value is missing or no JSON',
  punctuation: 'A comma, colon or bracket is missing',
  string: 'A string has a bare control character or a wrong escape',
  number: 'A number is not written as JSON',
};

const ABOUT_FIELD: Partial<Record<Cause['code'], string>> = {
  unknown_column: 'is not registered',
  duplicate_key: 'stands twice in one record',
  column_case_conflict: 'stands in two spellings',
  invalid_column_name: 'cannot be a column',
  too_deep: 'is nested too deep',
  too_many_columns: 'is one column too many',
  invalid_unicode: 'has half a surrogate pair',
};

/** A cause in words. It shows the field's name and no other data. */
export const titleOf = ({ code, field, shape }: Cause): string => {
  const title = code === 'not_json' ? TITLES[shape] : undefined;
  if (title) return title;
  const about = ABOUT_FIELD[code];
  return field !== null && about
    ? `${showText(field, 40).slice(1, -1) || 'A field without a name'} ${about}`
    : CATALOGUE[code].title;
};
