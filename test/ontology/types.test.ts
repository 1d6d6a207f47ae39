// Owns the proof of how columns are read: the type that every value takes to exactly, or text and why.

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { ColumnEvidence, ReadAs, SqlType } from '../../core/model.ts';
import { castOf, checkFormat, sqlTypeOf } from '../../core/ontology/casts.ts';
import { profileOf, type Sent } from '../helpers/measured.ts';

/** The evidence of one column with these values. */
const columnOf = async (values: readonly Sent[string][], name = 'x'): Promise<ColumnEvidence> => {
  const { columns } = await profileOf(
    's',
    values.map((value) => ({ [name]: value, other: 'o' })),
  );
  return columns[0] as ColumnEvidence;
};

const shown = ({ readAs, reason }: ColumnEvidence): string =>
  [readAs.type, readAs.format, reason].filter((part) => part !== null).join(' | ');

describe('a column is read as', () => {
  it.each<[string, Sent[string][], string]>([
    ['whole numbers', [1, -20, 300], 'BIGINT | Every value is a whole number.'],
    [
      'the greatest BIGINT',
      ['9223372036854775807', '-9223372036854775808'],
      'BIGINT | Every value is a whole number.',
    ],
    [
      'one more',
      ['9223372036854775808', '-1', '12'],
      'HUGEINT | Whole numbers of up to 19 digits.',
    ],
    [
      'more than any type keeps',
      [`${'9'.repeat(40)}`, '-1'],
      'VARCHAR | Whole numbers of up to 40 digits, more than any type keeps.',
    ],
    [
      'money',
      ['1.10', '20', '3.5'],
      'DECIMAL(18,2) | Every value is a number with at most 2 decimals.',
    ],
    [
      'long money',
      ['12345678901234567.10', '2.5'],
      'DECIMAL(38,2) | Every value is a number with at most 2 decimals.',
    ],
    ['measurements', ['0.12345678', '21.5'], 'DOUBLE | Numbers of up to 8 digits.'],
    ['exponents', ['1.5e-7', '2E+3', '12.5'], 'DOUBLE | Numbers of up to 3 digits.'],
    [
      'digits that a DOUBLE would round',
      ['0.1234567890123456789', '1.5'],
      'DECIMAL(38,19) | Numbers of up to 19 digits, more than a DOUBLE keeps.',
    ],
    ['true and false', ['true', 'FALSE'], 'BOOLEAN | Every value is true or false.'],
    ['0 and 1, which are numbers', [0, 1, 1], 'BIGINT | Every value is a whole number.'],
    ['yes and no, which are words', ['yes', 'no'], 'VARCHAR | The values are texts.'],
    ['dates', ['2024-02-29', '1999-12-31'], 'DATE | Every value is a date.'],
    [
      'a day that never was',
      ['2024-02-30', '2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03'],
      'VARCHAR | 1 of 5 values are no DATE.',
    ],
    ['times of day', ['10:00', '23:59:59.123456'], 'TIME | Every value is a time of day.'],
    [
      'timestamps',
      ['2024-01-01T10:00', '2024-01-01 10:00:00.5'],
      'TIMESTAMP | Every value is a date and time without an offset.',
    ],
    [
      'timestamps with offsets',
      ['2024-01-01T10:00:00Z', '2024-01-01 10:00:00+02:00'],
      'TIMESTAMPTZ | Every value is a date and time with an offset.',
    ],
    [
      'some offsets',
      ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00'],
      'VARCHAR | 1 values have an offset and 1 have none; which zone those are of is not said.',
    ],
    [
      'nanoseconds',
      ['2024-01-01T10:00:00.123456789Z', '2024-01-01T10:00:00Z'],
      'VARCHAR | 1 values have more than 6 decimals, which a timestamp would cut.',
    ],
    [
      'dates and timestamps',
      ['2024-01-01', '2024-01-01T10:00:00'],
      'VARCHAR | 1 values are dates and 1 have a time of day.',
    ],
    [
      'day first',
      ['13/02/2024', '01/02/2024'],
      'DATE | %d/%m/%Y | Day first: 1 dates have a first part over 12.',
    ],
    [
      'month first',
      ['02/13/2024', '01/02/2024'],
      'DATE | %m/%d/%Y | Month first: 1 dates have a second part over 12.',
    ],
    [
      'day first with dots',
      ['13.2.2024', '1.12.2024'],
      'DATE | %d.%m.%Y | Day first: 1 dates have a first part over 12.',
    ],
    [
      'both orders',
      ['13/02/2024', '02/13/2024'],
      'VARCHAR | 1 dates can only be day first, 1 only month first.',
    ],
    [
      'neither order',
      ['01/02/2024', '03/04/2024'],
      'VARCHAR | No date has a part over 12: day first and month first both fit.',
    ],
    [
      'two separators',
      ['13/02/2024', '14-02-2024'],
      'VARCHAR | The dates are not all written alike.',
    ],
    [
      'day first and a time',
      ['13/02/2024 10:00', '01/02/2024 11:30'],
      'TIMESTAMP | %d/%m/%Y %H:%M | Day first: 1 dates have a first part over 12.',
    ],
    ['the 31st of February', ['31/02/2024', '13/03/2024'], 'VARCHAR | 1 values are no DATE.'],
    [
      'UUIDs',
      ['0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee', '0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeef'],
      'UUID | Every value is a UUID.',
    ],
    [
      'UUIDs in capitals, which would come back small',
      ['0190AAAA-BBBB-7CCC-8DDD-EEEEEEEEEEEE'],
      'VARCHAR | The values are texts.',
    ],
    ['JSON', ['{"a":1}', ' [1,2]'], 'JSON | Every value is a JSON object or array.'],
    [
      'zeros before numbers',
      ['007', '12', '3'],
      'VARCHAR | 1 values have zeros before them, which a number would lose.',
    ],
    [
      'a plus before numbers',
      ['+49301234', '4930123'],
      'VARCHAR | 1 values have a plus before them, which a number would lose.',
    ],
    [
      'part numbers with an E',
      ['12E4', '1300', '7'],
      'VARCHAR | 1 values have an E between digits: a number would not give them back.',
    ],
    [
      'sixteen digits in every value',
      ['4111111111111111', '4222222222222222'],
      'VARCHAR | Every value has 16 digits: an identifier, not a quantity.',
    ],
    ['not a number', ['NaN', '1.5', 'Infinity'], 'VARCHAR | The values are texts.'],
    ['mostly numbers', ['1', '2', '3', '4', 'n/a'], 'VARCHAR | 1 of 5 values are no BIGINT.'],
    ['nothing', [null, null], 'VARCHAR | It has no value to judge by.'],
    ['spaces around numbers', [' 1', '2 '], 'VARCHAR | The values are texts.'],
  ])('%s', async (_, values, expected) => {
    expect(shown(await columnOf(values))).toBe(expected);
  });

  it('a long number by its name: of an account it is text, of a moment it is not', async () => {
    const digits = ['17200000000000001', '1720000000000000'];
    expect(shown(await columnOf(digits, 'account_number'))).toBe(
      'VARCHAR | It is an identifier of up to 17 digits, not a quantity.',
    );
    const same = ['1720000000000000001', '1720000000000000002'];
    expect(shown(await columnOf(same, 'epoch_ns'))).toBe('BIGINT | Every value is a whole number.');
  });

  it('empty texts, NULL and different offsets are flagged', async () => {
    const { flags, nulls, empties, readAs } = await columnOf(['5', '', null, '']);
    expect({ flags, nulls, empties, readAs }).toEqual({
      ...{ flags: ['2 empty texts are read as NULL.'], nulls: 1, empties: 2 },
      readAs: { type: 'BIGINT', format: null, casts: 1, fails: 0, failing: [] },
    });
    const offsets = await columnOf([
      '2024-01-01T10:00:00Z',
      '2024-01-01T10:00:00+02:00',
      '2024-01-02T10:00:00Z',
    ]);
    expect(offsets.flags).toEqual([
      'Different offsets (Z 2, +02:00 1): the moment is kept, the offset is not.',
    ]);
    expect((await columnOf(['2024-01-01T10:00:00'])).flags).toEqual([
      'No offset: which zone it is of is not said.',
    ]);
  });

  it('what does not cast is counted exactly, with examples', async () => {
    const values = [...Array.from({ length: 20 }, (_, at) => String(at)), 'n/a', 'n/a', '-'];
    expect((await columnOf(values)).near).toEqual({
      ...{ type: 'BIGINT', format: null, casts: 20, fails: 3 },
      failing: [
        { value: 'n/a', rows: 2 },
        { value: '-', rows: 1 },
      ],
    });
  });

  it('in a sample of many rows a rare shape is not missed', async () => {
    const values = Array.from({ length: 30_000 }, (_, at) => (at === 29_998 ? '0042' : String(at)));
    expect(shown(await columnOf(values, 'part'))).toBe(
      'VARCHAR | 1 values have zeros before them, which a number would lose.',
    );
  });
});

describe('a cast never alters a value', () => {
  it.each<[string, ReadAs | SqlType, string | null]>([
    ['1.5', 'BIGINT', null],
    ['1e3', 'BIGINT', null],
    ['1_000', 'BIGINT', null],
    ['0x1F', 'BIGINT', null],
    [' 12', 'BIGINT', null],
    ['12', 'BIGINT', '12'],
    ['9223372036854775808', 'BIGINT', null],
    [
      '170141183460469231731687303715884105727',
      'HUGEINT',
      '170141183460469231731687303715884105727',
    ],
    ['1.239', 'DECIMAL(18,2)', null],
    ['1.230', 'DECIMAL(18,2)', '1.23'],
    ['1', 'DECIMAL(18,2)', '1.00'],
    ['12345678901234567', 'DECIMAL(18,2)', null],
    ['1.0', 'DECIMAL(5,0)', '1'],
    ['1e400', 'DOUBLE', null],
    ['nan', 'DOUBLE', null],
    ['0.1', 'DOUBLE', '0.1'],
    ['yes', 'BOOLEAN', null],
    ['1', 'BOOLEAN', null],
    ['True', 'BOOLEAN', 'true'],
    ['2024-1-5', 'DATE', null],
    ['2024-01-05T00:00', 'DATE', null],
    ['infinity', 'DATE', null],
    ['2024-02-30', 'DATE', null],
    ['10:00:00+02', 'TIME', null],
    ['2024-01-05T10:00:00Z', 'TIMESTAMP', null],
    ['2024-01-05T10:00:00.1234567', 'TIMESTAMP', null],
    ['2024-01-05T10:00:00', 'TIMESTAMPTZ', null],
    ['{"a":1} ', 'JSON', '{"a":1} '],
    ['{a}', 'JSON', null],
    ['"text"', 'JSON', null],
    ['05/13/2024', { type: 'DATE', format: '%d/%m/%Y' }, null],
    ['13/5/2024', { type: 'DATE', format: '%d/%m/%Y' }, '2024-05-13'],
    ['13/05/24', { type: 'DATE', format: '%d/%m/%Y' }, null],
    ['13.05.2024 10:30', { type: 'TIMESTAMP', format: '%d.%m.%Y %H:%M' }, '2024-05-13 10:30:00'],
  ])('%s as %s', async (value, as, expected) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const readAs = typeof as === 'string' ? { type: as, format: null } : as;
    const sql = `SELECT (${castOf('v', readAs)})::VARCHAR FROM (SELECT '${value}' AS v)`;
    expect((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? null).toBe(expected);
  });

  it('types and formats of a person are checked', () => {
    expect([sqlTypeOf(' decimal(10, 2) '), sqlTypeOf('bigint')]).toEqual([
      'DECIMAL(10,2)',
      'BIGINT',
    ]);
    for (const wrong of ['INT', 'DECIMAL(39,2)', 'DECIMAL(5,6)', 'DECIMAL', "DATE'"]) {
      expect(() => sqlTypeOf(wrong), wrong).toThrow('is no type for a column.');
    }
    checkFormat('DATE', '%d-%m-%Y');
    for (const wrong of ['%d/%m', "%d/%m/%Y'", '%d/%m/%Y %H:%M']) {
      expect(() => checkFormat('DATE', wrong), wrong).toThrow('is no format of a DATE.');
    }
  });
});
