// Knowledgebases elsewhere, over HTTP: opened and taken off the list while producers send, by a face and by a command.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import { NDJSON, sendBatch, startUpload } from '../helpers/raw-http.ts';
import {
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';
import { failureOf } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;
let folder: string;

const far = { knowledgebase: 'far' };

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  const other = tempFolder();
  await strata(other, ['kb', 'create', 'far']);
  folder = join(other, 'far');
});
afterAll(async () => {
  expect(server.stderr()).toBe('');
  await server.stop();
  removeTempFolders();
});

const summary = (path: string, streams: number, fault: string | null = null) => ({
  ...{ id: 'far', path, streams, inHome: false, fault },
});

const post = (body: string, id: string) =>
  sendBatch(server.stream('far', 's'), body, { 'idempotency-key': id });

test('open: producers can send to it, views are there, it is in the list', async () => {
  expect((await post('{"a":"1"}\n', 'one')).status).toBe(404);
  expect(await admin.knowledgebases.open({ path: folder })).toEqual(summary(folder, 0));
  expect((await post('{"a":"1"}\n', 'one')).document).toMatchObject({ replayed: false });
  expect(await admin.knowledgebases.list()).toEqual([summary(folder, 1)]);
  expect(await admin.knowledgebases.get(far)).toMatchObject(summary(folder, 1));
  expect(await rowsInView(admin, 'far', 's')).toBe(1);
  expect(await failureOf(admin.knowledgebases.open({ path: join(folder, 'strata') }))).toEqual({
    ...{ code: 'not_a_knowledgebase', status: 409 },
    message: `There is no ${join(folder, 'strata', 'knowledgebase.json')}.`,
    data: {
      hint: 'A knowledgebase has a knowledgebase.json; create one with: strata kb create ID.',
      details: { reason: 'Its knowledgebase.json is missing.' },
    },
  });
});

test('no export is written into it', async () => {
  const path = join(folder, 'strata', 'streams', 's', 'data', 'x.parquet');
  expect(
    await failureOf(
      admin.query.export({ ...far, sql: 'SELECT 1', format: 'parquet', name: 'x', path }),
    ),
  ).toMatchObject({
    code: 'invalid_argument',
    message: 'An export cannot be written among the knowledgebases.',
  });
});

test('forget: a POST that has begun lands, a later one gets 404, and it can be opened again', async () => {
  const upload = startUpload(server.stream('far', 's'), {
    headers: { ...NDJSON, expect: '100-continue', 'idempotency-key': 'two' },
  });
  upload.request.flushHeaders();
  expect(await upload.first).toBe(100);
  const forgotten = admin.knowledgebases.forget(far);
  await until('it is off the list', async () => (await admin.knowledgebases.list()).length === 0);
  const late = await post('{"a":"3"}\n', 'three');
  expect([late.status, late.document.code]).toEqual([404, 'no_such_knowledgebase']);
  upload.request.end('{"a":"2"}\n');
  expect(await upload.answer).toMatchObject({ status: 200, document: { replayed: false } });
  expect(await forgotten).toEqual(summary(folder, 1));
  expect(await failureOf(admin.knowledgebases.forget(far))).toMatchObject({
    ...{ code: 'no_such_knowledgebase', status: 404 },
  });
  await admin.knowledgebases.open({ path: folder });
  expect(await rowsInView(admin, 'far', 's')).toBe(2);
  expect((await post('{"a":"2"}\n', 'two')).document).toMatchObject({ replayed: true });
});

test('forget: a body that does not come is not waited for, and nothing of it counts', async () => {
  const before = await admin.streams.get({ ...far, stream: 's' });
  const upload = startUpload(server.stream('far', 's'), {
    headers: { ...NDJSON, expect: '100-continue', 'idempotency-key': 'slow' },
  });
  upload.request.flushHeaders();
  expect(await upload.first).toBe(100);
  upload.request.write('{"a":"9"}\n');
  // Its sender has a minute for the rest.
  const began = performance.now();
  const forgotten = admin.knowledgebases.forget(far);
  const answer = await upload.answer;
  expect([answer.status, answer.document.code]).toEqual([503, 'knowledgebase_closing']);
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expect(await forgotten).toEqual(summary(folder, 1));
  expect(performance.now() - began).toBeLessThan(30_000);
  await admin.knowledgebases.open({ path: folder });
  const after = await admin.streams.get({ ...far, stream: 's' });
  expect([after.rows, after.files, after.refused]).toEqual([
    ...[before.rows, before.files],
    before.refused + 1,
  ]);
  expect((await admin.knowledgebases.verify(far)).holds).toBe(true);
  // Its sender lands it when it sends it again.
  expect((await post('{"a":"9"}\n', 'slow')).document).toMatchObject({ replayed: false, rows: 1 });
});

test('what was moved answers 503 until it is opened where it is', async () => {
  const now = join(tempFolder(), 'far away');
  renameSync(folder, now);
  const answer = await post('{"a":"3"}\n', 'three');
  expect(answer.document).toMatchObject({ code: 'folder_gone', status: 503 });
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  expect(await admin.knowledgebases.list()).toEqual([
    summary(folder, 0, `The folder is gone: ${folder}`),
  ]);
  expect(await admin.knowledgebases.open({ path: now })).toEqual(summary(now, 1));
  expect((await post('{"a":"3"}\n', 'three')).status).toBe(200);
  expect(await rowsInView(admin, 'far', 's')).toBe(4);
  folder = now;
});

test('commands beside it: what they forget and open, the server follows', async () => {
  expect(await strataJson(server.home, ['kb', 'forget', 'FAR'])).toEqual(summary(folder, 1));
  expect((await post('{"a":"4"}\n', 'four')).status).toBe(404);
  const moved = `${folder} again`;
  renameSync(folder, moved);
  expect(await strataJson(server.home, ['kb', 'open', moved])).toEqual(summary(moved, 1));
  await until('the server has closed what it had open', async () => {
    const { status } = await post('{"a":"4"}\n', 'four');
    return status === 200;
  });
  expect(await admin.knowledgebases.list()).toEqual([summary(moved, 1)]);
  expect(await rowsInView(admin, 'far', 's')).toBe(5);
  const opened = await strata(server.home, ['kb', 'open', moved]);
  expect([opened.code, opened.stdout]).toEqual([0, `Opened far: ${moved}\n`]);
  const listed = await strata(server.home, ['kb', 'list']);
  expect(listed.stdout).toContain(moved);
  const forgotten = await strata(server.home, ['kb', 'forget', 'far']);
  expect(forgotten.stdout).toBe(`far is not in the list any more. Its folder stays: ${moved}\n`);
  const again = await strata(server.home, ['kb', 'forget', 'far']);
  expect([again.code, again.stderr]).toEqual([
    1,
    'strata: There is no knowledgebase "far". List them with: strata kb list. Create one with: strata kb create ID.\n',
  ]);
});
