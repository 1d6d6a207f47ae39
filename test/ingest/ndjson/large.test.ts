// Holds the parser at its limits and on large bodies.
// Never measures time.

import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { batchOf, bodyOf, columnsOf, rowsOf } from '../../helpers/read-batch.ts';

const wide = (count: number, value: (i: number) => string = String): string =>
  `{${Array.from({ length: count }, (_, i) => `"c${i}":${value(i)}`).join(',')}}`;

const faultsOf = (text: string) => {
  const outcome = parseBatch(bodyOf(text));
  return outcome.ok ? [] : outcome.faults;
};

describe('long values', () => {
  test('a cell of 900 KB, plain', () => {
    const value = 'x'.repeat(900_000);
    expect(rowsOf(batchOf(parseBatch(bodyOf(`{"a":"${value}"}`))))).toEqual([[value]]);
  });

  test('a cell of 900 KB, all escapes', () => {
    const body = bodyOf(`{"a":"${'\\u00e9'.repeat(150_000)}","b":"\\n"}`);
    expect(rowsOf(batchOf(parseBatch(body)))).toEqual([['é'.repeat(150_000), '\n']]);
  });

  test('a nested value of 900 KB', () => {
    const value = `[${'{"a":[1,2.5e3,"x"]}, '.repeat(45_000)}null]`;
    expect(rowsOf(batchOf(parseBatch(bodyOf(`{"a":${value}}`))))).toEqual([[value]]);
  });

  test('a name of 900 KB is told in short', () => {
    expect(faultsOf(`{"${'n'.repeat(900_000)}":1}`)).toEqual([
      {
        code: 'invalid_column_name',
        message: `Line 1, column 2: the field name "${'n'.repeat(48)}…" is 900,000 bytes long, and 255 is the limit.`,
        line: 1,
        column: 2,
      },
    ]);
  });
});

describe('2,000 columns', () => {
  test('are accepted, in one record or in many', () => {
    const values = Array.from({ length: 2000 }, (_, i) => String(i));
    const one = batchOf(parseBatch(bodyOf(`${wide(2000)}\n${wide(2000)}\n`)));
    expect(rowsOf(one)).toEqual([values, values]);
    const many = batchOf(parseBatch(bodyOf(values.map((i) => `{"c${i}":"${i}"}\n`).join(''))));
    const cells = columnsOf(many).map(({ values: cells, ...column }) => ({
      ...column,
      cells: cells.flatMap((cell, row) => (cell === null ? [] : [{ row, cell }])),
    }));
    expect(cells).toEqual(
      values.map((cell, row) => ({ key: `c${cell}`, firstLine: row + 1, cells: [{ row, cell }] })),
    );
  });

  test.each([
    ['in one record', wide(2001), 1, wide(2000).length + 1],
    ['in two records', `${wide(1999)}\n{"C0":1,"c1999":2,"c2000":3}\n{"c5":1}`, 2, 19],
  ])('and one more are refused, %s', (_, text, line, column) => {
    expect(faultsOf(text)).toEqual([
      {
        code: 'too_many_columns',
        message: `Line ${line}, column ${column}: the field "c2000" is one column more than the 2,000 a batch may have.`,
        line,
        column,
      },
    ]);
  });

  test('over so many rows that nearly every cell is empty are refused as a whole', () => {
    expect(faultsOf(`${wide(2000)}\n${'{}\n'.repeat(300_000)}`)).toEqual([
      {
        code: 'too_many_columns',
        message:
          'The batch has 2,000 columns over 300,001 rows, more cells than a batch may have; send records with other fields apart.',
        line: null,
        column: null,
      },
    ]);
  });
});

describe('depth', () => {
  const nest = (levels: number, open = '[', close = ']'): string =>
    open.repeat(levels) + close.repeat(levels);

  test.each([
    ['arrays', nest(64)],
    ['objects', `${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`],
    ['both', nest(32, '[{"a":', '}]').replace('""', '"a":1').replace(':}', ':1}')],
  ])('64 levels are accepted: %s', (_, source) => {
    expect(rowsOf(batchOf(parseBatch(bodyOf(`{"a":${source}}`))))).toEqual([[source]]);
  });

  test.each([65, 10_000, 400_000])('%i levels are refused at the 65th', (levels) => {
    expect(faultsOf(`{"a":${nest(levels)}}`)).toEqual([
      {
        code: 'too_deep',
        message: 'Line 1, column 70: the value is nested deeper than 64 levels.',
        line: 1,
        column: 70,
      },
    ]);
  });

  test.each([65, 400_000])('a line that is an array is no object, at %i levels too', (levels) => {
    expect(faultsOf(nest(levels))).toEqual([
      {
        code: 'not_object',
        message: 'Line 1, column 1: the line is an array, not an object.',
        line: 1,
        column: 1,
      },
    ]);
  });
});

describe('many rows', () => {
  test('340,000 empty records', () => {
    const { text: _, ...batch } = batchOf(parseBatch(bodyOf('{}\n'.repeat(340_000))));
    const lines = Int32Array.from({ length: 340_000 }, (_, i) => i + 1);
    expect({
      ...batch,
      lines: Buffer.from(batch.lines.buffer).equals(Buffer.from(lines.buffer)),
    }).toEqual({
      rows: 340_000,
      lines: true,
      columns: [],
    });
  });

  test('1 MB of readings, each its own', () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => [
      new Date(1.78e12 + i * 5000).toISOString(),
      `sensor-${i % 97}`,
      i % 3 === 0 ? `line\n${i}` : String(i / 10),
      i % 5 === 0 ? null : 'north-basin',
    ]);
    const names = ['ts', 'sensor_id', 'reading', 'site'];
    const text = rows
      .map((row) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]]))))
      .join('\n');
    expect(rowsOf(batchOf(parseBatch(bodyOf(text))))).toEqual(rows);
  });

  test('more spellings of names than are remembered', () => {
    const names = Array.from({ length: 1500 }, (_, i) => `field_${i}`);
    const lines = [0, 1, 2, 3].map((turn) => {
      const order = names.map((_, i) => (i * 7 + turn * 11) % 1500);
      return `{${order.map((i) => `"${turn % 2 ? `FIELD_${i}` : `field_${i}`}":${i + turn}`).join(',')}}`;
    });
    const columns = columnsOf(batchOf(parseBatch(bodyOf(lines.join('\n')))));
    const sorted = columns.toSorted((a, b) => Number(a.values[0]) - Number(b.values[0]));
    expect(sorted).toEqual(
      names.map((key, i) => ({
        key,
        firstLine: 1,
        values: [0, 1, 2, 3].map((turn) => String(i + turn)),
      })),
    );
  });
});
