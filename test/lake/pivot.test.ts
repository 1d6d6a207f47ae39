// A PIVOT that looks for its columns itself: DuckDB makes several statements of it, and it is one that reads.

import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { copyToParquet } from '../../core/lake/copy-out.ts';
import { queryPage } from '../../core/lake/query.ts';
import { countStatements } from '../../core/lake/sql-text.ts';
import { codeOf, land, openTestCore } from '../helpers/core.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const context = await emptyContext();
afterAll(removeTempFolders);

const T = "(FROM (VALUES ('a','x',1),('a','y',2),('b','x',3)) AS t(k, p, n))";

const answerOf = async (sql: string, options = {}) => {
  const { columns, rows, more } = await queryPage(context, sql, options);
  return { columns: columns.map(({ name }) => name), rows, more };
};

const ROWS = [
  ['a', '1', '2'],
  ['b', '3', null],
];

describe('a PIVOT without its columns', () => {
  it.each([
    ['as it is', `PIVOT ${T} ON p USING sum(n) ORDER BY k`],
    ['with a semicolon and a comment', `PIVOT ${T} ON p USING sum(n) ORDER BY k; -- done;`],
    ['in FROM', `FROM (PIVOT ${T} ON p USING sum(n)) ORDER BY k`],
    ['in WITH', `WITH q AS (PIVOT ${T} ON p USING sum(n)) SELECT * FROM q ORDER BY k`],
    ['grouped', `PIVOT ${T} ON p USING sum(n) GROUP BY k ORDER BY k`],
    ['beside one with its columns', `PIVOT ${T} ON p IN ('x', 'y') USING sum(n) ORDER BY k`],
  ])('%s', async (_, sql) => {
    expect(await answerOf(sql)).toEqual({ columns: ['k', 'x', 'y'], rows: ROWS, more: false });
  });

  it('over two columns', async () => {
    expect(await answerOf(`PIVOT ${T} ON p, k USING sum(n)`)).toMatchObject({
      columns: ['x_a', 'x_b', 'y_a', 'y_b'],
    });
  });

  it('by pages', async () => {
    const sql = `PIVOT ${T} ON p USING sum(n) ORDER BY k`;
    expect(await answerOf(sql, { limit: 1 })).toMatchObject({ rows: [ROWS[0]], more: true });
    expect(await answerOf(sql, { limit: 1, offset: 1 })).toMatchObject({
      ...{ rows: [ROWS[1]], more: false },
    });
  });

  it('over a stream, and into a file', async () => {
    const core = openTestCore();
    const { query, views } = core.createKnowledgebase('k');
    await land(core, 's', '{"k":"a","p":"x","n":1}\n{"k":"a","p":"y","n":2}\n');
    await land(core, 's', '{"k":"b","p":"x","n":3}\n');
    await views.settled(15_000);
    const sql = `PIVOT (SELECT k, p, n::INTEGER AS n FROM raw_extracted.stream_s) ON p USING sum(n)`;
    expect((await queryPage(query, `${sql} ORDER BY k`)).rows).toEqual(ROWS);
    const file = join(tempFolder(), 'pivot.parquet');
    const { signal } = new AbortController();
    expect(await copyToParquet(query, sql, file, signal, () => {})).toBe(2);
    await core.close();
  });

  it('its faults are told as others are', async () => {
    expect(await codeOf(queryPage(context, 'PIVOT nope ON p USING sum(n)'))).toBe('query_failed');
    expect(await codeOf(queryPage(context, `PIVOT ${T} ON nope USING sum(n)`))).toBe(
      'query_failed',
    );
  });
});

describe('what does more than read is refused all the same', () => {
  it.each([
    ['a table of a PIVOT', `CREATE TABLE t AS PIVOT ${T} ON p USING sum(n)`],
    ['a type before a SELECT', "CREATE TYPE t AS ENUM ('a'); SELECT 1"],
    ['a SELECT after a PIVOT', `PIVOT ${T} ON p USING sum(n); SELECT 1`],
    ['a copy of a PIVOT', `COPY (PIVOT ${T} ON p USING sum(n)) TO 'x.csv'`],
    ['an explained PIVOT', `EXPLAIN PIVOT ${T} ON p USING sum(n)`],
    ['two that read', 'SELECT 1; SELECT 2'],
    ['two behind a comment', 'SELECT 1 /* ; */; SELECT 2'],
    ['a temporary table', 'CREATE TEMP TABLE t AS SELECT 1'],
  ])('%s', async (_, sql) => {
    expect(await codeOf(queryPage(context, sql))).toBe('query_not_allowed');
  });
});

it.each<[string, number]>([
  ['', 0],
  [' ;; -- SELECT 1;\n/* ; */', 0],
  ['SELECT 1', 1],
  ["SELECT ';' ;", 1],
  ['SELECT ";" AS ";"', 1],
  ['SELECT $a$ ; $a$, $$;$$', 1],
  ["SELECT e'\\';' ", 1],
  ["'a'", 1],
  ['SELECT 1; SELECT 2', 2],
  ["SELECT ''';''' ; -- ;\n SELECT 2; SELECT 3", 3],
])('%s: %i statements', (sql, count) => {
  expect(countStatements(sql)).toBe(count);
});
