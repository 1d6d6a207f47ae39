// Holds the way from a row of an answer to its line in the stream.

import { describe, expect, it } from 'vitest';
import { originOf } from '../../renderer/screens/query/origin.ts';
import { placedIn } from '../../renderer/screens/query/sql-words.ts';
import { rowOfLine } from '../../renderer/screens/stream/row-of-line.ts';

const answer = (sql: string, row: Record<string, string | null>) => ({
  sql,
  columns: Object.keys(row).map((name) => ({ name, type: 'VARCHAR' })),
  rows: [Object.values(row)],
});
const SQL = 'SELECT * FROM raw_extracted."stream_basin-sensors"';

describe('a row of an answer', () => {
  it('says its batch and line, and the stream that the SQL names', () => {
    expect(originOf(answer(SQL, { a: '1', _batch_id: 'gw-1', _line: '7' }), 0)).toEqual({
      ...{ batchId: 'gw-1', line: '7', streams: ['basin-sensors'] },
    });
  });

  it('has the stream of its file where the SQL names several', () => {
    const both = `${SQL} UNION ALL SELECT * FROM raw_extracted.stream_orders`;
    const row = { _batch_id: 'b', _line: '1' };
    expect(originOf(answer(both, row), 0)?.streams).toEqual(['basin-sensors', 'orders']);
    const filename = '/kb/strata/streams/orders/data/dt=2026-07-12/b.parquet';
    expect(originOf(answer(both, { ...row, filename }), 0)?.streams).toEqual(['orders']);
    const windows = 'C:\\kb\\strata\\streams\\orders\\data\\b.parquet';
    expect(originOf(answer(both, { ...row, filename: windows }), 0)?.streams).toEqual(['orders']);
  });

  it('has no line that is none, and nothing without a batch', () => {
    expect(originOf(answer(SQL, { _batch_id: 'b' }), 0)?.line).toBe(null);
    expect(originOf(answer(SQL, { _batch_id: 'b', _line: 'x' }), 0)?.line).toBe(null);
    expect(originOf(answer(SQL, { _batch_id: null, _line: '1' }), 0)).toBe(null);
    expect(originOf(answer(SQL, { a: '1' }), 0)).toBe(null);
    expect(originOf(answer('SELECT 1', { _batch_id: 'b' }), 0)).toBe(null);
    expect(originOf(answer(SQL, { _batch_id: 'b' }), 4)).toBe(null);
  });
});

describe('the row of a line', () => {
  const find = async (lines: readonly number[], line: number) => {
    const asked: number[] = [];
    const row = await rowOfLine({ firstRow: 100, rows: lines.length }, line, async (at) => {
      asked.push(at);
      return lines[at - 100];
    });
    return { row, asked: asked.length };
  };

  it('is found at once where no line was blank', async () => {
    expect(await find([1, 2, 3, 4, 5], 4)).toEqual({ row: 103, asked: 1 });
    expect(await find([1], 1)).toEqual({ row: 100, asked: 1 });
  });

  it('is found past blank lines, for every line', async () => {
    const lines = [2, 3, 7, 8, 20, 21, 22, 40, 1_000];
    for (const [at, line] of lines.entries()) {
      const found = await find(lines, line);
      expect(found.row).toBe(100 + at);
      expect(found.asked).toBeLessThanOrEqual(6);
    }
  });

  it('is the next row for a line that became none', async () => {
    expect((await find([2, 3, 7], 5)).row).toBe(102);
    expect((await find([2, 3, 7], 1)).row).toBe(100);
    expect((await find([2, 3, 7], 99)).row).toBe(102);
  });
});

it('a fault in the selection stands at its place in the whole', () => {
  const part = { sql: 'SELECT x', line: 3, column: 5 };
  expect(placedIn({ line: 1, column: 8 }, part)).toEqual({ line: 3, column: 12 });
  expect(placedIn({ line: 2, column: 8 }, part)).toEqual({ line: 4, column: 8 });
  expect(placedIn({ line: 2, column: 8 }, null)).toEqual({ line: 2, column: 8 });
  expect(placedIn({ line: null, column: null }, part)).toEqual({ line: null, column: null });
});
