// query.run over the contract: pages, places of errors, time limits, and that hanging up stops it.

import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
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

/** Whether the server has kb.duckdb open: only while a query runs. */
const holdsFile = (): boolean => {
  const fds = `/proc/${server.pid}/fd`;
  return readdirSync(fds).some((fd) => {
    try {
      return readlinkSync(join(fds, fd)) === join(server.home, 'lab', 'kb.duckdb');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  });
};

test.skipIf(process.platform !== 'linux')(
  'stops when the caller hangs up (seen through /proc, so on Linux)',
  async () => {
    const abort = new AbortController();
    const call = admin.query.run(
      { knowledgebase: 'lab', sql: ENDLESS, timeoutMs: 3_600_000 },
      { signal: abort.signal },
    );
    const ended = call.then(
      () => 'it answered',
      (error: Error) => error.name,
    );
    await until('the query runs', holdsFile);
    abort.abort();
    expect(await ended).toBe('AbortError');
    await until('the query has ended and let go of its file', () => !holdsFile());
    expect(await admin.knowledgebases.syncViews({ knowledgebase: 'lab' })).toEqual({
      done: true,
      waitingFor: null,
    });
  },
);
