// Owns the proof that pages of a large answer are cut from it in its own order, none missing, none twice.

import { afterAll, describe, expect, it } from 'vitest';
import { queryPage, streamRows } from '../../core/lake/query.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

const context = await emptyContext();
afterAll(removeTempFolders);

const ROWS = 250_000;
/** Every number below ROWS once, scattered; no two rows of a chunk are neighbours in the order asked for. */
const SCATTERED = `(SELECT (range * 7919) % ${ROWS} AS n FROM range(${ROWS}))`;
const ASCENDING = `SELECT n FROM ${SCATTERED} ORDER BY n`;
const DESCENDING = `SELECT n, n % 10 AS tenth FROM ${SCATTERED} ORDER BY tenth DESC, n DESC`;

const numbers = async (sql: string, offset: number, limit: number) => {
  const { rows, more } = await queryPage(context, sql, { offset, limit });
  return { numbers: rows.map(([n]) => Number(n)), more };
};

const ascending = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index);

/** The order of DESCENDING, made without DuckDB. */
const descending = Array.from({ length: 10 }, (_, tenth) => 9 - tenth).flatMap((tenth) =>
  Array.from({ length: ROWS / 10 }, (_, index) => ROWS - 10 + tenth - index * 10),
);

describe('an answer of 250,000 rows', () => {
  it.each([
    [0, 1_000, true],
    [1, 1, true],
    [99_999, 10_000, true],
    [ROWS - 10_001, 10_000, true],
    [ROWS - 10_000, 10_000, false],
    [ROWS - 7, 1_000, false],
  ])('in ascending order, from row %i, %i rows', async (offset, limit, more) => {
    const expected = ascending(offset, Math.min(limit, ROWS - offset));
    expect(await numbers(ASCENDING, offset, limit)).toEqual({ numbers: expected, more });
  });

  it('in an order of two columns, any page', async () => {
    for (const offset of [0, 24_990, 120_001, 240_000]) {
      const expected = descending.slice(offset, offset + 10_000);
      expect((await numbers(DESCENDING, offset, 10_000)).numbers).toEqual(expected);
    }
  });

  it('as a stream, whole and in order', async () => {
    const seen = await streamRows(context, DESCENDING, {}, async ({ chunks }) => {
      const rows: number[] = [];
      for await (const chunk of chunks()) for (const [n] of chunk) rows.push(Number(n));
      return rows;
    });
    expect(seen).toEqual(descending);
  });

  it('as a stream with offset and limit', async () => {
    const options = { offset: 100_000, limit: 120_000 };
    const seen = await streamRows(context, ASCENDING, options, async ({ chunks }) => {
      const rows: number[] = [];
      for await (const chunk of chunks()) for (const [n] of chunk) rows.push(Number(n));
      return rows;
    });
    expect(seen).toEqual(ascending(100_000, 120_000));
  });

  it('keeps the order of a query that has none but its source', async () => {
    const sql = `SELECT range FROM range(${ROWS})`;
    expect(await numbers(sql, 123_456, 10_000)).toEqual({
      numbers: ascending(123_456, 10_000),
      more: true,
    });
  });

  it("keeps the person's own LIMIT and OFFSET", async () => {
    const sql = `${ASCENDING} LIMIT 120000 OFFSET 5`;
    expect(await numbers(sql, 119_990, 1_000)).toEqual({
      numbers: ascending(119_995, 10),
      more: false,
    });
  });

  it('keeps NULLS FIRST and the order of text', async () => {
    const sql = `SELECT v FROM (VALUES ('b'), (NULL), ('a'), ('B'), ('10'), ('9')) t(v) ORDER BY v DESC NULLS FIRST`;
    const { rows } = await queryPage(context, sql);
    expect(rows).toEqual([[null], ['b'], ['a'], ['B'], ['9'], ['10']]);
  });
});

describe('the edges of a page', () => {
  it('past the end there is nothing', async () => {
    expect(await numbers(ASCENDING, ROWS, 10)).toEqual({ numbers: [], more: false });
    expect(await numbers(ASCENDING, ROWS * 10, 10)).toEqual({ numbers: [], more: false });
  });

  it('exactly as many rows as the page holds: there are no more', async () => {
    expect(await numbers('SELECT range FROM range(10)', 0, 10)).toEqual({
      numbers: ascending(0, 10),
      more: false,
    });
  });

  it('a page holds 1,000 rows unless said, and never more than 10,000', async () => {
    const sql = `SELECT range FROM range(${ROWS})`;
    const unsaid = await queryPage(context, sql);
    const most = await queryPage(context, sql, { limit: 50_000 });
    expect([unsaid.rows.length, unsaid.more, most.rows.length, most.more]).toEqual([
      1_000,
      true,
      10_000,
      true,
    ]);
  });
});
