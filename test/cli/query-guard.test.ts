// What a query may not do: write, reach a file outside the knowledgebase, run for ever.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, valuesOf } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  tempFolder,
} from '../helpers/server.ts';

const DOOR = fileURLToPath(new URL('../../bin/strata.mjs', import.meta.url));
const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';

let server: Server;
let admin: AdminClient;
const outside = tempFolder();

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  await admin.knowledgebases.create({ id: 'other' });
  for (const knowledgebase of ['lab', 'other']) {
    expect((await post(server.stream(knowledgebase, 'readings'), '{"a":"1"}\n')).status).toBe(200);
    await admin.knowledgebases.syncViews({ knowledgebase });
  }
  writeFileSync(join(outside, 'secret.csv'), 'word\nswordfish\n');
});

afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

/** `{out}` is a folder outside, `{kb}` the knowledgebase's, `{home}` that of all. */
const filled = (sql: string): string =>
  sql
    .replaceAll('{out}', outside)
    .replaceAll('{kb}', join(server.home, 'lab'))
    .replaceAll('{home}', server.home);

const WRITES: readonly string[] = [
  "COPY (SELECT 1) TO '{out}/written.csv'",
  "COPY (SELECT 1) TO '{kb}/strata/streams/readings/data/forged.parquet' (FORMAT parquet)",
  "EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}/written.csv'",
  "EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{out}/written.csv'",
  "/* EXPLAIN */ EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}/written.csv'",
  "EXPORT DATABASE '{out}/written'",
  "ATTACH '{out}/written.duckdb'",
  "ATTACH '{home}/other/kb.duckdb' AS other (READ_ONLY)",
  'DETACH kb',
  'USE memory',
  'CREATE TABLE t (a INTEGER)',
  'CREATE TEMP TABLE t AS SELECT 1',
  'CREATE OR REPLACE VIEW raw_extracted.stream_readings AS SELECT 1 AS a',
  'CREATE MACRO f() AS 1',
  "CREATE SECRET (TYPE s3, KEY_ID 'x')",
  "INSERT INTO kb._strata_manifest VALUES ('x', NULL, NULL, NULL)",
  'UPDATE kb._strata_manifest SET row_count = 1',
  'DELETE FROM kb._strata_manifest',
  'DROP VIEW kb.raw_extracted.stream_readings',
  'ALTER VIEW kb.raw_extracted.stream_readings RENAME TO x',
  'CHECKPOINT kb',
  'VACUUM',
  'BEGIN TRANSACTION',
  'PREPARE p AS SELECT 1',
  'SET threads = 1',
  'SET enable_external_access = true',
  "SET allowed_directories = ['/']",
  'RESET threads',
  'PRAGMA enable_profiling',
  'INSTALL httpfs',
  'LOAD httpfs',
  'CALL pragma_version()',
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY (SELECT 1) TO '{out}/written.csv'",
  '-- nothing',
];

const READS: readonly string[] = [
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/etc/passwd')",
  "SELECT * FROM read_csv('{out}/secret.csv')",
  "SELECT * FROM '{out}/secret.csv'",
  "SELECT * FROM sniff_csv('{out}/secret.csv')",
  "SELECT * FROM read_json('{out}/secret.csv')",
  "SELECT * FROM glob('{out}/*')",
  "SELECT * FROM glob('/etc/*')",
  "SELECT * FROM read_text('{kb}/knowledgebase.json')",
  "SELECT * FROM read_blob('{kb}/ledger.sqlite')",
  "SELECT * FROM read_text('{kb}/strata/../knowledgebase.json')",
  "SELECT * FROM read_text('{kb}/strata/streams/../../knowledgebase.json')",
  "SELECT * FROM glob('{kb}/strata/../*')",
  "SELECT * FROM read_parquet('{home}/other/strata/streams/readings/data/*.parquet')",
  "SELECT * FROM read_parquet('{kb}/strata/../../other/strata/streams/readings/data/*.parquet')",
  "SELECT * FROM read_text('{kb}/strata-not/x')",
  "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
  "SELECT * FROM read_csv('https://example.com/x.csv')",
  "SELECT getenv('HOME')",
  "EXPLAIN ANALYZE SELECT * FROM read_text('/etc/passwd')",
];

const failureOf = (sql: string): Promise<{ code?: string; message: string }> =>
  admin.query.run({ knowledgebase: 'lab', sql }).then(
    ({ rows }) => ({ message: `it answered: ${JSON.stringify(rows)}` }),
    (error: { code?: string; message: string }) => error,
  );

describe('over the contract', () => {
  test.each(WRITES)('writes nothing: %s', async (sql) => {
    const { code, message } = await failureOf(filled(sql));
    expect(code, message).toMatch(/^query_(not_allowed|failed)$/);
  });

  test.each(READS)('reads nothing: %s', async (sql) => {
    const { code, message } = await failureOf(filled(sql));
    expect(code, message).toBe('query_failed');
    expect(message).not.toMatch(/swordfish|root:/);
  });

  test('may read what the knowledgebase has', async () => {
    for (const sql of [
      'SELECT a FROM raw_extracted.stream_readings',
      'select a from stream_readings;',
      '-- a comment\nSELECT a FROM kb.raw_extracted.stream_readings; -- and one after',
      'FROM raw_extracted.stream_readings SELECT a',
      'WITH one AS (SELECT a FROM stream_readings) SELECT * FROM one',
      "SELECT a FROM read_parquet('{kb}/strata/streams/readings/data/*.parquet')",
      "VALUES ('1')",
      'SELECT a FROM STREAM_READINGS UNION SELECT a FROM Stream_Readings',
    ]) {
      expect(await valuesOf(admin, 'lab', filled(sql)), sql).toEqual(['1']);
    }
    expect((await valuesOf(admin, 'lab', 'EXPLAIN SELECT 1')).length).toBeGreaterThan(0);
    expect((await valuesOf(admin, 'lab', 'SHOW ALL TABLES')).length).toBeGreaterThan(0);
    const { rows } = await admin.query.run({
      knowledgebase: 'lab',
      sql: 'DESCRIBE stream_readings',
    });
    expect(rows.map(([name]) => name)).toEqual(['a', '_batch_id', '_line', 'filename']);
  });

  test('and after all of it nothing has changed', async () => {
    expect(readdirSync(outside)).toEqual(['secret.csv']);
    expect(
      existsSync(
        join(server.home, 'lab', 'strata', 'streams', 'readings', 'data', 'forged.parquet'),
      ),
    ).toBe(false);
    expect(await valuesOf(admin, 'lab', 'SELECT source FROM _strata_manifest')).toEqual([
      'stream:readings',
    ]);
    expect((await admin.knowledgebases.verify({ knowledgebase: 'lab' })).holds).toBe(true);
  });
});

describe('on the command line', () => {
  test.each([
    ["COPY (SELECT 1) TO '{out}/written.csv'", 'Permission Error'],
    ["EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}/written.csv'", 'Permission Error'],
    [
      'CREATE TABLE t (a INTEGER)',
      'The statement does not only read. Run one SELECT over the views',
    ],
    ["SELECT * FROM read_text('/etc/passwd')", 'Permission Error'],
    ['SELECT 1; SELECT 2', 'Run one statement at a time; this has 2.'],
    ['SELECT * FROM raw_extracted.stream_readingz', 'Did you mean'],
    ['SELECT\n  nonsense\nFROM stream_readings', 'Binder Error'],
  ])('exit 1 and one line: %s', async (sql, said) => {
    const { code, stdout, stderr } = await strata(server.home, [
      'query',
      'lab',
      filled(sql),
      '--json',
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^strata: [^\n]+\.\n$/);
    expect(stderr).toContain(said);
  });

  test('a time limit stops it', async () => {
    const words = ['query', 'lab', ENDLESS, '--timeout', '0.2', '--json'];
    expect(await strata(server.home, words)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'strata: The query was stopped after 0.2 s. Narrow it, or raise the time limit.\n',
    });
  });

  test('SIGINT stops it', async () => {
    // The first rows are out, so it runs when the signal comes.
    const sql = 'SELECT a.range FROM range(10000000) a, range(10000000) b';
    const words = ['query', 'lab', sql, '--format', 'csv', '--home', server.home];
    const child = spawn(process.execPath, [DOOR, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    child.stdout.resume();
    const [code, signal] = await once(child, 'close');
    expect([code, signal]).toEqual([1, null]);
    expect(stderr).toBe('strata: The query was cancelled. Run it again.\n');
  });
});
