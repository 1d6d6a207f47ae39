// Owns the proof that a running server outlives the loss of its ledger: the next POST is answered, everything is
// recorded again, and nothing is counted twice.

import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Proof } from '../../core/model.ts';
import { type AdminClient, adminOf, streamOf } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
} from '../helpers/server.ts';

let server: Server;
let admin: AdminClient;
let ledger: string;

beforeEach(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'k' });
  ledger = join(server.home, 'k', 'ledger.sqlite');
  for (let n = 0; n < 5; n += 1) expect((await send(`b${n}`)).status).toBe(200);
  expect((await send('bad', '{"a":')).status).toBe(400);
  await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
});
afterEach(async () => {
  expect(await server.stop()).toBe(0);
});
afterAll(removeTempFolders);

const BODY = '{"a":1,"filename":"x"}\n{"a":2}\n';

const send = async (id: string, body = BODY) => {
  const response = await post(server.stream('k', 's'), body, { 'idempotency-key': id });
  const { replayed, code } = (await response.json()) as { replayed?: boolean; code?: string };
  return { status: response.status, replayed, code };
};

const LOST =
  '"level":"warn","message":"The ledger was removed or replaced; it is made again from the folder."';

const expectToHold = async (landed: number): Promise<void> => {
  const proof = await strataJson<Proof>(server.home, ['verify', 'k']);
  expect(proof).toMatchObject({
    holds: true,
    streams: [{ viewRows: landed * 2, totals: { landed, rejected: 1, files: landed } }],
  });
};

it.each([
  ['the file', ['']],
  ['the file and its log', ['', '-wal', '-shm']],
])('%s is removed', { timeout: 60_000 }, async (_, ends) => {
  for (const end of ends) rmSync(`${ledger}${end}`, { force: true });
  expect(await send('new')).toEqual({ status: 200, replayed: false, code: undefined });
  expect(await send('b3')).toEqual({ status: 200, replayed: true, code: undefined });
  expect(await send('b3', '{"a":3}')).toMatchObject({ status: 422, code: 'batch_id_conflict' });
  expect((await streamOf(admin, 'k', 's'))?.received).toBe(9);
  expect(server.stderr()).toContain(LOST);
  const proof = await strataJson<Proof>(server.home, ['verify', 'k']);
  expect(proof).toMatchObject({
    holds: true,
    streams: [{ viewRows: 12, totals: { received: 9, landed: 6, replayed: 1, rejected: 2 } }],
  });
  expect(await admin.streams.columns({ knowledgebase: 'k', stream: 's' })).toMatchObject([
    { source: 'a', landed: 'a' },
    { source: 'filename', landed: 'filename_' },
  ]);
});

it('it is removed in the middle of a load, again and again', { timeout: 60_000 }, async () => {
  let landed = 5;
  const producer = async (number: number): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      expect(await send(`p${number}-${count}`)).toMatchObject({ status: 200, replayed: false });
      landed += 1;
      if (number === 0 && count % 8 === 7) rmSync(ledger);
    }
  };
  await Promise.all([0, 1, 2, 3].map(producer));
  expect(landed).toBe(165);
  await expectToHold(165);
  for (let count = 0; count < 40; count += 1) {
    expect(await send(`p1-${count}`)).toMatchObject({ status: 200, replayed: true });
  }
  await expectToHold(165);
});

it('it is replaced by an older copy of itself', { timeout: 60_000 }, async () => {
  const { home } = server;
  expect(await server.stop()).toBe(0);
  copyFileSync(ledger, `${ledger}.old`);
  server = await startServer({ home });
  admin = adminOf(server);
  expect(await send('between')).toMatchObject({ status: 200, replayed: false });
  for (const end of ['-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true });
  renameSync(`${ledger}.old`, ledger);
  expect(await send('new')).toMatchObject({ status: 200, replayed: false });
  expect(await send('between')).toMatchObject({ status: 200, replayed: true });
  await expectToHold(7);
});

it('it is replaced by something else: nothing lands until it is repaired, and nothing is lost', {
  timeout: 60_000,
}, async () => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true });
  writeFileSync(ledger, 'no database');
  expect(await send('new')).toMatchObject({ status: 500, code: 'ledger_broken' });
  const repaired = await strata(server.home, ['repair', 'k']);
  expect([repaired.code, repaired.stderr]).toEqual([0, '']);
  expect(await send('new')).toMatchObject({ status: 200, replayed: false });
  expect(await send('b1')).toMatchObject({ status: 200, replayed: true });
  await expectToHold(6);
});

it('it is repaired by another process in the middle of a load', { timeout: 60_000 }, async () => {
  let isOver = false;
  const producer = async (number: number): Promise<number> => {
    for (let count = 0; ; count += 1) {
      if (isOver) return count;
      expect(await send(`p${number}-${count}`)).toMatchObject({ status: 200, replayed: false });
    }
  };
  const load = Promise.all([0, 1].map(producer));
  for (let count = 0; count < 5; count += 1) {
    const { code, stderr } = await strata(server.home, ['repair', 'k']);
    // Views are being made at this moment; a person tries again.
    expect(code === 0 ? '' : stderr).toMatch(/^$|The writer lock is held by/);
  }
  isOver = true;
  const [first, second] = await load;
  await expectToHold(5 + (first ?? 0) + (second ?? 0));
  expect(server.stderr()).toBe('');
});
