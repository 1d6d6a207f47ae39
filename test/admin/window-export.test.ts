// query.export, jobs and /exports over HTTP: whole files, no half ones, and nothing that was not asked for.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { openSocket, send, sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';
import { failureOf, jobEnded } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;
let folder: string;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  folder = tempFolder();
  await admin.knowledgebases.create({ id: 'lab' });
  const body = '{"a":"1","b":"x,\\"y\\"\\n"}\n{"a":"","b":null}\n';
  expect((await sendBatch(server.stream('lab', 'readings'), body)).status).toBe(200);
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SQL = 'SELECT a, b FROM stream_readings ORDER BY _line; -- all of it';
const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

/** More rows than anyone waits for. */
const ENDLESS = 'SELECT range, md5(range::VARCHAR) AS h FROM range(100000000000)';

const start = (format: (typeof FORMATS)[number], sql: string, path: string | null = null) =>
  admin.query.export({ knowledgebase: 'lab', sql, format, name: 'all of it', path });

const token = () => ({ authorization: `Bearer ${server.adminToken}` });

const fetchExport = (id: number | string, headers: Readonly<Record<string, string>> = token()) =>
  send(server.adminUrl, { method: 'GET', path: `/exports/${id}`, headers });

describe('a file on the disk', () => {
  test('CSV, with the job as it runs and as it ended', async () => {
    const path = join(folder, 'new', 'a.csv');
    const job = await start('csv', SQL, path);
    const begun = {
      ...{ id: expect.any(Number), kind: 'export', title: 'Exporting all of it to CSV' },
      ...{ knowledgebase: 'lab', state: 'running', done: 0, total: null, unit: '', words: null },
      ...{ details: null, startedAt: TIME, endedAt: null, fault: null, result: null },
    };
    expect(job).toEqual(begun);
    const text = 'a,b\r\n1,"x,""y""\n"\r\n"",\r\n';
    const ended = await jobEnded(admin, job);
    expect(ended).toEqual({
      ...{ ...begun, id: job.id, state: 'done', done: 2, unit: 'rows', endedAt: TIME },
      result: { path, rows: 2, sizeBytes: text.length, file: 'all-of-it.csv' },
    });
    expect((await admin.jobs.list())[0]).toEqual(ended);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(join(folder, 'new'))).toEqual(['a.csv']);
    expect(await failureOf(admin.jobs.cancel({ id: job.id }))).toMatchObject({
      code: 'invalid_argument',
      message: `The job ${job.id} does not run.`,
    });
  });

  test('NDJSON, over a file that is there; no name is lost', async () => {
    const path = join(folder, 'b.ndjson');
    writeFileSync(path, 'old');
    const job = await start('ndjson', 'SELECT 1 AS a, NULL AS b, 0.1::FLOAT AS a', path);
    expect(await jobEnded(admin, job)).toMatchObject({ state: 'done', result: { rows: 1 } });
    expect(readFileSync(path, 'utf8')).toBe('{"a":"1","b":null,"a_2":"0.1"}\n');
  });

  test("Parquet keeps DuckDB's types", async () => {
    const path = join(folder, "it's.parquet");
    const sql =
      "SELECT 1::INTEGER AS i, 1.50::DECIMAL(9,2) AS d, DATE '2026-01-02' AS t, [1, 2] AS l, a FROM stream_readings -- x";
    const ended = await jobEnded(admin, await start('parquet', sql, path));
    expect(ended).toMatchObject({ state: 'done', result: { path, rows: 2 } });
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const literal = `'${path.replaceAll("'", "''")}'`;
    const read = async (statement: string) =>
      (await connection.runAndReadAll(statement)).getRows().map((row) => row.map(String));
    expect(
      await read(`SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(${literal}))`),
    ).toEqual([
      ['i', 'INTEGER'],
      ['d', 'DECIMAL(9,2)'],
      ['t', 'DATE'],
      ['l', 'INTEGER[]'],
      ['a', 'VARCHAR'],
    ]);
    expect(
      await read(`SELECT i, d, t, l::VARCHAR, a FROM read_parquet(${literal}) ORDER BY a`),
    ).toEqual([
      ['1', '1.50', '2026-01-02', '[1, 2]', ''],
      ['1', '1.50', '2026-01-02', '[1, 2]', '1'],
    ]);
    connection.closeSync();
    instance.closeSync();
  });

  test.each(FORMATS)('that is cancelled is not there: %s', async (format) => {
    const into = join(folder, `cancelled-${format}`);
    const job = await start(format, ENDLESS, join(into, `x.${format}`));
    await until('a file grows', () => existsSync(into) && readdirSync(into).length > 0);
    expect(await admin.jobs.cancel({ id: job.id })).toMatchObject({ id: job.id });
    expect(await jobEnded(admin, job)).toMatchObject({
      ...{ state: 'cancelled', fault: null, result: null, endedAt: TIME },
    });
    expect(readdirSync(into)).toEqual([]);
  });

  test.each(FORMATS)('that is cancelled at once is not there: %s', async (format) => {
    const path = join(folder, `at-once.${format}`);
    const job = await start(format, ENDLESS, path);
    await admin.jobs.cancel({ id: job.id });
    expect(await jobEnded(admin, job)).toMatchObject({ state: 'cancelled', result: null });
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  test.each(FORMATS)('that cannot be made fails the job alone: %s', async (format) => {
    const path = join(folder, `folder.${format}`);
    mkdirSync(join(`${path}.part`, 'inside'), { recursive: true });
    const ended = await jobEnded(admin, await start(format, SQL, path));
    expect(ended).toMatchObject({ state: 'failed', fault: expect.any(String), result: null });
    expect(existsSync(path)).toBe(false);
    expect((await admin.engine.status()).pid).toBe(server.pid);
  });

  test.each(['a.csv', './a.csv', '../a.csv', '', '~/a.csv'])(
    'has to be named with its whole path: "%s"',
    async (path) => {
      expect(await failureOf(start('csv', SQL, path))).toMatchObject({
        ...{ code: 'invalid_argument', status: 400 },
        message: 'Name the file with its whole path.',
      });
    },
  );

  test.each(['kb.csv', 'lab/kb.duckdb', 'lab/strata/streams/a/data/x.parquet'])(
    'never lands among the knowledgebases: "%s"',
    async (inside) => {
      const path = join(server.home, inside);
      expect(await failureOf(start('csv', SQL, path))).toMatchObject({
        ...{ code: 'invalid_argument', status: 400 },
        message: 'An export cannot be written among the knowledgebases.',
      });
    },
  );
});

describe.each(FORMATS)('SQL that may not run: %s', (format) => {
  test.each([
    ['writes', 'CREATE TABLE t AS SELECT 1', /only|read/i],
    ['writes a file', "COPY (SELECT 1) TO '/tmp/strata-no'", /only|read|Permission/i],
    ['is two statements', 'SELECT 1; SELECT 2', /./],
    ['breaks out', "SELECT 1) TO '/tmp/strata-no' (FORMAT csv); --", /./],
    ['is none', '  ', /There is no statement to run/],
    ['is wrong', 'SELECT nope', /nope/],
  ])('%s', async (name, sql, words) => {
    const path = join(folder, `${name}.${format}`);
    const ended = await jobEnded(admin, await start(format, sql, path));
    expect(ended).toMatchObject({ state: 'failed', fault: expect.stringMatching(words) });
    expect([path, `${path}.part`, '/tmp/strata-no'].filter(existsSync)).toEqual([]);
  });

  test('reads outside', async () => {
    const secret = join(folder, 'secret.csv');
    writeFileSync(secret, 'a\nsecret\n');
    const path = join(folder, `outside.${format}`);
    for (const sql of [
      `FROM read_csv('${secret}')`,
      `FROM '${secret}'`,
      `SELECT * FROM read_text('${secret}')`,
      `FROM glob('${folder}/*')`,
    ]) {
      const ended = await jobEnded(admin, await start(format, sql, path));
      expect(ended, sql).toMatchObject({ state: 'failed', fault: expect.any(String) });
      expect([path, `${path}.part`].filter(existsSync), sql).toEqual([]);
    }
  });
});

describe('a file that is fetched', () => {
  test.each(FORMATS)('with the token alone: %s', async (format) => {
    const { id } = await start(format, SQL);
    const { result } = await jobEnded(admin, { id });
    const whole = readFileSync(String(result?.path));
    const answer = await fetchExport(id);
    expect([answer.status, answer.text]).toEqual([200, whole.toString('utf8')]);
    expect(answer.headers).toMatchObject({
      'content-length': String(whole.length),
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const { status, document } = await fetchExport(id, {});
    expect([status, document.code]).toEqual([401, 'admin_token_wrong']);
    expect((await fetchExport(`${id}?token=${server.adminToken}`, {})).status).toBe(401);
  });

  test.each(['9999', '0', '-1', 'x', '1/..', '%31', ''])('404: "%s"', async (id) => {
    const { status, document } = await fetchExport(id);
    expect([status, document.code]).toEqual([404, 'no_such_route']);
  });

  test('404 while it is made, and after it was cancelled', async () => {
    const { id } = await start('csv', ENDLESS);
    expect((await fetchExport(id)).status).toBe(404);
    expect((await admin.jobs.list())[0]).toMatchObject({ id, state: 'running' });
    await admin.jobs.cancel({ id });
    await jobEnded(admin, { id });
    expect((await fetchExport(id)).status).toBe(404);
  });

  test('whoever hangs up is no bug', async () => {
    const { id } = await start('csv', "SELECT repeat('x', 1000) FROM range(100000)");
    await jobEnded(admin, { id });
    const socket = await openSocket(server.adminUrl);
    const { host } = new URL(server.adminUrl);
    socket.write(
      `GET /exports/${id} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${server.adminToken}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect((await admin.engine.status()).pid).toBe(server.pid);
  });

  test('is in no knowledgebase, and nothing of all this was a bug', async () => {
    expect((await admin.knowledgebases.list()).map(({ id }) => id)).toEqual(['lab']);
    expect(server.stderr()).not.toContain('PREMATURE');
  });
});
