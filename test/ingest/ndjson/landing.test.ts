// Holds what an accepted batch is: which bytes its spans refer to, its lines, its columns.
// Never checks faults.

import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { batchOf, bodyOf, columnsOf, rowsOf } from '../../helpers/read-batch.ts';

const parsed = (text: string) => batchOf(parseBatch(bodyOf(text)));

describe('the text', () => {
  test('is the body itself when no string has an escape', () => {
    const body = bodyOf('{"a":"é","b":[ "\\n" ],"\\u0063":null}\n{"a":1.10}\n');
    const { text, ...batch } = batchOf(parseBatch(body));
    expect(text).toBe(body);
    expect(batch).toEqual({
      rows: 2,
      lines: Int32Array.of(1, 2),
      columns: [
        { key: 'a', firstLine: 1, spans: Int32Array.of(6, 8, 43, 47) },
        { key: 'b', firstLine: 1, spans: Int32Array.of(14, 22, -1, -1) },
        { key: 'c', firstLine: 1, spans: Int32Array.of(-1, -1, -1, -1) },
      ],
    });
  });

  test('is the body itself without a final line feed, too', () => {
    const body = bodyOf('{"a":"x"}');
    expect(batchOf(parseBatch(body)).text).toBe(body);
  });

  test.each(['', '\n'])('is the body and what was decoded, in order (ending %j)', (end) => {
    const source = `{"a":"x\\ny","b":"plain"}\n{"a":"","b":"\\ud83d\\ude00\\u00e9\\u0000"}${end}`;
    const batch = parsed(source);
    const decoded = 'x\ny😀é\u0000';
    expect(Buffer.from(batch.text).toString()).toBe(source + decoded);
    expect(rowsOf(batch)).toEqual([
      ['x\ny', 'plain'],
      ['', '😀é\u0000'],
    ]);
  });

  test('holds every escape and every length of UTF-8', () => {
    const escapes =
      '\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u007f\\u0080\\u07FF\\u0800\\uffff\\ud800\\udc00\\uDBFF\\uDFFF';
    expect(rowsOf(parsed(`{"a":"${escapes}"}`))).toEqual([
      ['"\\/\b\f\n\r\t\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'],
    ]);
  });
});

describe('columns', () => {
  test('take the first spelling, whatever the case, the escapes and the order', () => {
    const batch = parsed(
      ['{"Temp":"1","b":2}', '{"b":3,"TEMP":4}', '{"t\\u0065mp":5}', '', '{"c":6,"B":7}'].join(
        '\n',
      ),
    );
    expect({ lines: batch.lines, columns: columnsOf(batch) }).toEqual({
      lines: Int32Array.of(1, 2, 3, 5),
      columns: [
        { key: 'Temp', firstLine: 1, values: ['1', '4', '5', null] },
        { key: 'b', firstLine: 1, values: ['2', '3', null, '7'] },
        { key: 'c', firstLine: 5, values: [null, null, null, '6'] },
      ],
    });
  });

  test('fold only A to Z', () => {
    const names = [
      'É',
      'é',
      'İ',
      'i',
      'ı',
      '\u212a',
      'k',
      'ß',
      'SS',
      'Σ',
      'σ',
      'ς',
      '@',
      '`',
      '[',
      '{',
    ];
    const batch = parsed(`{${names.map((name) => `"${name}":1`).join(',')}}`);
    expect(batch.columns.map(({ key }) => key)).toEqual(names);
  });

  test('may have names that begin alike, or like the rest of the line', () => {
    const lines = ['{"a":1,"ab":2,"abc":3}', '{"ab":1,"a":2,"a\\"":3}', '{"a\\"":4,"abcd":5}'];
    expect(rowsOf(parsed(lines.join('\n')))).toEqual([
      ['1', '2', '3', null, null],
      ['2', '1', null, '3', null],
      [null, null, null, '4', '5'],
    ]);
  });

  test('a name of 255 bytes is one, however it is written', () => {
    const name = `${'é'.repeat(127)}k`;
    const escaped = `${'\\u00e9'.repeat(127)}\\u006b`;
    expect(columnsOf(parsed(`{"${escaped}":1}\n{"${name}":2}`))).toEqual([
      { key: name, firstLine: 1, values: ['1', '2'] },
    ]);
  });

  test('a mark at the start of a name is part of it', () => {
    expect(parsed('{"\ufeffa":1,"a":2}').columns.map(({ key }) => key)).toEqual(['\ufeffa', 'a']);
  });

  test('are registered without ASCII case, and keep the spelling of the batch', () => {
    const body = bodyOf('{"TEMP":1}\n{"temp":2,"\\u0042":3}');
    const batch = batchOf(parseBatch(body, { registered: ['Temp', 'b', 'unused'] }));
    expect(columnsOf(batch)).toEqual([
      { key: 'TEMP', firstLine: 1, values: ['1', '2'] },
      { key: 'B', firstLine: 2, values: [null, '3'] },
    ]);
  });
});

test('a nested value is its source, what it holds is no field', () => {
  const sources = [
    '{"a":1,"a":2,"":[ {} , [\t] ]}',
    '["\\ud800","\\u0000",1.10,-0,1e400,true,null]',
    '{ "x" : { "X" : "\\u00e9" } }',
  ];
  const batch = parsed(`{${sources.map((source, i) => `"c${i}": ${source} `).join(',')}}`);
  expect(rowsOf(batch)).toEqual([sources]);
});
