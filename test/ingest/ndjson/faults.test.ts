// Holds every fault to its code, its place and its sentence, and the list of faults to its limits.
// Never repeats the grammar at large: the property tests do.

import { describe, expect, test } from 'vitest';
import { type ParseOptions, parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import type { Fault, ParseOutcome } from '../../../core/model.ts';
import { bodyOf } from '../../helpers/read-batch.ts';

const bytes = (...list: (string | number)[]): Buffer =>
  Buffer.concat(list.map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.of(one))));

const fault = (code: Fault['code'], line: number, column: number, what: string): Fault => ({
  code,
  message: `Line ${line}, column ${column}: ${what}.`,
  line,
  column,
});

const refused = (...faults: Fault[]): ParseOutcome => ({
  ok: false,
  faults,
  faultCount: faults.length,
});

const ESCAPE = 'an escape is expected, one of " \\ / b f n r t u';

describe('a line that is not JSON', () => {
  test.each<[string, number, string]>([
    ['abc', 1, '"a" stands where a record, one JSON object, is expected'],
    [' }', 2, '"}" stands where a record, one JSON object, is expected'],
    [
      '\u0000',
      1,
      'the control character U+0000 stands where a record, one JSON object, is expected',
    ],
    ['\u00a0{}', 1, 'the character U+00A0 stands where a record, one JSON object, is expected'],
    ['😀', 1, '"😀" stands where a record, one JSON object, is expected'],
    ['{', 2, 'the line ends where a field name in quotation marks or } is expected'],
    ["{'a':1}", 2, '"\'" stands where a field name in quotation marks or } is expected'],
    ['{"a"}', 5, '"}" stands where a colon is expected'],
    ['{"a":}', 6, '"}" stands where a value is expected'],
    ['{"a":', 6, 'the line ends where a value is expected'],
    ['{"a":True}', 6, '"T" stands where a value is expected'],
    ['{"a":trux}', 9, '"x" stands where the rest of the word true is expected'],
    ['{"a":falze}', 9, '"z" stands where the rest of the word false is expected'],
    ['{"a":nul', 9, 'the line ends where the rest of the word null is expected'],
    ['{"a":-Infinity}', 7, '"I" stands where a digit is expected'],
    ['{"a":+1}', 6, '"+" stands where a value is expected'],
    ['{"a":.5}', 6, '"." stands where a value is expected'],
    ['{"a":1.}', 8, '"}" stands where a digit is expected'],
    ['{"a":1e}', 8, '"}" stands where a digit is expected'],
    ['{"a":01}', 7, '"1" stands where a comma or } is expected'],
    ['{"a":0x1F}', 7, '"x" stands where a comma or } is expected'],
    ['{"a":1 "b":2}', 8, 'a quotation mark stands where a comma or } is expected'],
    ['{"a":1,}', 8, '"}" stands where a field name in quotation marks is expected'],
    ['{"a":[1,]}', 9, '"]" stands where a value is expected'],
    ['{"a":[1 2]}', 9, '"2" stands where a comma or ] is expected'],
    ['{"a":[1}', 8, '"}" stands where a comma or ] is expected'],
    ['{"a":{"b":1]}', 12, '"]" stands where a comma or } is expected'],
    ['{"a":{"b":1,}}', 13, '"}" stands where a field name in quotation marks is expected'],
    ['{"a":{1:2}}', 7, '"1" stands where a field name in quotation marks or } is expected'],
    ['{"a":{"b" 1}}', 11, '"1" stands where a colon is expected'],
    ['{"a":"x', 8, 'the line ends inside a string'],
    ['{"a":["x', 9, 'the line ends inside a string'],
    ['{"a', 4, 'the line ends inside a string'],
    ['{"a":"x\ty"}', 8, 'the control character U+0009 stands in a string without an escape'],
    ['{"a":"x\r"}', 8, 'the control character U+000D stands in a string without an escape'],
    ['{"a":"\\x41"}', 8, `"x" stands where ${ESCAPE}`],
    ['{"a":["\\', 9, `the line ends where ${ESCAPE}`],
    ['{"a":"\\u12G4"}', 11, '"G" stands where a hexadecimal digit is expected, four after \\u'],
    ['{"a":1} trailing', 9, '"t" stands where the line should end'],
    ['{"a":1}{"a":2}', 8, '"{" stands where the line should end'],
    ['[1] 2', 5, '"2" stands where the line should end'],
    ['[1', 3, 'the line ends where a comma or ] is expected'],
    ['{"a":1}\u2028', 8, 'the character U+2028 stands where the line should end'],
    ['{"a":1}\u202e', 8, 'the character U+202E stands where the line should end'],
    ['{"a":1}\u0301', 8, 'the character U+0301 stands where the line should end'],
    [
      '\ufeff\ufeff{}',
      1,
      'the character U+FEFF stands where a record, one JSON object, is expected',
    ],
  ])('%j', (line, column, what) => {
    expect(parseBatch(bodyOf(line))).toEqual(refused(fault('not_json', 1, column, what)));
    expect(parseBatch(bodyOf(`${line}\n`))).toEqual(refused(fault('not_json', 1, column, what)));
  });
});

describe('a line that is JSON and cannot land', () => {
  const k256 = 'k'.repeat(256);
  const k48 = 'k'.repeat(48);
  const some: ParseOptions = { registered: ['Temp'], maxDepth: 2, maxColumns: 2 };
  test.each<[string, ParseOptions, Fault['code'], number, string]>([
    ['[1,2]', {}, 'not_object', 1, 'the line is an array, not an object'],
    [' "x"', {}, 'not_object', 2, 'the line is a string, not an object'],
    ['"\\ud800"', {}, 'not_object', 1, 'the line is a string, not an object'],
    ['-1.5e3', {}, 'not_object', 1, 'the line is a number, not an object'],
    ['true ', {}, 'not_object', 1, 'the line is a boolean, not an object'],
    ['false', {}, 'not_object', 1, 'the line is a boolean, not an object'],
    ['null\r', {}, 'not_object', 1, 'the line is null, not an object'],
    ['[[[1]]]', some, 'not_object', 1, 'the line is an array, not an object'],
    ['{"a":1,"a":2}', {}, 'duplicate_key', 8, 'the field "a" stands twice in this record'],
    ['{"a":1,"\\u0061":2}', {}, 'duplicate_key', 8, 'the field "a" stands twice in this record'],
    ['{"\\"":1,"\\"":2}', {}, 'duplicate_key', 9, 'the field "\\"" stands twice in this record'],
    [
      '{"Temp":1,"temp":2}',
      {},
      'column_case_conflict',
      11,
      'the fields "Temp" and "temp" differ only in case',
    ],
    [
      '{"A":1,"\\u0061":2}',
      {},
      'column_case_conflict',
      8,
      'the fields "A" and "a" differ only in case',
    ],
    ['{"a":"\\ud800"}', {}, 'invalid_unicode', 7, 'the escape \\ud800 is half of a surrogate pair'],
    ['{"a":"é\\uDC00x', {}, 'invalid_unicode', 8, 'the escape \\uDC00 is half of a surrogate pair'],
    [
      '{"a":"\\ud83d\\u0041"}',
      {},
      'invalid_unicode',
      7,
      'the escape \\ud83d is half of a surrogate pair',
    ],
    ['{"\\ud800":1}', {}, 'invalid_unicode', 3, 'the escape \\ud800 is half of a surrogate pair'],
    ['{"":1}', {}, 'invalid_column_name', 2, 'the field has an empty name'],
    [
      '{"a\\u0000b":1}',
      {},
      'invalid_column_name',
      2,
      'the field name "a\\u0000b" has a NUL character',
    ],
    [
      `{"${k256}":1}`,
      {},
      'invalid_column_name',
      2,
      `the field name "${k48}…" is 256 bytes long, and 255 is the limit`,
    ],
    [
      `{"${'\\u00e9'.repeat(128)}":1}`,
      {},
      'invalid_column_name',
      2,
      `the field name "${'é'.repeat(48)}…" is 256 bytes long, and 255 is the limit`,
    ],
    ['{"a":1}', some, 'unknown_column', 2, 'the field "a" is not a registered column'],
    [
      '{"TEMP":1,"x\\u202ey":2}',
      some,
      'unknown_column',
      11,
      'the field "x\\u202ey" is not a registered column',
    ],
    ['{"temp":[[[]]]}', some, 'too_deep', 11, 'the value is nested deeper than 2 levels'],
    ['{"temp":[{"a":{"a":[', some, 'too_deep', 15, 'the value is nested deeper than 2 levels'],
    [
      '{"a":1,"b":2,"c":3}',
      { maxColumns: 2 },
      'too_many_columns',
      14,
      'the field "c" is one column more than the 2 a batch may have',
    ],
  ])('%s', (line, options, code, column, what) => {
    expect(parseBatch(bodyOf(line), options)).toEqual(refused(fault(code, 1, column, what)));
  });
});

describe('bytes that are not UTF-8', () => {
  const invalid = (line: number, column: number, byte: string, more = ''): Fault =>
    fault('invalid_utf8', line, column, `the byte 0x${byte} is not valid UTF-8 here${more}`);
  const utf16 = '; the body begins as UTF-16 does';
  test.each<[string, Buffer, Fault[]]>([
    ['a lone byte', bytes('{"a":"ok"}\n{"a":"é', 0xff, '"}\n{}'), [invalid(2, 8, 'FF')]],
    ['a cut character', bytes('{"a":"😀', 0xf0, 0x9f, 0x98), [invalid(1, 8, 'F0')]],
    [
      'a cut character before a line feed',
      bytes(0xe2, 0x82, '\n', 0xac),
      [invalid(1, 1, 'E2'), invalid(2, 1, 'AC')],
    ],
    ['after the mark', bytes('\ufeff{"a":"', 0x80), [invalid(1, 7, '80')]],
    ['in a blank line', bytes('{}\n \r', 0xc0, '\n'), [invalid(2, 3, 'C0')]],
    ['before another fault', bytes(']', 0xed, 0xa0, 0x80, '\n'), [invalid(1, 2, 'ED')]],
    ['twice in a line', bytes('{', 0xff, 0xff, '}'), [invalid(1, 2, 'FF')]],
    ['UTF-16, little end first', bytes(0xff, 0xfe, '{', 0, '}', 0), [invalid(1, 1, 'FF', utf16)]],
    ['UTF-16, big end first', bytes(0xfe, 0xff, 0, '{', 0, '}'), [invalid(1, 1, 'FE', utf16)]],
  ])('%s', (_, body, faults) => {
    expect(parseBatch(body)).toEqual(refused(...faults));
  });
});

describe('places', () => {
  test('lines count blank ones, and only a line feed ends one', () => {
    const body = bodyOf('\n{"a":1}\r\n \t\r\n{"a":"\u2028\u0085"}\n\r{"a":}\r\nx');
    expect(parseBatch(body)).toEqual(
      refused(
        fault('not_json', 5, 7, '"}" stands where a value is expected'),
        fault('not_json', 6, 1, '"x" stands where a record, one JSON object, is expected'),
      ),
    );
  });

  test('columns count code points, not bytes and not UTF-16 units', () => {
    expect(parseBatch(bodyOf('{"é中😀e\u0301":"é中😀"]'))).toEqual(
      refused(fault('not_json', 1, 15, '"]" stands where a comma or } is expected')),
    );
  });

  test('the byte order mark is no column of the first line', () => {
    expect(parseBatch(bodyOf('\ufeff{]'))).toEqual(
      refused(
        fault(
          'not_json',
          1,
          2,
          '"]" stands where a field name in quotation marks or } is expected',
        ),
      ),
    );
  });
});

describe('a batch without records', () => {
  const none = (why: string): ParseOutcome => ({
    ok: false,
    faults: [
      {
        code: 'empty_batch',
        message: `The batch has no records: ${why}.`,
        line: null,
        column: null,
      },
    ],
    faultCount: 1,
  });
  test.each(['\n', ' ', '\r', '\n\r\n \t \n', '\ufeff', '\ufeff\n'])('%j', (text) => {
    expect(parseBatch(bodyOf(text))).toEqual(none('every line of the body is blank'));
  });
  test('of no bytes', () => {
    expect(parseBatch(bodyOf(''))).toEqual(none('the body is empty'));
  });
});

describe('many faults', () => {
  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
    [300_000, 100],
  ])('of %i, %i are told, and all are counted', (count, told) => {
    const outcome = parseBatch(bodyOf(`{"a":1}\n${'[\n'.repeat(count)}{"a":2}\n`));
    const what = 'the line ends where a value is expected';
    const faults = Array.from({ length: told }, (_, i) => fault('not_json', i + 2, 2, what));
    expect(outcome).toEqual({ ok: false, faults, faultCount: count });
  });

  test('good lines between faulty ones are no faults, and one line has one', () => {
    const body = bodyOf('{"a":1}\n{"a":1,"a":2,"A":3,\n{}\n[]\n{"a":"\\ud800\n');
    expect(parseBatch(body)).toEqual(
      refused(
        fault('duplicate_key', 2, 8, 'the field "a" stands twice in this record'),
        fault('not_object', 4, 1, 'the line is an array, not an object'),
        fault('invalid_unicode', 5, 7, 'the escape \\ud800 is half of a surrogate pair'),
      ),
    );
  });
});
