// A query that goes wrong after its first rows have been given: it ends with its error, and never as if that were all.

import { afterAll, expect, it } from 'vitest';
import { queryPage, streamRows } from '../../core/lake/query.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

const ROWS = 1_000_000;
const failingAt = (row: number): string =>
  `SELECT n,\n  CASE WHEN n = ${row} THEN 'x' ELSE '1' END::INT AS v FROM range(${ROWS}) AS t(n)`;

const countRows = async (sql: string): Promise<unknown> => {
  let rows = 0;
  try {
    await streamRows(await emptyContext(), sql, {}, async ({ chunks }) => {
      for await (const some of chunks()) rows += some.length;
    });
    return rows;
  } catch (error) {
    const { code, message, details } = error as {
      code: string;
      message: string;
      details: Record<string, unknown>;
    };
    return [rows > 0, code, message, details.line, details.column];
  }
};

it.each([200_000, ROWS - 1])('a value that cannot be read in row %i', async (row) => {
  expect(await countRows(failingAt(row))).toEqual([
    ...[true, 'query_failed'],
    ...["Conversion Error: Could not convert string 'x' to INT32", 2, 45],
  ]);
});

it('every row of one that goes well, in its order, and none beside', async () => {
  expect(await countRows(`SELECT n FROM range(${ROWS}) AS t(n)`)).toBe(ROWS);
  expect(await countRows('SELECT n FROM range(0) AS t(n)')).toBe(0);
  const context = await emptyContext();
  const sql = `SELECT n, NULL AS nothing FROM range(${ROWS}) AS t(n) ORDER BY n DESC`;
  const last = await queryPage(context, sql, { offset: ROWS - 2, limit: 10 });
  expect([last.rows, last.more]).toEqual([
    [
      ['1', null],
      ['0', null],
    ],
    false,
  ]);
  const page = await queryPage(context, failingAt(200_000), { limit: 3 });
  expect([page.rows.length, page.more]).toEqual([3, true]);
});
