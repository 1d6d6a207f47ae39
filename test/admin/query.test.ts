// query.run over the contract: pages, places of errors, time limits, and that hanging up stops it.

import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { lakesOf } from '../helpers/lake.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  const body = Array.from({ length: 25 }, (_, n) => `{"n":"${n}"}`).join('\n');
  expect((await sendBatch(server.stream('lab', 'readings'), body)).status).toBe(200);
  await admin.knowledgebases.syncViews({ knowledgebase: 'lab' });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it answered',
    (error: unknown) => {
      if (!(error instanceof ORPCError)) throw error;
      const { code, status, message, data } = error;
      return { code, status, message, data };
    },
  );

/** Whether the server, or a process of its own, has kb.duckdb open: only while a query runs. */
const holdsFile = (): boolean => [server.pid, ...lakesOf(server.pid)].some(hasOpen);

const hasOpen = (pid: number): boolean => {
  const fds = `/proc/${pid}/fd`;
  return readdirSync(fds).some((fd) => {
    try {
      return readlinkSync(join(fds, fd)) === join(server.home, 'lab', 'kb.duckdb');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  });
};

// What is open is seen through /proc.
describe.skipIf(process.platform !== 'linux')('kb.duckdb is let go (seen on Linux alone)', () => {
  test('when the caller hangs up, which stops the query', async () => {
    const abort = new AbortController();
    const input = { knowledgebase: 'lab', sql: ENDLESS, timeoutMs: 3_600_000 };
    const ended = admin.query.run(input, { signal: abort.signal }).then(
      () => 'it answered',
      (error: Error) => error.name,
    );
    await until('the query runs', holdsFile);
    abort.abort();
    expect(await ended).toBe('AbortError');
    await until('the query has ended', () => !holdsFile());
    const synced = await admin.knowledgebases.syncViews({ knowledgebase: 'lab' });
    expect(synced).toEqual({ done: true, waitingFor: null });
  });

  test.each([
    ['rows', 'FROM stream_readings', {}],
    ['a page of many', 'FROM stream_readings', { limit: 1 }],
    ['a page of very many', 'FROM range(1000000)', { offset: 500_000, limit: 10 }],
    ['no row', 'FROM stream_readings WHERE false', {}],
    ['what it would do', 'EXPLAIN FROM stream_readings', {}],
    ['a fault of the SQL', 'FROM', {}],
    ['a fault of a value', "SELECT 'x'::INTEGER", {}],
    [
      'a fault after many rows',
      "SELECT CASE range WHEN 500000 THEN error('late') END FROM range(1000000)",
      { offset: 499_999, limit: 10_000 },
    ],
    ['that it may not', 'DROP VIEW stream_readings', {}],
    ['that its time is up', ENDLESS, { timeoutMs: 50 }],
  ])('when the answer is there: %s', async (_, sql, options) => {
    await admin.query.run({ knowledgebase: 'lab', sql, ...options }).catch(() => {});
    await until('the file is let go', () => !holdsFile(), 3_000);
  });
});

test('gives pages, in order, and says whether there is another', async () => {
  const sql = 'SELECT n, _line FROM raw_extracted.stream_readings';
  const rows: (string | null)[] = [];
  for (let offset = 0; ; offset += 10) {
    const page = await admin.query.run({ knowledgebase: 'lab', sql, offset, limit: 10 });
    rows.push(...page.rows.map((row) => row[0] as string));
    expect(page).toEqual({
      columns: [
        { name: 'n', type: 'VARCHAR' },
        { name: '_line', type: 'BIGINT' },
      ],
      rows: Array.from({ length: Math.min(10, 25 - offset) }, (_, at) => [
        ...[String(offset + at), String(offset + at + 1)],
      ]),
      more: offset < 20,
      elapsedMs: expect.any(Number),
      unavailable: null,
    });
    if (!page.more) break;
  }
  expect(rows).toEqual(Array.from({ length: 25 }, (_, n) => String(n)));
});

test('says where an error is', async () => {
  expect(
    await failureOf(
      admin.query.run({ knowledgebase: 'lab', sql: 'SELECT n\nFROM stream_readings\nWHERE x = 1' }),
    ),
  ).toEqual({
    code: 'query_failed',
    status: 400,
    message: expect.stringContaining('x'),
    data: {
      hint: 'Correct the SQL and run it again.',
      details: { line: 3, column: 7, unavailable: null },
    },
  });
});

test('stops at its time limit', async () => {
  expect(
    await failureOf(admin.query.run({ knowledgebase: 'lab', sql: ENDLESS, timeoutMs: 100 })),
  ).toEqual({
    code: 'query_timeout',
    status: 408,
    message: 'The query was stopped after 0.1 s.',
    data: { hint: 'Narrow it, or raise the time limit.', details: { timeoutMs: 100 } },
  });
});
