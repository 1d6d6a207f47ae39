// Two servers on one folder take one batch id, and the first is held up between its look at the ledger and its file: what
// the other has made of the id meanwhile stays, and every row is there once.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Fix, Proof } from '../../core/model.ts';
import type { Step } from '../../core/steps.ts';
import { type AdminClient, adminOf, streamOf, valuesOf } from '../helpers/admin.ts';
import { bundled, runModule } from '../helpers/run-module.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
});
afterAll(removeTempFolders);

const start = async (home: string, env: Record<string, string> = {}): Promise<Server> => {
  const server = await startServer({ home, env });
  running.push(server);
  // Else it may be stopped while it makes views, and has the writer lock.
  await adminOf(server).knowledgebases.syncViews({ knowledgebase: 'k' });
  return server;
};

interface Beside {
  readonly home: string;
  /** It stops at a step. */
  readonly first: Server;
  readonly second: Server;
  readonly admin: AdminClient;
}

const twoServers = async (step: Step, terms: readonly string[] = []): Promise<Beside> => {
  const home = tempFolder();
  await strataJson(home, ['kb', 'create', 'k']);
  await strataJson(home, ['stream', 'create', 'k', 's', ...terms]);
  const second = await start(home);
  const first = await start(home, { STRATA_STOP_AT: `${step}:1` });
  return { home, first, second, admin: adminOf(second) };
};

interface Answer {
  readonly status: number;
  readonly document: Readonly<Record<string, unknown>>;
}

const send = async (server: Server, id: string, body: string): Promise<Answer> => {
  const answer = await post(server.stream('k', 's'), body, { 'x-batch-id': id });
  const document = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, document };
};

const compact = (home: string) => strataJson(home, ['compact', 'k', 's']);

const rowsOf = (admin: AdminClient): Promise<(string | null)[]> =>
  valuesOf(admin, 'k', `SELECT _batch_id || ' ' || a FROM raw_extracted."stream_s" ORDER BY 1`);

const verifyHolds = async (home: string): Promise<void> => {
  const { holds, streams } = await strataJson<Proof>(home, ['verify', 'k']);
  expect([holds, streams.flatMap(({ differences }) => differences)]).toEqual([true, []]);
};

const BODY = '{"a":"1"}\n';
const OTHER = '{"a":"2"}\n';

describe.skipIf(process.platform === 'win32')('a POST that is held up', () => {
  it.each([
    ['the same id', 'one', false],
    ['the same id, which is compacted then', 'one', true],
    ['another spelling of it', 'ONE', false],
    ['another spelling, which is compacted then', 'ONE', true],
  ])('while another server lands %s is a replay', async (_, spelled, isCompacted) => {
    const { home, first, second, admin } = await twoServers('fsync');
    const held = send(first, 'one', BODY);
    await first.stopped();
    expect(await send(second, spelled, BODY)).toMatchObject({ status: 200 });
    expect(await send(second, 'two', OTHER)).toMatchObject({ status: 200 });
    if (isCompacted) await compact(home);
    first.child.kill('SIGCONT');
    expect(await held).toMatchObject({
      status: 200,
      document: { batch_id: spelled, rows: 1, replayed: true },
    });
    expect(await rowsOf(admin)).toEqual([`${spelled} 1`, 'two 2'].sort());
    expect(await streamOf(admin, 'k', 's')).toMatchObject({ received: 3, landed: 2, replayed: 1 });
    await verifyHolds(home);
  });

  it.each([
    ['the id', 'one', 422, false],
    ['the id, which is compacted then', 'one', 503, true],
    ['another spelling of it', 'ONE', 503, false],
  ])(
    'while another server lands another body under %s does not land',
    async (_, spelled, status, isCompacted) => {
      const { home, first, second, admin } = await twoServers('fsync');
      const held = send(first, 'one', BODY);
      await first.stopped();
      expect(await send(second, spelled, OTHER)).toMatchObject({ status: 200 });
      expect(await send(second, 'two', OTHER)).toMatchObject({ status: 200 });
      if (isCompacted) await compact(home);
      first.child.kill('SIGCONT');
      expect((await held).status).toBe(status);
      expect((await send(first, 'one', BODY)).status).toBe(422);
      expect(await rowsOf(admin)).toEqual([`${spelled} 2`, 'two 2'].sort());
      await verifyHolds(home);
    },
  );

  it('is not taken away while a query of another process may be reading its file', async () => {
    const { home, first, second, admin } = await twoServers('ledger');
    const root = join(home, 'k');
    const held = send(first, 'one', BODY);
    await first.stopped();
    expect(await send(second, 'ONE', BODY)).toMatchObject({ status: 200 });
    await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
    const sql = 'SELECT a FROM raw_extracted."stream_s"';
    const module = await bundled(new URL('../helpers/two-queries.ts', import.meta.url));
    const reader = runModule(module, [root, sql]);
    onTestFinished(() => void reader.child.kill('SIGKILL'));
    await reader.said('reading');
    first.child.kill('SIGCONT');
    const told = 'Views wait: A query in another process is reading the files.';
    await until('it waits', async () =>
      (await admin.knowledgebases.events({ knowledgebase: 'k', limit: 50 })).some(
        ({ message }) => message === told,
      ),
    );
    const file = join(root, 'strata/streams/s/data/one.parquet');
    expect(existsSync(file)).toBe(true);
    reader.child.stdin?.end();
    expect((await reader.ended).stderr).toBe(JSON.stringify({ rows: 2, sum: 2 }));
    expect(await held).toMatchObject({ status: 200, document: { replayed: true } });
    expect(existsSync(file)).toBe(false);
    expect(await rowsOf(admin)).toEqual(['ONE 1']);
    await verifyHolds(home);
  });
});

const BAD = '{"a":"1"}\n{"a":\n';
const BATCH: Fix[] = [{ kind: 'drop-lines' }];
const at = { knowledgebase: 'k', stream: 's' };

const rejectOf = async (server: Server, id: string, body: string): Promise<string> => {
  const { status, document } = await send(server, id, body);
  expect(status).toBe(400);
  return document.reject_id as string;
};

describe.skipIf(process.platform === 'win32')('a reject whose landing is held up', () => {
  it.each([
    ['the same rows under its id', 'one', BODY, true, false],
    ['the same rows under its id, compacted then', 'one', BODY, true, true],
    ['the same rows under another spelling of it', 'ONE', BODY, true, false],
    ['another body under its id', 'one', OTHER, false, false],
    ['another body under its id, compacted then', 'one', OTHER, false, true],
    ['another body under another spelling of it', 'ONE', OTHER, false, false],
  ])('while a POST lands %s', async (_, spelled, body, isLanded, isCompacted) => {
    const { home, first, second, admin } = await twoServers('fsync');
    const rejectId = await rejectOf(second, 'one', BAD);
    const landing = adminOf(first).rejects.replay({ ...at, rejectId, fixes: BATCH });
    await first.stopped();
    expect(await send(second, spelled, body)).toMatchObject({ status: 200 });
    expect(await send(second, 'two', OTHER)).toMatchObject({ status: 200 });
    if (isCompacted) await compact(home);
    first.child.kill('SIGCONT');
    const { landed, attempt } = await landing;
    expect([landed, attempt.batchId]).toEqual(isLanded ? [true, spelled] : [false, null]);
    const value = body === BODY ? '1' : '2';
    expect(await rowsOf(admin)).toEqual([`${spelled} ${value}`, 'two 2'].sort());
    const { state, landedAs } = await admin.rejects.get({ ...at, rejectId });
    expect([state, landedAs]).toEqual(isLanded ? ['replayed', spelled] : ['open', null]);
    expect(readdirSync(join(home, 'k/strata/streams/s/_tmp'))).toEqual([]);
    await verifyHolds(home);
  });
});

const UNKNOWN = '{"a":"1","b":"2"}\n';
const OWN: Fix[] = [{ kind: 'register-column', column: 'b' }, { kind: 'own-batch-id' }];

describe.skipIf(process.platform === 'win32')(
  'a body that lands as a reject and as it came',
  () => {
    it('is there once, where the reject is held up', async () => {
      const { home, first, second, admin } = await twoServers('fsync', ['--columns', 'a']);
      const rejectId = await rejectOf(second, 'one', UNKNOWN);
      const landing = adminOf(first).rejects.replay({ ...at, rejectId, fixes: OWN });
      await first.stopped();
      expect(await send(second, 'one', UNKNOWN)).toMatchObject({ status: 200 });
      first.child.kill('SIGCONT');
      const { landed, attempt } = await landing;
      expect([landed, attempt.batchId]).toEqual([true, 'one']);
      expect(await rowsOf(admin)).toEqual(['one 1']);
      await verifyHolds(home);
    });

    it('is there once, where the POST is held up', async () => {
      const { home, first, second, admin } = await twoServers('fsync', ['--columns', 'a']);
      const rejectId = await rejectOf(second, 'one', UNKNOWN);
      await admin.streams.update({ ...at, columns: ['a', 'b'] });
      const held = send(first, 'one', UNKNOWN);
      await first.stopped();
      const fixes: Fix[] = [{ kind: 'own-batch-id' }];
      const { landed, attempt } = await admin.rejects.replay({ ...at, rejectId, fixes });
      expect(landed).toBe(true);
      first.child.kill('SIGCONT');
      expect(await held).toMatchObject({
        status: 200,
        document: { batch_id: attempt.batchId, replayed: true },
      });
      expect(await rowsOf(admin)).toEqual([`${attempt.batchId} 1`]);
      await verifyHolds(home);
    });

    it('is there once, where the process dies that lands the reject', async () => {
      const { home, first, second } = await twoServers('repaired', ['--columns', 'a']);
      const rejectId = await rejectOf(second, 'one', UNKNOWN);
      const landing = adminOf(first).rejects.replay({ ...at, rejectId, fixes: OWN });
      const broken = landing.catch(() => 'broken off');
      await first.stopped();
      expect(await send(second, 'one', UNKNOWN)).toMatchObject({ status: 200 });
      await first.kill();
      expect(await broken).toBe('broken off');
      await second.stop();
      expect(await rowsOf(adminOf(await start(home)))).toEqual(['one 1']);
      await verifyHolds(home);
    });

    it('is there once, where the process dies that takes the POST', async () => {
      const { home, first, second, admin } = await twoServers('ledger', ['--columns', 'a']);
      const rejectId = await rejectOf(second, 'one', UNKNOWN);
      await admin.streams.update({ ...at, columns: ['a', 'b'] });
      const held = send(first, 'one', UNKNOWN).catch(() => 'broken off');
      await first.stopped();
      const fixes: Fix[] = [{ kind: 'own-batch-id' }];
      const { attempt } = await admin.rejects.replay({ ...at, rejectId, fixes });
      await first.kill();
      expect(await held).toBe('broken off');
      await second.stop();
      const third = await start(home);
      expect(await rowsOf(adminOf(third))).toEqual([`${attempt.batchId} 1`]);
      expect(await send(third, 'one', UNKNOWN)).toMatchObject({
        status: 200,
        document: { batch_id: attempt.batchId, replayed: true },
      });
      await verifyHolds(home);
    });
  },
);
