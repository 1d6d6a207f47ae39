// Every procedure of the contract, over HTTP as a face calls it: whole answers, and errors with code, hint, details.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../core/contract.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { failureOf } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

/** A call as the tests write it. */
const CALL = /\badmin((?:\s*\.\s*\w+){2,3})\(/g;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const lab = { knowledgebase: 'lab' };
const readings = { knowledgebase: 'lab', stream: 'readings' };

const totals = (stream: string, change: object = {}) => ({
  ...{ stream, createdAt: TIME, received: 0, landed: 0, rejected: 0, replayed: 0, refused: 0 },
  ...{
    openRejects: 0,
    repaired: 0,
    linesRejected: 0,
    rows: 0,
    files: 0,
    sizeBytes: 0,
    lastLandedAt: null,
  },
  ...change,
});

/** What a stream says of compaction where none has run. */
const uncompacted = (looseFiles: number) => ({
  compaction: { policy: 'suggested', files: 2_000, retentionDays: 7 },
  ...{ looseFiles, compactionSuggested: false },
});

const post = (body: string, id: string) =>
  sendBatch(server.stream('lab', 'readings'), body, {
    'idempotency-key': id,
    'user-agent': 'test/1',
  });

test('every procedure is called by a test of this folder', () => {
  const namesIn = (rooms: object, before = ''): string[] =>
    Object.entries(rooms).flatMap(([name, inner]) =>
      '~orpc' in inner ? [`${before}${name}`] : namesIn(inner, `${before}${name}.`),
    );
  const names = namesIn(contract);
  const folder = join(process.cwd(), 'test', 'admin');
  const called = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(CALL)])
    .map(([, path]) => (path as string).replace(/\s/g, '').slice(1));
  expect(names.filter((name) => !called.includes(name))).toEqual([]);
});

describe.sequential('the procedures', () => {
  test('engine.status', async () => {
    expect(await admin.engine.status()).toEqual({
      version: manifest.version,
      pid: server.pid,
      startedAt: TIME,
      home: server.home,
      ingestUrl: server.ingestUrl,
      listener: {
        ...{ host: '127.0.0.1', port: Number(new URL(server.ingestUrl).port) },
        ...{ url: server.ingestUrl, tokenNeeded: false, headerTimeoutMs: 10_000 },
        ...{ bodyTimeoutMs: 60_000, keepAliveMs: 65_000, inFlightBatchesPerStream: 256 },
        inFlightBytesPerStream: 33_554_432,
      },
      waiting: [],
    });
  });

  test('knowledgebases.create and list', async () => {
    const path = join(server.home, 'lab');
    const made = { id: 'lab', path, streams: 0, inHome: true, fault: null };
    expect(await admin.knowledgebases.list()).toEqual([]);
    expect(await admin.knowledgebases.create({ id: 'lab' })).toEqual(made);
    expect(await admin.knowledgebases.list()).toEqual([made]);
    expect(await failureOf(admin.knowledgebases.create({ id: 'Lab' }))).toEqual({
      code: 'knowledgebase_exists',
      status: 409,
      message: `There is a folder ${made.path} already.`,
      data: { hint: 'Choose another id.', details: {} },
    });
    expect(await failureOf(admin.knowledgebases.create({ id: 'a/b' }))).toMatchObject({
      ...{ code: 'invalid_knowledgebase_id', status: 400 },
    });
  });

  test('streams.create and list', async () => {
    const fixed = {
      ...totals('fixed'),
      status: 'new',
      lagMs: null,
      registered: ['a', 'B'],
      recogniseEqualBodies: false,
      ...{ dateFolders: false, trouble: null, partialLanding: false },
      ...uncompacted(0),
    };
    const made = await admin.streams.create({ ...lab, stream: 'fixed', columns: ['a', 'B'] });
    expect(made).toEqual(fixed);
    const open = {
      ...totals('readings'),
      status: 'new',
      lagMs: null,
      registered: null,
      recogniseEqualBodies: false,
      ...{ dateFolders: false, trouble: null, partialLanding: false },
      ...uncompacted(0),
    };
    expect(await admin.streams.create(readings)).toEqual(open);
    expect(await admin.streams.list(lab)).toEqual([fixed, open]);
    expect(await failureOf(admin.streams.create(readings))).toMatchObject({
      ...{ code: 'stream_exists', status: 409 },
      data: { hint: 'Choose another id.', details: {} },
    });
    expect(
      await failureOf(admin.streams.create({ ...lab, stream: 'x', columns: ['a', 'A'] })),
    ).toMatchObject({
      ...{ code: 'invalid_argument', status: 400 },
      message: 'The column "A" stands twice.',
    });
  });

  test('streams.batches, columns and list, after three batches, a replay and a reject', async () => {
    for (const [at, body] of [
      '{"a":"1"}\n',
      '{"A":"2","filename":"x"}\n',
      '{"a":"3"}\n{}\n',
    ].entries()) {
      expect((await post(body, `run-${at}`)).status).toBe(200);
    }
    expect((await post('{"a":"1"}\n', 'run-0')).document.replayed).toBe(true);
    expect((await post('{"a":\n', 'run-bad')).status).toBe(400);

    const batches = await admin.streams.batches(readings);
    const batch = (at: number, rows: number, bodyBytes: number, replays = 0) => ({
      firstRow: at,
      ...{
        seq: expect.any(Number),
        stream: 'readings',
        batchId: `run-${at}`,
        file: `run-${at}.parquet`,
        landedFile: null,
        rowInFile: 0,
      },
      ...{
        rows,
        bodyBytes,
        sizeBytes: expect.any(Number),
        sha256: SHA256,
        sender: '127.0.0.1 test/1',
      },
      ...{ receivedAt: TIME, landedAt: TIME, replays, lastReplayedAt: replays ? TIME : null },
      recovered: false,
      ...{ rejectId: null, rejectSha256: null, partRejectId: null, linesRejected: 0 },
    });
    expect(batches).toEqual([batch(2, 2, 13), batch(1, 1, 25), batch(0, 1, 10, 1)]);
    const [newest, middle, oldest] = batches;
    const page = (beforeSeq: number | undefined, limit: number) =>
      admin.streams.batches({ ...readings, limit, ...(beforeSeq ? { beforeSeq } : {}) });
    expect(await page(undefined, 1)).toEqual([newest]);
    expect(await page(newest?.seq, 1)).toEqual([middle]);
    expect(await page(middle?.seq, 9)).toEqual([oldest]);
    expect(await page(oldest?.seq, 9)).toEqual([]);

    expect(await admin.streams.columns(readings)).toEqual([
      { source: 'a', landed: 'a', firstSeenAt: TIME, firstBatchId: 'run-0' },
      { source: 'filename', landed: 'filename_', firstSeenAt: TIME, firstBatchId: 'run-1' },
    ]);
    const [, summary] = await admin.streams.list(lab);
    // On a machine that is busy with other tests a landing may take as long.
    const isSlow = (summary?.lagMs ?? 0) > 1_000;
    expect(summary).toEqual({
      ...totals('readings', { received: 5, landed: 3, rejected: 1, replayed: 1, openRejects: 1 }),
      ...{ rows: 4, files: 3, registered: null, lagMs: expect.any(Number) },
      status: isSlow ? 'lagging' : 'landing',
      recogniseEqualBodies: false,
      ...{ dateFolders: false, partialLanding: false },
      trouble: isSlow ? expect.any(String) : null,
      ...uncompacted(3),
      sizeBytes: batches.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      lastLandedAt: newest?.landedAt,
    });
    const missing = { ...lab, stream: 'nope' };
    const noSuchStream = {
      ...{ code: 'no_such_stream', status: 404 },
      message: 'There is no stream "nope" in lab.',
      data: { hint: 'Create it with: strata stream create KB STREAM.', details: {} },
    };
    expect(await failureOf(admin.streams.batches(missing))).toEqual(noSuchStream);
    expect(await failureOf(admin.streams.columns(missing))).toEqual(noSuchStream);
    expect(await failureOf(admin.rejects.list(missing))).toEqual(noSuchStream);
  });

  test('rejects.list', async () => {
    const reject = {
      ...{
        stream: 'readings',
        rejectId: 'run-bad',
        batchId: 'run-bad',
        state: 'open',
        code: 'not_json',
      },
      ...{ message: expect.stringMatching(/^Line 1/), line: 1, column: 6, faultCount: 1 },
      ...{ sender: '127.0.0.1 test/1', receivedAt: TIME, lastReceivedAt: TIME, times: 1 },
      ...{ bodyBytes: 6, sha256: SHA256, field: null, shape: 'cut_short', attempts: 0 },
      ...{ changedAt: null, changedBy: null, landedAs: null, partOf: null, bodyRemovedAt: null },
    };
    const page = { rejects: [reject], cursor: null, searched: 0 };
    expect(await admin.rejects.list(lab)).toEqual(page);
    expect(await admin.rejects.list({ ...lab, stream: 'READINGS' })).toEqual(page);
    expect(await admin.rejects.list({ ...lab, stream: 'fixed' })).toEqual({ ...page, rejects: [] });
  });

  test('tokens.create, list and revoke', async () => {
    const made = await admin.tokens.create({ ...readings, label: 'gateway' });
    const token = {
      ...{ id: expect.stringMatching(/^[0-9a-f]{8}$/), label: 'gateway', stream: 'readings' },
      createdAt: TIME,
    };
    expect(made).toEqual({ token, secret: expect.stringMatching(/^strata_[\w-]{43}$/) });
    expect(await admin.tokens.list(lab)).toEqual([made.token]);
    expect((await post('{"a":"4"}\n', 'run-4')).status).toBe(401);
    expect(await admin.tokens.revoke({ ...lab, id: made.token.id })).toEqual(made.token);
    expect(await admin.tokens.list(lab)).toEqual([]);
    expect(await failureOf(admin.tokens.revoke({ ...lab, id: made.token.id }))).toMatchObject({
      code: 'invalid_argument',
      message: `There is no token "${made.token.id}".`,
    });
    expect(await failureOf(admin.tokens.create({ ...lab, stream: 'con' }))).toMatchObject({
      code: 'invalid_stream_id',
      status: 404,
    });
  });

  test('knowledgebases.syncViews, verify, repair and events', async () => {
    expect(await admin.knowledgebases.syncViews(lab)).toEqual({ done: true, waitingFor: null });
    const proof = await admin.knowledgebases.verify(lab);
    const [, summary] = await admin.streams.list(lab);
    const {
      status: _,
      lagMs: __,
      registered: ___,
      recogniseEqualBodies: ____,
      dateFolders: _____,
      trouble: ______,
      partialLanding: _______,
      compaction: ________,
      looseFiles: _________,
      compactionSuggested: __________,
      ...sums
    } = summary as NonNullable<typeof summary>;
    expect(proof).toEqual({
      ...{ knowledgebase: 'lab', holds: true, model: null, differences: [] },
      streams: [
        { totals: totals('fixed'), refusals: [], viewRows: null, differences: [] },
        { totals: sums, refusals: [], viewRows: 4, differences: [] },
      ],
    });
    expect(await admin.knowledgebases.repair(lab)).toEqual({
      ...{ recorded: 3, setAside: [], missing: [], swept: 0, broken: [], damagedLedger: null },
    });
    // When a file landed is known from its time stamp alone by now, which is some ms earlier.
    const rebuilt = {
      totals: { ...sums, lastLandedAt: TIME },
      refusals: [],
      viewRows: 4,
      differences: [],
    };
    expect((await admin.knowledgebases.verify(lab)).streams).toEqual([proof.streams[0], rebuilt]);

    const events = await admin.knowledgebases.events(lab);
    const event = (kind: string, stream: string | null, message: string, level = 'info') => ({
      ...{ seq: expect.any(Number), at: TIME, level, kind, stream, message },
    });
    expect(events).toEqual([
      event('ledger-rebuilt', null, 'The ledger was rebuilt from the folder: 3 batches.', 'warn'),
      event('view-created', 'readings', 'The view of readings is there.'),
      event('stream-created', 'readings', 'The stream readings was created.'),
      event('stream-created', 'fixed', 'The stream fixed was created.'),
    ]);
    expect(await admin.knowledgebases.events({ ...lab, limit: 1 })).toEqual(events.slice(0, 1));
  });
});

describe('a knowledgebase that is not there', () => {
  const nope = { knowledgebase: 'nope' };
  test.each<[string, () => Promise<unknown>]>([
    ['verify', () => admin.knowledgebases.verify(nope)],
    ['repair', () => admin.knowledgebases.repair(nope)],
    ['syncViews', () => admin.knowledgebases.syncViews(nope)],
    ['events', () => admin.knowledgebases.events(nope)],
    ['streams', () => admin.streams.list(nope)],
    ['tokens', () => admin.tokens.list(nope)],
    ['query', () => admin.query.run({ ...nope, sql: 'SELECT 1' })],
  ])('is said with the next step: %s', async (_, call) => {
    expect(await failureOf(call())).toEqual({
      code: 'no_such_knowledgebase',
      status: 404,
      message: 'There is no knowledgebase "nope".',
      data: {
        hint: 'List them with: strata kb list. Create one with: strata kb create ID.',
        details: {},
      },
    });
  });
});

describe('input that the contract does not allow', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['no SQL', () => admin.query.run({ ...lab, sql: '' })],
    ['a page of nothing', () => admin.query.run({ ...lab, sql: 'SELECT 1', limit: 0 })],
    ['an endless page', () => admin.knowledgebases.events({ ...lab, limit: 1_001 })],
    ['no id', () => admin.knowledgebases.create({ id: '' })],
    ['a number for an id', () => admin.knowledgebases.create({ id: 7 as unknown as string })],
    ['nothing', () => admin.streams.list(undefined as unknown as { knowledgebase: string })],
  ])('is a code of the catalogue: %s', async (_, call) => {
    expect(await failureOf(call())).toMatchObject({
      ...{ code: 'invalid_argument', status: 400 },
      message: expect.stringMatching(/^The input cannot be used\. [\w.]+: [^.]+\.$/),
      data: { hint: 'See: strata --help.', details: { issues: [expect.any(Object)] } },
    });
  });
});
