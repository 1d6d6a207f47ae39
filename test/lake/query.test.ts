// Owns the proof that a query's answer is the text DuckDB itself writes, whatever kind of statement it is.

import { afterAll, describe, expect, it } from 'vitest';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf } from '../helpers/core.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

// Before DuckDB is loaded, which reads it: the text of a TIMESTAMPTZ names the zone of the session.
process.env.TZ = 'Asia/Kolkata';

const context = await emptyContext();
afterAll(removeTempFolders);

const typedText = async (expression: string) => {
  const { columns, rows } = await queryPage(context, `SELECT ${expression} AS v`);
  return { type: columns[0]?.type, rows };
};

describe('a value is exactly the text DuckDB writes', () => {
  it.each([
    ["'1.10'::DECIMAL(38, 2)", 'DECIMAL(38,2)', '1.10'],
    ["'-0.00'::DECIMAL(4, 2)", 'DECIMAL(4,2)', '0.00'],
    [
      "'99999999999999999999999999999999999.999'::DECIMAL(38, 3)",
      'DECIMAL(38,3)',
      '99999999999999999999999999999999999.999',
    ],
    [
      '170141183460469231731687303715884105727::HUGEINT',
      'HUGEINT',
      '170141183460469231731687303715884105727',
    ],
    ['9223372036854775807', 'BIGINT', '9223372036854775807'],
    ['18446744073709551615::UBIGINT', 'UBIGINT', '18446744073709551615'],
    ['0.1::FLOAT', 'FLOAT', '0.1'],
    ['16777217::FLOAT', 'FLOAT', '16777216.0'],
    ['0.1::DOUBLE + 0.2::DOUBLE', 'DOUBLE', '0.30000000000000004'],
    ['1e23::DOUBLE', 'DOUBLE', '1e+23'],
    ["'nan'::DOUBLE", 'DOUBLE', 'nan'],
    ["'-inf'::DOUBLE", 'DOUBLE', '-inf'],
    [
      "TIMESTAMPTZ '2026-01-31 23:59:59.123456+00'",
      'TIMESTAMP WITH TIME ZONE',
      '2026-02-01 05:29:59.123456+05:30',
    ],
    ["TIMESTAMP '2026-01-31 23:59:59.1'", 'TIMESTAMP', '2026-01-31 23:59:59.1'],
    [
      "'1992-09-20 11:30:00.123456789'::TIMESTAMP_NS",
      'TIMESTAMP_NS',
      '1992-09-20 11:30:00.123456789',
    ],
    ["DATE '0044-03-15 (BC)'", 'DATE', '0044-03-15 (BC)'],
    ["DATE 'infinity'", 'DATE', 'infinity'],
    ["TIME '24:00:00'", 'TIME', '24:00:00'],
    ["INTERVAL '14 months -3 days 1.5 seconds'", 'INTERVAL', '1 year 2 months -3 days 00:00:01.5'],
    ["'a\\x00\\xFFz'::BLOB", 'BLOB', 'a\\x00\\xFFz'],
    ["'0101'::BIT", 'BIT', '0101'],
    ['[1.10, NULL, 3]', 'DECIMAL(12,2)[]', '[1.10, NULL, 3.00]'],
    ["['a, b', NULL, '']", 'VARCHAR[]', "['a, b', NULL, '']"],
    [
      "{'a': 1.10, 'b': [0.1::FLOAT]}",
      'STRUCT("a" DECIMAL(3,2), "b" FLOAT[])',
      "{'a': 1.10, 'b': [0.1]}",
    ],
    ["MAP {'k': NULL}", 'MAP(VARCHAR, INTEGER)', '{k=NULL}'],
    [
      "'3f2504e0-4f89-41d3-9a0c-0305e82c3301'::UUID",
      'UUID',
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ],
    ["'a' || chr(0) || 'é\u{1F600}'", 'VARCHAR', 'a\0é\u{1F600}'],
    ["''", 'VARCHAR', ''],
    ['true', 'BOOLEAN', 'true'],
    ['NULL', 'INTEGER', null],
    ['NULL::VARCHAR', 'VARCHAR', null],
  ])('%s', async (expression, type, text) => {
    expect(await typedText(expression)).toEqual({ type, rows: [[text]] });
  });
});

describe('columns', () => {
  it('keep their names when two are the same, and when a name is odd', async () => {
    const sql = `SELECT 1 AS a, 2 AS a, 3 AS "c0", 4 AS "__proto__", 5 AS "a ""b""", 6 AS A`;
    const { columns, rows } = await queryPage(context, sql);
    expect({ names: columns.map(({ name }) => name), rows }).toEqual({
      names: ['a', 'a', 'c0', '__proto__', 'a "b"', 'A'],
      rows: [['1', '2', '3', '4', '5', '6']],
    });
  });

  it('are there when there is no row', async () => {
    const { columns, rows, more } = await queryPage(context, 'SELECT 1 AS a, 0.5 AS b WHERE false');
    expect({ columns, rows, more }).toEqual({
      columns: [
        { name: 'a', type: 'INTEGER' },
        { name: 'b', type: 'DECIMAL(2,1)' },
      ],
      rows: [],
      more: false,
    });
  });
});

describe('a statement runs however it is written', () => {
  it.each([
    ['SELECT 0.1::FLOAT;'],
    ['  SELECT 0.1::FLOAT ;; \n'],
    [';SELECT 0.1::FLOAT'],
    ['SELECT 0.1::FLOAT -- the end'],
    ['SELECT 0.1::FLOAT; -- the end; really'],
    ['-- "first\nSELECT /* it\'s ; */ 0.1::FLOAT /* one */; /* two */'],
    ["SELECT 0.1::FLOAT WHERE ';' <> '--;' AND ';' = $x$;$x$ AND E'\\';' = ''';'"],
    ['SELECT "a;b" FROM (SELECT 0.1::FLOAT AS "a;b");'],
    ['VALUES (0.1::FLOAT)'],
    ['FROM (SELECT 0.1::FLOAT)'],
    ['WITH one AS (SELECT 0.1::FLOAT) SELECT * FROM one'],
    ['(SELECT 0.1::FLOAT)'],
  ])('%j', async (sql) => {
    expect((await queryPage(context, sql)).rows).toEqual([['0.1']]);
  });

  it('DESCRIBE', async () => {
    expect((await queryPage(context, 'DESCRIBE SELECT 1 AS a, NULL::BLOB AS b')).rows).toEqual([
      ['a', 'INTEGER', 'YES', null, null, null],
      ['b', 'BLOB', 'YES', null, null, null],
    ]);
  });

  it('SHOW', async () => {
    const { columns, rows } = await queryPage(context, 'SHOW TABLES;');
    expect({ columns, rows }).toEqual({
      columns: [{ name: 'name', type: 'VARCHAR' }],
      rows: [['_strata_manifest']],
    });
  });

  it('PRAGMA, which cannot stand in FROM, also by pages', async () => {
    const { rows: all } = await queryPage(context, "PRAGMA table_info('duckdb_types')");
    const { rows, more } = await queryPage(context, "PRAGMA table_info('duckdb_types');", {
      offset: 2,
      limit: 3,
    });
    expect(all.length).toBeGreaterThan(5);
    expect({ rows, more }).toEqual({ rows: all.slice(2, 5), more: true });
  });

  it('EXPLAIN and EXPLAIN ANALYZE of a reading statement', async () => {
    for (const sql of [
      'EXPLAIN SELECT 42',
      'explain (format text) SELECT 42',
      'EXPLAIN ANALYZE SELECT 42',
    ]) {
      const { columns, rows } = await queryPage(context, sql);
      expect([sql, columns.length, rows.length]).toEqual([sql, 2, 1]);
    }
  });
});

describe('what does not only read is refused', () => {
  it.each([
    ['CREATE TABLE t (a INT)', 'query_not_allowed'],
    ['INSERT INTO _strata_manifest VALUES (1)', 'query_failed'],
    ["COPY (SELECT 1) TO '/tmp/strata-not-written.csv'", 'query_failed'],
    ['EXPLAIN ANALYZE CREATE TABLE t (a INT)', 'query_not_allowed'],
    ['SELECT 1; SELECT 2', 'query_not_allowed'],
    ['SET threads = 1', 'query_not_allowed'],
    ['CHECKPOINT', 'query_not_allowed'],
    ['BEGIN', 'query_not_allowed'],
    ["ATTACH '/tmp/strata-not-there.duckdb'", 'query_not_allowed'],
    ['INSTALL spatial', 'query_not_allowed'],
    ["LOAD '/tmp/x.duckdb_extension'", 'query_not_allowed'],
    ['PREPARE p AS SELECT 1', 'query_not_allowed'],
    ["SELECT * FROM read_text('/etc/hostname')", 'query_failed'],
    ["SELECT * FROM '/etc/hostname'", 'query_failed'],
    ['', 'query_failed'],
    [' ;; -- nothing\n/* at all */', 'query_failed'],
  ])('%j', async (sql, code) => {
    expect(await codeOf(queryPage(context, sql))).toBe(code);
  });

  it('and files outside the knowledgebase cannot be read, also beside it', async () => {
    const { root } = context.paths;
    for (const path of [`${root}/knowledgebase.json`, `${root}/strata/../knowledgebase.json`]) {
      const asked = queryPage(context, `SELECT * FROM read_text('${path}')`);
      expect(await codeOf(asked)).toBe('query_failed');
    }
  });
});
