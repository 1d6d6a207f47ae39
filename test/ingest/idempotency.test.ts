// A batch id lands once: retried, retried after anything happened to the ledger, at once, in two processes.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView, streamOf } from '../helpers/admin.ts';
import { type Answer, sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, strataJson } from '../helpers/server.ts';

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

const BODY = '{"a":"1"}\n{"a":"2"}\n';

const folderOf = (stream: string, part: 'data' | 'failed' | '_tmp'): string =>
  join(server.home, 'lab', 'strata', 'streams', stream, part);

const land = (
  stream: string,
  id: string,
  body: string | Uint8Array = BODY,
  fields: Readonly<Record<string, string>> = {},
  to: Pick<Server, 'stream'> = server,
): Promise<Answer> =>
  sendBatch(to.stream('lab', stream), body, { 'idempotency-key': id, ...fields });

/** What a replay must be: the first answer, marked. */
const replayOf = (first: Answer) => ({ ...first.document, replayed: true });

const removeLedger = (home: string): void => {
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(home, 'lab', `ledger.sqlite${end}`), { force: true });
};

describe('the same id', () => {
  test('with the same body is a replay: the first answer again, no new row', async () => {
    const first = await land('retry', 'run-1');
    expect(first.document).toEqual({
      ...{ batch_id: 'run-1', rows: 2, bytes: 20, replayed: false },
      landed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (let again = 0; again < 2; again += 1) {
      const { status, document } = await land('retry', 'run-1');
      expect({ status, document }).toEqual({ status: 200, document: replayOf(first) });
    }
    expect(await rowsInView(admin, 'lab', 'retry')).toBe(2);
    expect(await streamOf(admin, 'lab', 'retry')).toMatchObject({
      received: 3,
      landed: 1,
      replayed: 2,
    });
    expect(readdirSync(folderOf('retry', 'data'))).toEqual(['run-1.parquet']);
    expect(readdirSync(folderOf('retry', '_tmp'))).toEqual([]);
  });

  test('in another case is the same batch, under its first spelling', async () => {
    const first = await land('case', 'Run-A');
    const { document } = await land('case', 'rUN-a');
    expect(document).toEqual(replayOf(first));
    expect(document.batch_id).toBe('Run-A');
    expect(readdirSync(folderOf('case', 'data'))).toEqual(['Run-A.parquet']);
    expect((await land('CASE', 'RUN-A')).document, 'and the stream likewise').toEqual(
      replayOf(first),
    );
  });

  test('in another stream is another batch', async () => {
    expect((await land('one', 'shared')).document.replayed).toBe(false);
    expect((await land('two', 'shared')).document.replayed).toBe(false);
  });

  test('packed or not, in quotes or not, is the same body', async () => {
    const first = await land('packed', 'run-1');
    const packed = await land('packed', '"run-1"', gzipSync(BODY), { 'content-encoding': 'gzip' });
    expect(packed.document).toEqual(replayOf(first));
    const packedFirst = await land('packed', 'run-2', gzipSync(BODY), {
      'content-encoding': 'gzip',
    });
    expect((await land('packed', 'run-2')).document).toEqual(replayOf(packedFirst));
    expect(await rowsInView(admin, 'lab', 'packed')).toBe(4);
  });

  test.each([
    ['another value', '{"a":"1"}\n{"a":"3"}\n'],
    ['other bytes of the same content', '{"a": "1"}\n{"a":"2"}\n'],
    ['one line less', '{"a":"1"}\n'],
    ['a body that is faulty itself', '{"a":\n'],
  ])('with another body is 422, and that body is kept: %s', async (what, other) => {
    const stream = `other-${what.replaceAll(' ', '-')}`;
    const first = await land(stream, 'run-1');
    const { status, document } = await land(stream, 'run-1', other);
    expect(status).toBe(422);
    const fault = { code: 'batch_id_conflict', line: null, column: null };
    const message = 'The batch id "run-1" has landed with a different body.';
    expect(document).toEqual({
      type: 'urn:strata:problem:batch_id_conflict',
      title: 'This batch id has landed with a different body',
      status: 422,
      detail: message,
      hint: 'Give every batch an id of its own; send the same body to repeat one.',
      ...fault,
      errors: [{ ...fault, message }],
      error_count: 1,
      reject_id: 'run-1',
      batch_id: 'run-1',
    });
    expect(readFileSync(join(folderOf(stream, 'failed'), 'run-1.ndjson'), 'utf8')).toBe(other);
    expect((await land(stream, 'run-1')).document, 'the first still replays').toEqual(
      replayOf(first),
    );
    expect(await rowsInView(admin, 'lab', stream)).toBe(2);
  });

  test('of a batch that was rejected lands with a body that is right', async () => {
    const bad = '{"a":\n';
    expect((await land('mended', 'run-1', bad)).document).toMatchObject({ reject_id: 'run-1' });
    expect((await land('mended', 'run-1', '{"b":\n')).document).toMatchObject({
      reject_id: 'run-1~2',
    });
    expect((await land('mended', 'run-1', bad)).document).toMatchObject({ reject_id: 'run-1' });
    expect((await land('mended', 'run-1')).document).toMatchObject({ rows: 2, replayed: false });
    const { rejects } = await admin.rejects.list({ knowledgebase: 'lab', stream: 'mended' });
    expect(rejects.map(({ rejectId, times }) => [rejectId, times])).toEqual([
      ['run-1~2', 1],
      ['run-1', 2],
    ]);
  });
});

test('a stream that knows batches by their body replays an equal one that came without an id', async () => {
  await strataJson(server.home, [
    ...['stream', 'create', 'lab', 'by-body', '--recognise-equal-bodies'],
  ]);
  const address = server.stream('lab', 'by-body');
  const answers = await Promise.all(Array.from({ length: 5 }, () => sendBatch(address, BODY)));
  const replays = answers.map(({ document }) => document.replayed).sort();
  expect(replays).toEqual([false, true, true, true, true]);
  expect((await sendBatch(address, '{"a":"3"}\n')).document.replayed).toBe(false);
  expect((await land('by-body', 'run-1')).document.replayed, 'an id of its own counts').toBe(false);
  expect(await rowsInView(admin, 'lab', 'by-body')).toBe(5);
  const packed = await sendBatch(address, gzipSync(BODY), { 'content-encoding': 'gzip' });
  expect(packed.document.replayed).toBe(true);
});

describe('at once', () => {
  test('20 requests with one id: one lands, 19 get its answer as replays', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => land('parallel', 'run-1')));
    const documents = answers.map(({ document }) => document);
    const landed = documents.filter(({ replayed }) => replayed === false);
    expect(landed).toHaveLength(1);
    expect(new Set(documents.map((one) => JSON.stringify({ ...one, replayed: true }))).size).toBe(
      1,
    );
    expect(await rowsInView(admin, 'lab', 'parallel')).toBe(2);
    expect(await streamOf(admin, 'lab', 'parallel')).toMatchObject({
      received: 20,
      landed: 1,
      replayed: 19,
    });
  });

  test('two bodies under one id in any case: one lands, the other is 422', async () => {
    const answers = await Promise.all([
      land('duel', 'Run-1', '{"a":"1"}\n'),
      land('duel', 'run-1', '{"a":"2"}\n'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await rowsInView(admin, 'lab', 'duel')).toBe(1);
  });

  test.each([
    ['one-spelling', (id: string) => id],
    ['two-spellings', (id: string) => id.toUpperCase()],
  ])('two processes on one folder: each id lands exactly once (%s)', async (stream, spelled) => {
    const other = await startServer({ home: server.home });
    const pairs = await Promise.all(
      Array.from({ length: 15 }, (_, at) =>
        Promise.all([
          land(stream, `run-${at}`, `{"n":"${at}"}\n`),
          land(stream, spelled(`run-${at}`), `{"n":"${at}"}\n`, {}, other),
        ]),
      ),
    );
    expect(await other.stop()).toBe(0);
    for (const pair of pairs) {
      expect(pair.map(({ status }) => status)).toEqual([200, 200]);
      expect(pair.map(({ document }) => document.replayed).sort()).toEqual([false, true]);
    }
    expect(await rowsInView(admin, 'lab', stream)).toBe(15);
    expect(await streamOf(admin, 'lab', stream)).toMatchObject({
      ...{ received: 30, landed: 15, replayed: 15 },
      ...{ rows: 15, files: 15 },
    });
  });
});

describe('a retry is recognised', () => {
  test('after the ledger was deleted while the server runs', async () => {
    const first = await land('lost', 'run-1');
    removeLedger(server.home);
    expect((await land('lost', 'RUN-1')).document).toMatchObject({
      batch_id: 'run-1',
      rows: 2,
      replayed: true,
    });
    expect((await land('lost', 'run-1', '{"a":"x"}\n')).status).toBe(422);
    expect((await land('lost', 'run-2')).document.replayed).toBe(false);
    expect(existsSync(join(server.home, 'lab', 'ledger.sqlite'))).toBe(true);
    expect(await rowsInView(admin, 'lab', 'lost')).toBe(4);
    expect(first.document.batch_id).toBe('run-1');
  });

  test('after a restart, and after the ledger was deleted and repaired', async () => {
    const first = await land('kept', 'run-1');
    expect(await server.stop()).toBe(0);
    server = await startServer({ home: server.home });
    admin = adminOf(server);
    expect((await land('kept', 'run-1')).document).toEqual(replayOf(first));

    expect(await server.stop()).toBe(0);
    removeLedger(server.home);
    const repair = await strataJson<{ recorded: number }>(server.home, ['repair', 'lab']);
    expect(repair.recorded).toBeGreaterThan(0);
    server = await startServer({ home: server.home });
    admin = adminOf(server);
    const { landed_at: _, ...same } = replayOf(first) as Record<string, unknown>;
    expect((await land('kept', 'Run-1')).document).toMatchObject(same);
    expect((await land('kept', 'run-1', '{"a":"x"}\n')).status).toBe(422);
    expect(await rowsInView(admin, 'lab', 'kept')).toBe(2);
  });

  test('and after all of it every promise holds', async () => {
    const proof = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
    expect([
      ...proof.differences,
      ...proof.streams.flatMap(({ differences }) => differences),
    ]).toEqual([]);
  });
});
