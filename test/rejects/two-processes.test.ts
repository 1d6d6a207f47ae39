// Two processes land one reject at the same instant, each under another batch id, one of them stopped or killed at every
// step: its rows are there once, and both know of it.

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Fix, Proof } from '../../core/model.ts';
import type { Step } from '../../core/steps.ts';
import { type AdminClient, adminOf, valuesOf } from '../helpers/admin.ts';
import { codeOf, ended } from '../helpers/rejects.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';

const at = { knowledgebase: 'k', stream: 's' };
const BAD = '{"a":"1"}\n{"a":\n{"a":"3"}\n';
/** Under an id of its own; and under that of its batch. */
const OWN: Fix[] = [{ kind: 'drop-lines' }, { kind: 'own-batch-id' }];
const BATCH: Fix[] = [{ kind: 'drop-lines' }];

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill();
});
afterAll(removeTempFolders);

const start = async (home: string, env: Record<string, string> = {}): Promise<Server> => {
  const server = await startServer({ home, env });
  running.push(server);
  return server;
};

/** A home with one open reject, and two servers on it; the first stops at a step. */
const twoServers = async (step: Step | null, dateFolders = false) => {
  const home = tempFolder();
  await strataJson(home, ['kb', 'create', 'k']);
  const terms = dateFolders ? ['--date-folders'] : [];
  await strataJson(home, ['stream', 'create', 'k', 's', ...terms]);
  // The answer to the POST that is rejected is one too.
  const count = step === 'answer' ? 2 : 1;
  const first = await start(home, step === null ? {} : { STRATA_STOP_AT: `${step}:${count}` });
  const { reject_id: rejectId } = (await (
    await post(first.stream('k', 's'), BAD, { 'x-batch-id': 'one' })
  ).json()) as { reject_id: string };
  const second = await start(home);
  return { home, first, second, rejectId };
};

const rowsOf = (admin: AdminClient): Promise<(string | null)[]> =>
  valuesOf(admin, 'k', `SELECT a || ' ' || _line FROM raw_extracted."stream_s" ORDER BY 1`);

const verifyHolds = async (home: string): Promise<void> => {
  const { holds, streams } = await strataJson<Proof>(home, ['verify', 'k']);
  expect([holds, streams.flatMap(({ differences }) => differences)]).toEqual([true, []]);
};

const ROWS = ['1 1', '3 3'];

describe.skipIf(process.platform === 'win32')('while one process lands a reject', () => {
  it.each([
    ['stage', false],
    ['rename', false],
    ['rename', true],
    ['repaired', false],
  ] as const)('and is held up at %s (date folders: %s), another waits', async (step, days) => {
    const { home, first, second, rejectId } = await twoServers(step, days);
    const landing = adminOf(first).rejects.replay({ ...at, rejectId, fixes: OWN });
    const admin = adminOf(second);
    // The first is stopped while it has the reject: whoever asks then is told so, or finds what is there.
    await first.stopped();
    const other = await codeOf(admin.rejects.replay({ ...at, rejectId, fixes: BATCH }));
    first.child.kill('SIGCONT');
    expect((await landing).landed).toBe(true);
    expect(other).toBe('replay_running');
    expect(await codeOf(admin.rejects.replay({ ...at, rejectId, fixes: BATCH }))).toBe(
      'reject_not_open',
    );
    expect(await rowsOf(admin)).toEqual(ROWS);
    await verifyHolds(home);
  });

  it.each([
    ['stage', false],
    ['rename', false],
    ['rename', true],
    ['repaired', true],
    ['answer', true],
  ] as const)(
    'and is killed at %s (date folders: %s), another lands it, or finds that it has landed',
    async (step, days) => {
      const { home, first, second, rejectId } = await twoServers(step, days);
      const landing = adminOf(first).rejects.replay({ ...at, rejectId, fixes: OWN });
      const lost = expect(landing).rejects.toThrow();
      await first.stopped();
      const other = adminOf(second).rejects.replay({ ...at, rejectId, fixes: BATCH });
      await first.kill();
      await lost;
      const end = await other.then(
        ({ landed, attempt }) => [landed, attempt.fixes],
        ({ code }: { code: unknown }) => code,
      );
      if (step === 'stage') expect(end).toEqual([true, BATCH]);
      else if (step === 'answer') expect(end).toBe('reject_not_open');
      else expect(end).toEqual([true, OWN]);
      expect(await rowsOf(adminOf(second))).toEqual(ROWS);
      await verifyHolds(home);
    },
  );
});

it('two processes that land the same many rejects at once land each once', async () => {
  const { home, first, second } = await twoServers(null);
  const MANY = 40;
  for (let n = 1; n < MANY; n += 1) {
    await post(first.stream('k', 's'), BAD, { 'x-batch-id': `n${n}` });
  }
  const admins = [adminOf(first), adminOf(second)] as const;
  const selection = { filter: { stream: 's' } };
  const jobs = await Promise.all([
    admins[0].rejects.replayMany({ knowledgebase: 'k', selection, fixes: OWN }),
    admins[1].rejects.replayMany({ knowledgebase: 'k', selection, fixes: BATCH }),
  ]);
  const ends = await Promise.all(jobs.map((job, n) => ended(admins[n] as AdminClient, job)));
  const sum = (name: string): number =>
    ends.reduce((all, { result }) => all + Number(result?.[name]), 0);
  expect([ends.map(({ state }) => state), sum('landed'), sum('failed')]).toEqual([
    ['done', 'done'],
    ...[MANY, 0],
  ]);
  expect(await valuesOf(admins[0], 'k', 'SELECT count(*) FROM raw_extracted."stream_s"')).toEqual([
    String(2 * MANY),
  ]);
  await verifyHolds(home);
});
