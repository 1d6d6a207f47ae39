// Owns the proof that DuckDB decodes every line number we pack, around all borders of the encoding.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainCodec } from '../../../core/lake/parquet/codec.ts';
import { encodeBatch } from '../../../core/lake/parquet/encode-batch.ts';
import { inputOf } from './batch-of.ts';
import { DuckDbReader } from './duckdb-reader.ts';

let duckdb: DuckDbReader;
beforeAll(async () => {
  duckdb = await DuckDbReader.open();
});
afterAll(() => duckdb.close());

async function readBack(lines: readonly number[]): Promise<number[]> {
  const bytes = encodeBatch(inputOf([], { rows: lines.length, lines }), plainCodec);
  const rows = await duckdb.rowsOf(bytes, 'SELECT _line FROM read_parquet($path)');
  return rows.map(([line]) => Number(line));
}

describe('lines', () => {
  // 1 + 128 k values fill k blocks; 32 deltas fill a miniblock.
  const counts = [...Array.from({ length: 300 }, (_, n) => n + 1), 384, 385, 386, 513, 514];
  counts.push(639, 640, 641, 642, 897, 898, 999, 1000);

  it.each([
    ['without gaps', (n: number) => n + 1],
    ['with growing gaps', (n: number) => 1 + n + Math.floor((n * n) / 7)],
    ['with one gap a block', (n: number) => 1 + n + Math.floor(n / 128) * 1000],
  ])('%s come back in any number', async (title, lineOf) => {
    const folder = title.replaceAll(' ', '-');
    const expected: unknown[][] = [];
    for (const count of counts) {
      const lines = Array.from({ length: count }, (_, n) => lineOf(n));
      const bytes = encodeBatch(inputOf([], { rows: count, lines }), plainCodec);
      await duckdb.save(`${folder}-${String(count).padStart(4, '0')}.parquet`, bytes);
      for (const line of lines) expected.push([BigInt(line)]);
    }
    const rows = await duckdb.rows(
      `SELECT _line FROM read_parquet($path, filename=true, file_row_number=true)
       ORDER BY filename, file_row_number`,
      duckdb.path(`${folder}-*.parquet`),
    );
    expect(rows).toEqual(expected);
  });

  it('of every bit width come back', async () => {
    for (let width = 0; width <= 31; width++) {
      const most = 2 ** width - 1;
      const lines = [0, most, most, 0, most, Math.floor(most / 2), 1, 0];
      expect(await readBack(lines)).toEqual(lines);
    }
  });

  it('as far apart as 32 bits allow come back', async () => {
    const lines = [0, 2147483647, -2147483648, 2147483647, -2147483648, -1, 0, 1];
    expect(await readBack(lines)).toEqual(lines);
  });

  it('that are arbitrary come back', async () => {
    const line = fc.oneof(fc.integer(), fc.integer({ min: 1, max: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 400 }), async (lines) => {
        expect(await readBack(lines)).toEqual(lines);
      }),
      { numRuns: 100 },
    );
  });

  it('that are consecutive cost next to nothing', () => {
    const size = (rows: number) => encodeBatch(inputOf([], { rows }), plainCodec).length;
    expect(size(12_801) - size(1)).toBeLessThan(100 * 5 + 32);
  });
});
