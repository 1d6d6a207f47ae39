// Owns the checks of names in SQL: quoting, the streams a text names, where an error is.

import { describe, expect, test } from 'vitest';
import { placeIn, sqlName, streamsIn, typedAtEnd } from '../../renderer/screens/query/sql-words.ts';

test('a name is quoted where it cannot stand plain', () => {
  expect(
    ['site', '_line', 'Ts', 'a b', 'Request-Id', 'select', 'say "hi"', '1st', 'größe'].map(sqlName),
  ).toEqual([
    'site',
    '_line',
    'Ts',
    '"a b"',
    '"Request-Id"',
    '"select"',
    '"say ""hi"""',
    '"1st"',
    '"größe"',
  ]);
});

test('the streams of a text, once each', () => {
  const sql =
    'FROM raw_extracted."stream_basin-sensors" a JOIN raw_extracted.stream_pay USING (id), stream_pay';
  expect(streamsIn(sql)).toEqual(['basin-sensors', 'pay']);
  expect(streamsIn('SELECT 1')).toEqual([]);
});

test('what is being typed: a name, a quoted one, nothing after what is closed', () => {
  const typed = {
    'SELECT pri': 'pri',
    'FROM raw_extracted."stream_a" WHERE pri': 'pri',
    'FROM raw_extracted."str': '"str',
    'SELECT "a b", "c d': '"c d',
    "WHERE a = '\"' AND pri": 'pri',
    'FROM raw_extracted."stream_a" ': '',
  };
  for (const [line, end] of Object.entries(typed)) expect(typedAtEnd(line)).toBe(end);
});

describe('the place of an error', () => {
  test('a word, a quoted name, the end', () => {
    const sql = 'SELECT sensr_id,\n "a b" FROM t';
    expect(placeIn(sql, 1, 8)).toEqual({ from: 7, to: 15 });
    expect(placeIn(sql, 2, 2)).toEqual({ from: 18, to: 23 });
    expect(placeIn(sql, 9, 9)).toEqual({ from: sql.length, to: sql.length });
  });

  test('columns count code points', () => {
    const sql = "SELECT '😀', x";
    expect(sql.slice(placeIn(sql, 1, 13).from)).toBe('x');
  });
});
