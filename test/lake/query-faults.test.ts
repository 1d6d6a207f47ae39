// Owns the proof that a fault in a person's SQL is shown at its own line and column, as they wrote it.

import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { queryPage } from '../../core/lake/query.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

const context = await emptyContext();
afterAll(removeTempFolders);

const faultOf = async (sql: string) => {
  const error = await queryPage(context, sql).catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw error;
  const { code, message, details } = error;
  return { code, message, line: details.line, column: details.column };
};

const LONG = `'${'x'.repeat(500)}'`;
const UNKNOWN = 'Binder Error: Referenced column "nope" not found in FROM clause!';

describe('a fault has its place', () => {
  it.each([
    ['SELEC 1', 1, 1, 'Parser Error: syntax error at or near "SELEC"'],
    ['SELECT 1 +', 1, 11, 'Parser Error: syntax error at end of input'],
    ['SELECT 1\nFROM (\n  SELECT 2 2\n)', 3, 12, 'Parser Error: syntax error at or near "2"'],
    ["\n\n  SELECT 'open", 3, 10, `Parser Error: unterminated quoted string at or near "'open"`],
    ['SELECT a,, b FROM t;', 1, 10, 'Parser Error: syntax error at or near ","'],
    ['SELECT nope FROM (SELECT 1 AS y)', 1, 8, UNKNOWN],
    ['SELECT\n\t1,\n\tnope\nFROM (SELECT 1 AS y)', 3, 2, UNKNOWN],
    ['SELECT\r\n  nope FROM (SELECT 1 AS y)', 2, 3, UNKNOWN],
    [`SELECT ${LONG}, nope, ${LONG} FROM (SELECT 1 AS y)`, 1, 512, UNKNOWN],
    ["SELECT 'äöü日本\u{1F600}', nope FROM (SELECT 1 AS y)", 1, 18, UNKNOWN],
    ["SELECT 'ä' AS \"ö\",\n  'ü', nope FROM (SELECT 1 AS y)", 2, 8, UNKNOWN],
    ['SELECT * FROM nope', 1, 15, 'Catalog Error: Table with name nope does not exist!'],
    ['SELECT *\nFROM\n  nope;', 3, 3, 'Catalog Error: Table with name nope does not exist!'],
    [
      'SELECT 1,\n  nofunc(1)',
      2,
      3,
      'Catalog Error: Scalar Function with name nofunc does not exist!',
    ],
    [
      "SELECT 1\n  , a::INTEGER FROM (VALUES ('1'), ('one')) AS t(a);",
      2,
      6,
      "Conversion Error: Could not convert string 'one' to INT32",
    ],
    [
      "-- a comment\nSELECT max(a::INTEGER) FROM (VALUES ('one')) AS t(a)",
      2,
      13,
      "Conversion Error: Could not convert string 'one' to INT32",
    ],
    ['EXPLAIN\nSELECT nope FROM (SELECT 1 AS y)', 2, 8, UNKNOWN],
  ])('%j', async (sql, line, column, start) => {
    const fault = await faultOf(sql);
    expect({ ...fault, message: fault.message.slice(0, start.length) }).toEqual({
      code: 'query_failed',
      message: start,
      line,
      column,
    });
  });

  it('or none, where DuckDB knows none', async () => {
    expect(await faultOf("SELECT error('as asked')")).toEqual({
      code: 'query_failed',
      message: 'Invalid Input Error: as asked',
      line: null,
      column: null,
    });
    expect(await faultOf('SELECT 9223372036854775807 + n FROM (SELECT 1 AS n)')).toEqual({
      code: 'query_failed',
      message: 'Out of Range Error: Overflow in addition of INT64 (9223372036854775807 + 1)!',
      line: null,
      column: null,
    });
  });

  it('and its message is whole, with what DuckDB suggests', async () => {
    const { message } = await faultOf('SELECT valeu FROM (SELECT 1 AS value)');
    expect(message).toBe(
      'Binder Error: Referenced column "valeu" not found in FROM clause!\nCandidate bindings: "value"',
    );
  });

  it('a fault that is found while rows are already coming', async () => {
    const sql = `SELECT CASE WHEN n = 200000 THEN 'late' ELSE '1' END::INTEGER\nFROM range(250000) AS t(n)`;
    const error = await queryPage(context, sql, { offset: 195_000, limit: 10_000 }).catch(
      (reason: unknown) => reason as AppError,
    );
    expect(error).toMatchObject({ code: 'query_failed', details: { line: 1 } });
  });
});
