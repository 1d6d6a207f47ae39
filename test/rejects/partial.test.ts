// Landing in part: good lines land with the lines that they have, bad ones become one reject of the batch.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, valuesOf } from '../helpers/admin.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';

let server: Server;
let admin: AdminClient;
const at = { knowledgebase: 'lab', stream: 'part' };

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  await admin.streams.create({ ...at, columns: ['a', 'b'] });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const BODY = '\ufeff{"a":1}\n\n{"z":2}\r\n{"b":3}\nnope\n{"a":6,"b":7}';

const send = async (body: string, id: string, stream = 'part') => {
  const answer = await post(server.stream('lab', stream), body, { 'x-batch-id': id });
  return { status: answer.status, ...(await answer.json()) };
};
const rows = () =>
  valuesOf(
    admin,
    'lab',
    `SELECT concat_ws(' ', _batch_id, _line, a, b) FROM raw_extracted."stream_part" ORDER BY 1`,
  );
const verifyHolds = async () => {
  const { holds, streams } = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
  expect([holds, streams.flatMap(({ differences }) => differences)]).toEqual([true, []]);
};

describe('a stream that lands in part', () => {
  test('is off unless it is set so', async () => {
    expect(await send(BODY, 'first')).toMatchObject({ status: 400, code: 'unknown_column' });
    expect((await admin.streams.update({ ...at, partialLanding: true })).partialLanding).toBe(true);
    const settings = join(server.home, 'lab/strata/streams/part/stream.json');
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ partial_landing: true });
  });

  test('answers 200 with what landed and what did not, and the same again', async () => {
    const first = await send(BODY, 'p1');
    expect(first).toEqual({
      ...{ status: 200, batch_id: 'p1', rows: 3, bytes: Buffer.byteLength(BODY) },
      ...{ replayed: false, landed_at: TIME, rejected: 2, reject_id: 'p1' },
    });
    expect(await send(BODY, 'P1')).toEqual({ ...first, replayed: true });
    expect(await rows()).toEqual(['p1 1 1', 'p1 4 3', 'p1 6 6 7']);
    expect(await send(BODY.replace('6', '8'), 'p1')).toMatchObject({
      ...{ status: 422, code: 'batch_id_conflict', reject_id: 'p1~2' },
    });
    await verifyHolds();
  });

  test('keeps the bad lines alone, with their numbers in the POST', async () => {
    const failed = join(server.home, 'lab/strata/streams/part/failed');
    expect(readFileSync(join(failed, 'p1.ndjson'), 'utf8')).toBe('{"z":2}\r\nnope\n');
    const detail = await admin.rejects.get({ ...at, rejectId: 'p1' });
    expect(detail).toMatchObject({
      ...{ state: 'open', partOf: 'p1', status: 200, sourceLines: [3, 5], times: 1, field: 'z' },
      ...{ code: 'unknown_column', line: 1, column: 2, faultCount: 2, bodyBytes: 14 },
    });
    expect(detail.faults).toEqual([
      {
        ...{ code: 'unknown_column', line: 1, column: 2 },
        message: 'Line 1, column 2: the field "z" is not a registered column.',
      },
      {
        ...{ code: 'not_json', line: 2, column: 2 },
        message: 'Line 2, column 2: "o" stands where the rest of the word null is expected.',
      },
    ]);
    expect(detail.now).toMatchObject({ ok: false, badLines: [1, 2], records: 0, lines: 2 });
  });

  test('counts POSTs once, and lines', async () => {
    // first: 400. p1: landed, replayed, and another body under its id.
    expect(await admin.streams.get(at)).toMatchObject({
      ...{ received: 4, landed: 1, rejected: 2, replayed: 1, refused: 0, repaired: 0 },
      ...{ rows: 3, files: 1, linesRejected: 2, openRejects: 3 },
    });
    expect(await admin.streams.batch({ ...at, batchId: 'p1' })).toMatchObject({
      ...{ rows: 3, linesRejected: 2, partRejectId: 'p1', rejectId: null },
    });
  });

  test('rejects the whole where no line is good, or the good ones cannot land', async () => {
    expect(await send('{"z":1}\nx\n', 'none')).toMatchObject({ status: 400, reject_id: 'none' });
    expect((await admin.rejects.get({ ...at, rejectId: 'none' })).partOf).toBe(null);
    await admin.streams.create({ ...at, stream: 'bare' });
    await admin.streams.update({ ...at, stream: 'bare', partialLanding: true });
    expect(await send('{}\nx\n', 'empty', 'bare')).toMatchObject({
      status: 400,
      code: 'no_columns',
    });
  });

  test('lands the rest when it is mended, with the lines of the POST', async () => {
    const fixes = [
      { kind: 'rename-field' as const, field: 'z', to: 'a' },
      { kind: 'drop-lines' as const },
    ];
    // Its batch has landed, so that the rest lands under an id of its own.
    const { batchId } = await admin.rejects.check({ ...at, rejectId: 'p1', fixes });
    const done = await admin.rejects.replay({ ...at, rejectId: 'p1', fixes });
    expect(done).toMatchObject({ landed: true, attempt: { number: 1, rows: 1, batchId } });
    const { landedAs } = done.reject;
    expect(landedAs).toMatch(/^reject-[0-9a-f]{32}$/);
    expect(await rows()).toEqual(['p1 1 1', 'p1 4 3', 'p1 6 6 7', `${landedAs} 3 2`].sort());
    expect(await send(BODY, 'p1')).toMatchObject({ status: 200, replayed: true, rows: 3 });
    await verifyHolds();
  });

  test('a reject can land its good lines, and the rest stays as a reject', async () => {
    const fixes = [{ kind: 'land-good-lines' as const }];
    const done = await admin.rejects.replay({ ...at, rejectId: 'first', fixes });
    expect(done).toMatchObject({ landed: true, attempt: { rows: 3, batchId: 'first' } });
    const rest = await admin.rejects.get({ ...at, rejectId: 'first~2' });
    expect(rest).toMatchObject({ state: 'open', partOf: 'first', sourceLines: [3, 5] });
    expect(await send(BODY, 'first')).toMatchObject({
      ...{ status: 200, replayed: true, rows: 3, rejected: 2, reject_id: 'first~2' },
    });
    expect(await admin.streams.get(at)).toMatchObject({ linesRejected: 4, repaired: 2 });
    await verifyHolds();
  });
});
