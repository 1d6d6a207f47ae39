// What `strata query` prints: the same values in every format, none of them changed on the way.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

const DOOR = fileURLToPath(new URL('../../bin/strata.mjs', import.meta.url));
const home = tempFolder();

/** Each row: a name, then a value that some format might spoil. */
const BODY = [
  '{"k":"a null","v":null}',
  '{"k":"b empty","v":""}',
  '{"k":"c digits","v":1234567890123456789012345}',
  '{"k":"d scale","v":1.10}',
  '{"k":"e quotes","v":"a \\"b\\", \'c\'"}',
  '{"k":"f lines","v":"one\\ntwo\\r\\nthree"}',
  '{"k":"g NUL","v":"x\\u0000y"}',
  '{"k":"h nested","v":{"n": 1.0}}',
  '{"k":"i escape","v":"\\u001b[31mred\\u202e"}',
  '{"k":"j 😀","v":"ü, 😀"}',
].join('\n');

const ROWS: readonly (readonly [string, string | null])[] = [
  ['a null', null],
  ['b empty', ''],
  ['c digits', '1234567890123456789012345'],
  ['d scale', '1.10'],
  ['e quotes', 'a "b", \'c\''],
  ['f lines', 'one\ntwo\r\nthree'],
  ['g NUL', 'x\0y'],
  ['h nested', '{"n": 1.0}'],
  ['i escape', '\u001b[31mred\u202e'],
  ['j 😀', 'ü, 😀'],
];

const ALL = 'SELECT k, v FROM raw_extracted.stream_odd ORDER BY k';

const run = async (sql: string, format: string): Promise<string> => {
  const { code, stdout, stderr } = await strata(home, ['query', 'lab', sql, '--format', format]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'lab']);
  const landed = await strata(home, ['land', 'lab', 'odd', '-', '--json'], { stdin: BODY });
  expect(landed.code).toBe(0);
});
afterAll(removeTempFolders);

test('json', async () => {
  const columns = [
    { name: 'k', type: 'VARCHAR' },
    { name: 'v', type: 'VARCHAR' },
  ];
  expect(JSON.parse(await run(ALL, 'json'))).toEqual({ columns, rows: ROWS });
});

test('ndjson', async () => {
  const lines = (await run(ALL, 'ndjson')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS.map(([k, v]) => ({ k, v })));
});

test('csv: NULL is nothing, the empty string is two quotes (RFC 4180)', async () => {
  expect(await run(ALL, 'csv')).toBe(
    [
      'k,v',
      'a null,',
      'b empty,""',
      'c digits,1234567890123456789012345',
      'd scale,1.10',
      'e quotes,"a ""b"", \'c\'"',
      'f lines,"one\ntwo\r\nthree"',
      'g NUL,x\0y',
      'h nested,"{""n"": 1.0}"',
      'i escape,\u001b[31mred\u202e',
      'j 😀,"ü, 😀"',
      '',
    ].join('\r\n'),
  );
});

test('table: a row a line, and nothing that moves the cursor', async () => {
  expect(await run(ALL, 'table')).toBe(
    [
      'k         v',
      '────────  ─────────────────────────',
      'a null    NULL',
      'b empty',
      'c digits  1234567890123456789012345',
      'd scale   1.10',
      'e quotes  a "b", \'c\'',
      'f lines   one\\ntwo\\r\\nthree',
      'g NUL     xU+0000y',
      'h nested  {"n": 1.0}',
      'i escape  U+001B[31mredU+202E',
      'j 😀       ü, 😀',
      '10 rows',
      '',
    ].join('\n'),
  );
});

const TYPES = `SELECT 12345678901234567890123::DECIMAL(38,0) AS n, 0.1::FLOAT AS f, 1e300 AS d, true AS b,
  TIMESTAMPTZ '2026-07-12 14:02:00+00' IS NOT NULL AS t, INTERVAL 90 MINUTE AS i, [1, NULL] AS l, {'a': 'x'} AS s,
  170141183460469231731687303715884105727::HUGEINT AS h, NULL AS z`;

test('values of any type are DuckDB’s own text', async () => {
  expect(JSON.parse(await run(TYPES, 'json'))).toMatchObject({
    rows: [
      [
        '12345678901234567890123',
        '0.1',
        '1e+300',
        'true',
        'true',
        '01:30:00',
        '[1, NULL]',
        "{'a': x}",
        '170141183460469231731687303715884105727',
        null,
      ],
    ],
  });
});

test('two columns of one name lose no value', async () => {
  const sql = 'SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS "constructor", 5 AS "__proto__"';
  const json = JSON.parse(await run(sql, 'json'));
  expect(json.columns.map(({ name }: { name: string }) => name)).toEqual([
    ...['a', 'a', 'a_2', 'constructor', '__proto__'],
  ]);
  expect(json.rows).toEqual([['1', '2', '3', '4', '5']]);
  expect(await run(sql, 'ndjson')).toBe(
    '{"a":"1","a_3":"2","a_2":"3","constructor":"4","__proto__":"5"}\n',
  );
  expect(await run(sql, 'csv')).toBe('a,a,a_2,constructor,__proto__\r\n1,2,3,4,5\r\n');
});

test('no row is still a document, and a head', async () => {
  const none = 'SELECT 1 AS a WHERE false';
  const columns = [{ name: 'a', type: 'INTEGER' }];
  expect(JSON.parse(await run(none, 'json'))).toEqual({ columns, rows: [] });
  expect(await run(none, 'csv')).toBe('a\r\n');
});

test('every row comes out, in order', async () => {
  const { rows } = JSON.parse(await run('SELECT range AS n FROM range(100000)', 'json'));
  expect(rows).toEqual(Array.from({ length: 100_000 }, (_, at) => [String(at)]));
});

test('a table says how many rows it leaves out', async () => {
  const lines = (await run('SELECT range AS n FROM range(1001)', 'table')).split('\n');
  expect(lines.slice(-3)).toEqual(['999', '1,001 rows, the first 1,000 of them shown', '']);
});

test('a reader that has seen enough ends it quietly', async () => {
  const words = [
    'query',
    'lab',
    'SELECT range FROM range(100000000)',
    '--format',
    'csv',
    '--home',
    home,
  ];
  const child = spawn(process.execPath, [DOOR, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
});
