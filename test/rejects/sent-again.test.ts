// A producer sends its batch again while, or before, somebody lands what was rejected of it under an id of its own: it
// is there once, under one id, and the reject names it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fix } from '../../core/model.ts';
import { type AdminClient, adminOf, valuesOf } from '../helpers/admin.ts';
import { rejectIn, verifyHolds } from '../helpers/rejects.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';

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

const OWN: Fix = { kind: 'own-batch-id' };
const rowsIn = async (stream: string): Promise<number> =>
  Number(
    (await valuesOf(admin, 'lab', `SELECT count(*) FROM raw_extracted."stream_${stream}"`))[0],
  );

it('before: the reject has landed as the batch that came again', async () => {
  const at = { knowledgebase: 'lab', stream: 'before' };
  await admin.streams.create({ ...at, columns: ['a'] });
  const rejectId = await rejectIn(server, 'before', '{"b":1}\n', { 'x-batch-id': 'one' });
  await admin.streams.update({ ...at, columns: ['a', 'b'] });
  const again = await post(server.stream('lab', 'before'), '{"b":1}\n', { 'x-batch-id': 'ONE' });
  expect(await again.json()).toMatchObject({ batch_id: 'ONE', rows: 1, replayed: false });
  const { landed, reject } = await admin.rejects.replay({ ...at, rejectId, fixes: [OWN] });
  expect([landed, reject.state, reject.landedAs]).toEqual([true, 'replayed', 'ONE']);
  expect(await rowsIn('before')).toBe(1);
});

it('in the same moment: whoever is first lands it, the other finds it', async () => {
  const at = { knowledgebase: 'lab', stream: 'moment' };
  await admin.streams.create({ ...at, columns: ['a'] });
  const TIMES = 25;
  for (let n = 0; n < TIMES; n += 1) {
    const body = `{"a":${n},"b${n}":1}\n`;
    const headers = { 'x-batch-id': `n${n}` };
    const rejectId = await rejectIn(server, 'moment', body, headers);
    const fixes: Fix[] = [{ kind: 'register-column', column: `b${n}` }, OWN];
    const replay = admin.rejects.replay({ ...at, rejectId, fixes });
    let isLanded = false;
    void replay.then(() => {
      isLanded = true;
    });
    // The column is registered just before the reject lands; from then on the stream takes the producer's too.
    for (let status = 400; status !== 200 && !isLanded; ) {
      ({ status } = await post(server.stream('lab', 'moment'), body, headers));
    }
    expect((await replay).landed).toBe(true);
  }
  expect(await rowsIn('moment')).toBe(TIMES);
});

it('and everything holds', () => verifyHolds(admin));
