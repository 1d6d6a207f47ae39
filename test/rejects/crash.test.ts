// The server is killed at every step of landing a reject, of landing in part, and of a discard: whatever the moment,
// no row is there twice, none that was answered is gone, and reject and batch name each other after the restart.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Proof } from '../../core/model.ts';
import type { Step } from '../../core/steps.ts';
import { adminOf, valuesOf } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';

afterAll(removeTempFolders);

const at = { knowledgebase: 'k', stream: 's' };
const FIXES = [{ kind: 'drop-lines' as const }];
const BAD = '{"a":"1"}\n{"a":\n{"a":"3"}\n';

/** A home whose stream `s` has one reject, `one`, and a server on it that dies at a step. */
const withReject = async (step: Step, id: string | null = 'one') => {
  const home = tempFolder();
  await strataJson(home, ['kb', 'create', 'k']);
  await strataJson(home, ['stream', 'create', 'k', 's']);
  const first = await startServer({ home });
  const headers: Record<string, string> = id === null ? {} : { 'x-batch-id': id };
  const { reject_id: rejectId } = await (await post(first.stream('k', 's'), BAD, headers)).json();
  await first.stop();
  const doomed = await startServer({ home, env: { STRATA_CRASH_AT: `${step}:1` } });
  return { home, doomed, rejectId: rejectId as string };
};

const died = async (server: Server): Promise<void> =>
  expect(await server.gone()).toEqual({ code: null, signal: 'SIGKILL' });

const rowsOf = (server: Server): Promise<(string | null)[]> =>
  valuesOf(
    adminOf(server),
    'k',
    `SELECT a || ' ' || _line || ' ' || _batch_id FROM raw_extracted."stream_s" ORDER BY 1`,
  );

const verifyHolds = async (home: string): Promise<void> => {
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
    true,
    [],
  ]);
};

const loseLedger = (home: string): void => {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(join(home, 'k', `ledger.sqlite${end}`), { force: true });
  }
};

describe('landing a reject, killed at', () => {
  it.each([
    ['stage', false],
    ['fsync', false],
    ['rename', true],
    ['repaired', true],
    ['answer', true],
    ['state', true],
  ] as const)('%s', async (step, hasLanded) => {
    const { home, doomed, rejectId } = await withReject(step);
    const call = adminOf(doomed).rejects.replay({ ...at, rejectId, fixes: FIXES });
    await expect(call).rejects.toThrow();
    await died(doomed);

    const server = await startServer({ home });
    const admin = adminOf(server);
    const found = await admin.rejects.get({ ...at, rejectId });
    expect([found.state, found.landedAs]).toEqual(hasLanded ? ['replayed', 'one'] : ['open', null]);
    // The second try lands it, or finds that it has landed.
    const again = admin.rejects.replay({ ...at, rejectId, fixes: FIXES });
    if (hasLanded) await expect(again).rejects.toMatchObject({ code: 'reject_not_open' });
    else expect((await again).landed).toBe(true);

    const rows = ['1 1 one', '3 3 one'];
    expect(await rowsOf(server)).toEqual(rows);
    const linked = await admin.rejects.get({ ...at, rejectId });
    const batch = await admin.streams.batch({ ...at, batchId: 'one' });
    expect([linked.state, linked.landedAs, batch.rejectId]).toEqual(['replayed', 'one', rejectId]);
    const tries = linked.history.map(({ outcome, fixes, batchId }) => [outcome, fixes, batchId]);
    expect(tries).toEqual([['landed', FIXES, 'one']]);
    // The producer's own late retry is a replay.
    const retry = await post(server.stream('k', 's'), BAD, { 'x-batch-id': 'ONE' });
    expect(await retry.json()).toMatchObject({ batch_id: 'one', rows: 2, replayed: true });
    expect(await admin.streams.get(at)).toMatchObject({
      ...{ received: 2, landed: 0, rejected: 1, replayed: 1, refused: 0, repaired: 1, rows: 2 },
    });
    await verifyHolds(home);

    await server.stop();
    loseLedger(home);
    expect((await strata(home, ['repair', 'k'])).stderr).toBe('');
    const last = await startServer({ home });
    const rebuilt = await adminOf(last).rejects.get({ ...at, rejectId });
    expect({ ...rebuilt, times: 0 }).toEqual({ ...linked, times: 0 });
    const late = await post(last.stream('k', 's'), BAD, { 'x-batch-id': 'one' });
    expect(await late.json()).toMatchObject({ batch_id: 'one', rows: 2, replayed: true });
    expect(await rowsOf(last)).toEqual(rows);
    await verifyHolds(home);
    await last.stop();
  });

  it('repaired, and tried again by a process beside it that knows nothing of it', async () => {
    const { home, doomed, rejectId } = await withReject('repaired', null);
    const server = await startServer({ home });
    const replay = { ...at, rejectId, fixes: FIXES };
    await expect(adminOf(doomed).rejects.replay(replay)).rejects.toThrow();
    await died(doomed);
    // Other fixes, and an id of its own: what has landed has landed.
    const fixes = [{ kind: 'land-good-lines' as const }, { kind: 'own-batch-id' as const }];
    const second = await adminOf(server).rejects.replay({ ...at, rejectId, fixes });
    expect([second.landed, second.attempt.fixes]).toEqual([true, FIXES]);
    expect(await rowsOf(server)).toEqual([`1 1 ${rejectId}`, `3 3 ${rejectId}`]);
    await verifyHolds(home);
    await server.stop();
  });
});

describe('landing in part, killed at', () => {
  it.each(['stage', 'reject', 'part', 'rename', 'ledger', 'answer'] as const)(
    '%s',
    async (step) => {
      const { home, doomed } = await withReject(step, 'other');
      await adminOf(doomed).streams.update({ ...at, partialLanding: true });
      const body = '{"a":"1"}\n{"b":\n{"a":"3"}\n[4]\n';
      const send = (server: Server, id: string) =>
        post(server.stream('k', 's'), body, { 'x-batch-id': id });
      await expect(send(doomed, 'p')).rejects.toThrow();
      await died(doomed);
      const server = await startServer({ home });
      const answer = { batch_id: 'p', rows: 2, rejected: 2, reject_id: 'p' };
      const late = await (await send(server, 'p')).json();
      expect(late).toMatchObject(answer);
      expect(await (await send(server, 'P')).json()).toEqual({ ...late, replayed: true });
      expect(await rowsOf(server)).toEqual(['1 1 p', '3 3 p']);
      const admin = adminOf(server);
      const part = await admin.rejects.get({ ...at, rejectId: 'p' });
      expect([part.state, part.partOf, part.sourceLines]).toEqual(['open', 'p', [2, 4]]);
      const files = readdirSync(join(home, 'k/strata/streams/s/failed')).filter((name) =>
        name.startsWith('p'),
      );
      expect(files.sort()).toEqual(['p.err', 'p.ndjson']);
      expect(await admin.streams.get(at)).toMatchObject({ linesRejected: 2, rows: 2, rejected: 1 });
      await verifyHolds(home);
      await server.stop();
      loseLedger(home);
      expect((await strata(home, ['repair', 'k'])).stderr).toBe('');
      await verifyHolds(home);
    },
  );

  it('part, and never sent again: nothing of it counts', async () => {
    const { home, doomed } = await withReject('part', 'other');
    await adminOf(doomed).streams.update({ ...at, partialLanding: true });
    await expect(post(doomed.stream('k', 's'), '{"a":"1"}\n[2]\n')).rejects.toThrow();
    await died(doomed);
    const server = await startServer({ home });
    const { rejects } = await adminOf(server).rejects.list({ knowledgebase: 'k' });
    expect(rejects.map(({ rejectId }) => rejectId)).toEqual(['other']);
    expect(await adminOf(server).streams.get(at)).toMatchObject({ received: 1, rows: 0 });
    await verifyHolds(home);
    await server.stop();
  });
});

it('a discard, killed between the ledger and the folder, is a discard after the restart', async () => {
  const { home, doomed, rejectId } = await withReject('state');
  await expect(adminOf(doomed).rejects.discard({ ...at, rejectId })).rejects.toThrow();
  await died(doomed);
  const server = await startServer({ home });
  expect((await adminOf(server).rejects.get({ ...at, rejectId })).state).toBe('discarded');
  await server.stop();
  loseLedger(home);
  expect((await strata(home, ['repair', 'k'])).stderr).toBe('');
  const { rejects } = await strataJson<{ rejects: unknown[] }>(home, ['rejects', 'list', 'k']);
  expect(rejects).toMatchObject([{ reject_id: rejectId, state: 'discarded' }]);
  await verifyHolds(home);
});
