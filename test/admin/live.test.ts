// live.pulses: what happens arrives as it happens, gathered by stream, until the caller has heard enough.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamPulse } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const COUNTS = ['batches', 'rows', 'replayed', 'rejected', 'refused', 'rejectsChanged'] as const;
type Sums = Record<string, Record<(typeof COUNTS)[number], number>>;

const NOTHING = {
  ...{ batches: 0, rows: 0, replayed: 0, rejected: 0, refused: 0, rejectsChanged: 0 },
};

/** Adds what a report brought to the sums by stream. */
const add = (sums: Sums, report: readonly StreamPulse[]): void => {
  for (const pulse of report) {
    if (pulse.stream === null) throw new Error('No other process did anything.');
    const sum = sums[pulse.stream] ?? NOTHING;
    const added = COUNTS.map((count) => [count, sum[count] + pulse[count]]);
    sums[pulse.stream] = Object.fromEntries(added);
  }
};

test('gathers by stream what landed, was replayed, rejected and refused', async () => {
  const abort = new AbortController();
  const pulses = await admin.live.pulses(undefined, { signal: abort.signal });
  const wanted = {
    first: { batches: 60, rows: 120, replayed: 1, rejected: 0, refused: 0, rejectsChanged: 0 },
    second: { batches: 1, rows: 1, replayed: 0, rejected: 2, refused: 1, rejectsChanged: 0 },
  };
  const posting = (async () => {
    const first = server.stream('lab', 'first');
    const second = server.stream('lab', 'second');
    await Promise.all(Array.from({ length: 59 }, () => sendBatch(first, '{"a":"1"}\n{"a":"2"}\n')));
    const id = { 'idempotency-key': 'run-1' };
    await sendBatch(first, '{"a":"1"}\n{"a":"2"}\n', id);
    await sendBatch(first, '{"a":"1"}\n{"a":"2"}\n', id);
    await sendBatch(second, '{"a":"1"}\n');
    await sendBatch(second, '{"a":\n');
    await sendBatch(second, '\n');
    expect((await sendBatch(second, 'x'.repeat(1_048_577))).status).toBe(413);
  })();

  const sums: Sums = {};
  let reports = 0;
  for await (const report of pulses) {
    reports += 1;
    for (const pulse of report) {
      expect(pulse).toEqual({
        ...{ knowledgebase: 'lab', stream: expect.stringMatching(/^(first|second)$/), at: TIME },
        ...{ batches: expect.any(Number), rows: expect.any(Number), replayed: expect.any(Number) },
        ...{ rejected: expect.any(Number), refused: expect.any(Number) },
        rejectsChanged: 0,
      });
    }
    const streams = report.map(({ stream }) => stream);
    expect(new Set(streams).size, 'each stream once a report').toBe(streams.length);
    add(sums, report);
    if (JSON.stringify(sums) === JSON.stringify(wanted)) break;
    expect(sums.first?.batches ?? 0).toBeLessThanOrEqual(60);
  }
  await posting;
  expect(sums).toEqual(wanted);
  expect(reports, 'many events, few reports').toBeLessThan(30);
});

test('ends when it is aborted, while nothing happens', async () => {
  const abort = new AbortController();
  const pulses = await admin.live.pulses(undefined, { signal: abort.signal });
  const ended = (async () => {
    for await (const _ of pulses) throw new Error('nothing happens, so nothing is reported');
  })().then(
    () => 'ended',
    (error: Error) => error.name,
  );
  abort.abort();
  expect(await ended).toMatch(/^(ended|AbortError)$/);
});

test('several listeners hear the same, and none of them holds up the end of the server', async () => {
  const [one, other] = await Promise.all([admin.live.pulses(), admin.live.pulses()]);
  await sendBatch(server.stream('lab', 'third'), '{"a":"1"}\n');
  const pulse = {
    ...{ knowledgebase: 'lab', stream: 'third', at: TIME, batches: 1, rows: 1 },
    ...{ replayed: 0, rejected: 0, refused: 0, rejectsChanged: 0 },
  };
  expect((await one.next()).value).toEqual([pulse]);
  expect((await other.next()).value).toEqual([pulse]);
  const cut = one.next().then(
    () => 'ended',
    () => 'cut',
  );
  expect(await server.stop()).toBe(0);
  expect(await cut).toMatch(/^(ended|cut)$/);
});
