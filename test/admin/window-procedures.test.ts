// The procedures that the window added, over HTTP: the log, settings, streams, profile, batches, queries.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { type Answer, sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, tempFolder } from '../helpers/server.ts';
import { failureOf, jobEnded } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const lab = { knowledgebase: 'lab' };
const readings = { knowledgebase: 'lab', stream: 'readings' };

const post = (stream: string, body: string, id?: string): Promise<Answer> =>
  sendBatch(server.stream('lab', stream), body, id ? { 'idempotency-key': id } : {});

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  await admin.streams.create({ ...readings });
  await post('readings', '{"a":"1","b":null}\n{"a":"2"}\n', 'z');
  await post('readings', '{"a":"2","c":"x"}\n{"a":"3"}\n{"a":"4"}\n', 'y');
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

describe('a knowledgebase', () => {
  const view = () => ({
    ...{
      id: 'lab',
      path: join(server.home, 'lab'),
      streams: 1,
      inHome: true,
      fault: null,
      createdAt: TIME,
    },
    ...{ createStreamsOnFirstPost: true, maxBodyBytes: 64_000_000 },
    freeBytes: expect.any(Number),
  });

  test('get and update, one setting at a time', async () => {
    const first = await admin.knowledgebases.get(lab);
    expect(first).toEqual({ ...view(), maxBodyBytes: expect.any(Number) });
    expect(first.freeBytes).toBeGreaterThan(0);
    const { maxBodyBytes } = first;
    expect(await admin.knowledgebases.update({ ...lab, maxBodyBytes: 1_024 })).toEqual({
      ...view(),
      maxBodyBytes: 1_024,
    });
    expect((await post('readings', `{"a":"${'x'.repeat(1_100)}"}`)).status).toBe(413);
    expect(await admin.knowledgebases.update({ ...lab, createStreamsOnFirstPost: false })).toEqual({
      ...view(),
      maxBodyBytes: 1_024,
      createStreamsOnFirstPost: false,
    });
    expect((await post('new', '{"a":"1"}\n')).document.code).toBe('no_such_stream');
    const back = { createStreamsOnFirstPost: true, maxBodyBytes };
    expect(await admin.knowledgebases.update({ ...lab, ...back })).toEqual({ ...view(), ...back });
    expect(await admin.knowledgebases.update(lab)).toEqual({ ...view(), ...back });
    expect(await admin.knowledgebases.get({ knowledgebase: 'LAB' })).toEqual({
      ...view(),
      ...back,
    });
  });

  test.each([1_023, 64_000_001, 2_000.5])('no body of %d bytes', async (maxBodyBytes) => {
    expect(await failureOf(admin.knowledgebases.update({ ...lab, maxBodyBytes }))).toMatchObject({
      ...{ code: 'invalid_argument', status: 400 },
    });
  });
});

describe('a stream', () => {
  test('get and update', async () => {
    const [listed] = await admin.streams.list(lab);
    const { lagMs: _, ...lasting } = listed as NonNullable<typeof listed>;
    const is = (change: object) => ({ ...lasting, lagMs: expect.any(Number), ...change });
    expect(await admin.streams.get({ ...lab, stream: 'READINGS' })).toEqual(is({}));
    const registered = ['a', 'b', 'c'];
    expect(await admin.streams.update({ ...readings, columns: registered })).toEqual(
      is({ registered }),
    );
    expect((await post('readings', '{"d":"1"}\n', 'bad')).status).toBe(400);
    const more = { received: lasting.received + 1, rejected: 1, openRejects: 1 };
    expect(await admin.streams.update({ ...readings, recogniseEqualBodies: true })).toEqual(
      is({ ...more, registered, recogniseEqualBodies: true }),
    );
    expect(
      await failureOf(admin.streams.update({ ...readings, columns: ['a', 'A'] })),
    ).toMatchObject({ code: 'invalid_argument', message: 'The column "A" stands twice.' });
    expect(await admin.streams.get(readings)).toEqual(
      is({ ...more, registered, recogniseEqualBodies: true }),
    );
    expect(await admin.streams.update({ ...readings, dateFolders: true })).toEqual(
      is({ ...more, registered, recogniseEqualBodies: true, dateFolders: true }),
    );
    const none = { columns: null, recogniseEqualBodies: false, dateFolders: false };
    expect(await admin.streams.update({ ...readings, ...none })).toEqual(is(more));
    const dated = { ...lab, stream: 'dated', dateFolders: true };
    expect(await admin.streams.create(dated)).toMatchObject({ stream: 'dated', dateFolders: true });
  });

  test('acknowledge: what was set aside is no error any more, and stays in the events', async () => {
    const well = await admin.streams.get(readings);
    const data = join(server.home, 'lab', 'strata', 'streams', 'readings', 'data');
    writeFileSync(join(data, 'broken.parquet'), 'no Parquet');
    await admin.knowledgebases.repair(lab);
    const { lagMs, lastLandedAt, ...lasting } = well;
    // A repair knows when a file landed from its time stamp alone.
    const now = { lagMs: expect.any(Number), lastLandedAt: TIME };
    expect([lagMs, lastLandedAt]).toEqual([now.lagMs, now.lastLandedAt]);
    const trouble = '1 broken file set aside';
    expect(await admin.streams.get(readings)).toEqual({
      ...{ ...lasting, ...now, status: 'error', trouble },
    });
    expect(await admin.streams.acknowledge(readings)).toEqual({ ...lasting, ...now });
    expect(await admin.streams.acknowledge({ ...lab, stream: 'READINGS' })).toEqual({
      ...{ ...lasting, ...now },
    });
    const kinds = (await admin.knowledgebases.events(lab)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'file-set-aside')).toEqual(['file-set-aside']);
    expect(await failureOf(admin.streams.acknowledge({ ...lab, stream: 'nope' }))).toMatchObject({
      code: 'no_such_stream',
      status: 404,
    });
  });

  test('profile: how often filled, and the newest examples', async () => {
    const column = (name: string, firstBatchId: string, filled: number, examples: string[]) => ({
      ...{ source: name, landed: name, firstSeenAt: TIME, firstBatchId },
      ...{ filled, sampled: 5, examples },
    });
    expect(await admin.streams.profile(readings)).toEqual([
      column('a', 'z', 5, ['4', '3', '2']),
      column('b', 'z', 0, []),
      column('c', 'y', 1, ['x']),
    ]);
    await admin.streams.create({ ...lab, stream: 'profiled', columns: ['a'] });
    for (const profile of await admin.streams.profile({ ...lab, stream: 'profiled' })) {
      expect(profile).toMatchObject({ filled: null, sampled: 0, examples: [] });
    }
  });

  test('batch: one with its place', async () => {
    const [newest, oldest] = await admin.streams.batches(readings);
    expect(await admin.streams.batch({ ...readings, batchId: 'y' })).toEqual({
      ...newest,
      ...{ batchId: 'y', rows: 3, firstRow: 2 },
    });
    expect(await admin.streams.batch({ ...readings, batchId: 'Z' })).toEqual({
      ...oldest,
      ...{ batchId: 'z', rows: 2, firstRow: 0 },
    });
    expect(await failureOf(admin.streams.batch({ ...readings, batchId: 'x' }))).toMatchObject({
      code: 'invalid_argument',
      message: 'No batch "x" has landed.',
    });
  });

  test('rates: a quarter of an hour of each that landed', async () => {
    const { periodMs, at, rowsPerSecond } = await admin.streams.rates(lab);
    expect([periodMs, at, Object.keys(rowsPerSecond)]).toEqual([5_000, TIME, ['readings']]);
    const list = rowsPerSecond.readings ?? [];
    expect(list.length).toBe(180);
    expect(Math.round(list.reduce((sum, rate) => sum + rate, 0) * 5)).toBe(5);
  });

  test('that is not there is said', async () => {
    const nope = { ...lab, stream: 'nope' };
    for (const call of [
      () => admin.streams.get(nope),
      () => admin.streams.update(nope),
      () => admin.streams.profile(nope),
      () => admin.streams.rows(nope),
      () => admin.streams.batch({ ...nope, batchId: 'z' }),
    ]) {
      expect(await failureOf(call())).toMatchObject({ code: 'no_such_stream', status: 404 });
    }
  });
});

describe('queries', () => {
  test('history: newest first, the same SQL once, faults with it, no later pages', async () => {
    expect(await admin.query.history(lab)).toEqual([]);
    for (const sql of ['SELECT 1', 'SELECT 2', 'SELECT 1']) await admin.query.run({ ...lab, sql });
    const fault = await failureOf(admin.query.run({ ...lab, sql: 'SELECT nope' }));
    await admin.query.run({ ...lab, sql: 'SELECT 3', offset: 1 });
    const past = (sql: string, failed: string | null = null) => ({
      ...{ id: expect.any(Number), sql, at: TIME, fault: failed },
      elapsedMs: failed === null ? expect.any(Number) : null,
    });
    const all = [past('SELECT nope', fault.message), past('SELECT 1'), past('SELECT 2')];
    expect(await admin.query.history(lab)).toEqual(all);
    expect(await admin.query.history({ ...lab, limit: 1 })).toEqual(all.slice(0, 1));
  });

  test('save, saved and remove; a name is there once; a repair keeps them', async () => {
    const save = (name: string, sql: string) => admin.query.save({ ...lab, name, sql });
    const first = await save('b', 'SELECT 1');
    expect(first).toEqual({ id: expect.any(Number), name: 'b', sql: 'SELECT 1', at: TIME });
    const second = await save('A', 'SELECT 2');
    expect(await admin.query.saved(lab)).toEqual([second, first]);
    const third = await save('b', 'SELECT 3');
    expect(await admin.query.saved(lab)).toEqual([second, third]);
    const history = await admin.query.history(lab);
    await admin.knowledgebases.repair(lab);
    expect(await admin.query.saved(lab)).toEqual([second, third]);
    expect(await admin.query.history(lab)).toEqual(history);
    expect(await admin.query.remove({ ...lab, id: second.id })).toEqual({ id: second.id });
    expect(await admin.query.saved(lab)).toEqual([third]);
    expect((await failureOf(save('', 'SELECT 1'))).code).toBe('invalid_argument');
  });
});

test('engine.log: the newest lines, oldest first, as many as asked for', async () => {
  const before = await admin.engine.log({ limit: 1_000 });
  // A file cannot take a folder's name: not foreseen, and so in the log.
  for (let count = 0; count < 2; count += 1) {
    const path = tempFolder();
    const job = await admin.query.export({ ...lab, sql: 'SELECT 1', format: 'csv', path });
    expect(await jobEnded(admin, job)).toMatchObject({ state: 'failed' });
  }
  const lines = await admin.engine.log({ limit: 1_000 });
  expect(lines.slice(0, before.length)).toEqual(before);
  const added = lines.slice(before.length).map((line) => JSON.parse(line));
  const bug = { at: TIME, level: 'error', message: expect.any(String), part: 'job' };
  expect(added).toMatchObject([bug, bug]);
  expect(await admin.engine.log({ limit: 1 })).toEqual(lines.slice(-1));
  expect(await admin.engine.log({})).toEqual(lines.slice(-100));
  expect((await failureOf(admin.engine.log({ limit: 1_001 }))).code).toBe('invalid_argument');
});
