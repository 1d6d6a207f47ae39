// Owns the checks of what a plot reads from text and how its lines are aligned.

import { describe, expect, test } from 'vitest';
import {
  isCount,
  likelyChoice,
  numberOf,
  plotData,
  readingOf,
  timeLabels,
  timeOf,
} from '../../renderer/screens/query/plot-data.ts';

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'VARCHAR' }));

describe('reading text', () => {
  test('numbers', () => {
    expect(['1.10', '-3', '1E5', '.5', ' 7 '].map(numberOf)).toEqual([1.1, -3, 100_000, 0.5, 7]);
    expect(['', 'x', '0x10', '1_000', '1,5', 'NaN', 'Infinity', '1e999'].map(numberOf)).toEqual(
      Array(8).fill(undefined),
    );
  });

  test('times, with a zone or without, to the fraction', () => {
    const at = Date.UTC(2026, 6, 12, 14, 0, 0) / 1_000;
    for (const text of [
      '2026-07-12 14:00:00+00',
      '2026-07-12T14:00:00Z',
      '2026-07-12T16:00:00+02:00',
      '2026-07-12T16:00+0200',
      '2026-07-12 14:00',
    ]) {
      expect(timeOf(text), text).toBe(at);
    }
    expect(timeOf('2026-07-12T14:00:00.25Z')).toBe(at + 0.25);
    expect(timeOf('2026-07-12')).toBe(at - 14 * 3_600);
    for (const text of ['2026-13-12', '12.07.2026', '20260712', 'now']) {
      expect(timeOf(text), text).toBeUndefined();
    }
  });

  test('a column reads as what all its values are; NULL does not count', () => {
    const rows = [
      ['1', '2026-07-12', 'a', null],
      [null, '2026-07-13', '1', null],
    ];
    expect([0, 1, 2, 3].map((at) => readingOf(rows, at))).toEqual([
      'number',
      'time',
      undefined,
      undefined,
    ]);
  });
});

describe('choosing', () => {
  test('a measured value over time by a column of few words', () => {
    const rows = [
      ['2026-07-12', '7', 'north', '1.5'],
      ['2026-07-13', '8', 'south', '2.5'],
    ];
    expect(likelyChoice(columns('day', 'sensor_id', 'site', 'mean'), rows)).toEqual({
      ...{ x: 0, y: 3, by: 2 },
    });
  });

  test('nothing where there is no number over anything', () => {
    expect(likelyChoice(columns('a', 'b'), [['x', 'y']])).toBeUndefined();
    expect(likelyChoice(columns('a'), [['1']])).toBeUndefined();
    expect(likelyChoice(columns('a', 'b'), [])).toBeUndefined();
  });
});

describe('aligning', () => {
  test('lines share x, in order; a missing place is no gap and NULL is one', () => {
    const rows = [
      ['2', 'a', '20'],
      ['1', 'a', '10'],
      ['1', 'b', null],
      ['3', 'b', '33'],
    ];
    const data = plotData(rows, { x: 0, y: 2, by: 1 });
    expect(data.x).toEqual([1, 2, 3]);
    expect(data.lines.map(({ name, values }) => [name, values])).toEqual([
      ['a', [10, 20, undefined]],
      ['b', [null, undefined, 33]],
    ]);
    expect(data.lines[0]?.rows).toEqual([1, 0, undefined]);
  });

  test('several values at one x of one line all stay', () => {
    const rows = [
      ['1', '5'],
      ['1', '6'],
      ['1', '7'],
    ];
    const data = plotData(rows, { x: 0, y: 1, by: null });
    expect(data.x).toEqual([1, 1, 1]);
    expect(data.lines[0]?.values).toEqual([5, 6, 7]);
  });

  test('six groups are drawn, and how many there are is known', () => {
    const rows = Array.from({ length: 9 }, (_, at) => [String(at), `g${at}`, '1']);
    const data = plotData(rows, { x: 0, y: 2, by: 1 });
    expect(data.lines).toHaveLength(6);
    expect(data.groups).toBe(9);
  });

  test('counts start at zero, measured values do not', () => {
    expect(isCount(plotData([['1', '5']], { x: 0, y: 1, by: null }))).toBe(true);
    expect(isCount(plotData([['1', '5.5']], { x: 0, y: 1, by: null }))).toBe(false);
    expect(isCount(plotData([['1', '-5']], { x: 0, y: 1, by: null }))).toBe(false);
  });
});

test('labels of a time axis: the day where it begins, the clock between', () => {
  const at = (text: string) => Date.parse(text) / 1_000;
  expect(
    timeLabels(['2026-07-10T18:00Z', '2026-07-11T00:00Z', '2026-07-11T06:00Z'].map(at)),
  ).toEqual(['18:00', '11 Jul', '06:00']);
  expect(timeLabels(['2025-12-31T00:00Z', '2026-01-01T00:00Z'].map(at))).toEqual([
    '31 Dec',
    '2026',
  ]);
});
