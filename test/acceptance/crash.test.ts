// Owns the crash tests: a real server under load is killed at every step and at random, over and over on one home,
// and after each restart everything it promised is there exactly once.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Proof } from '../../core/model.ts';
import type { Step } from '../../core/steps.ts';
import { randomOf } from '../helpers/crash-batches.ts';
import { checkFolder, type FolderCheck, filesIn, gather } from '../helpers/crash-check.ts';
import { runLoad, type Sent } from '../helpers/crash-load.ts';
import { type DoomedServer, type Kills, startDoomed } from '../helpers/crash-server.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const LONG = process.env.STRATA_TEST_LONG === '1';
/** Rounds of each step, at random moments, and while the server starts. */
const ROUNDS = LONG ? { step: 24, random: 40, start: 20 } : { step: 4, random: 9, start: 4 };
/** `strata verify` is run after every so many restarts, and at the end of each test. */
const VERIFY_EVERY = LONG ? 6 : 3;
const STEPS: readonly Step[] = [
  ...(['view', 'stage', 'fsync', 'folder', 'rename', 'ledger', 'answer', 'reject'] as const),
];
const STREAMS = ['orders', 'Readings', 'log-lines'];
const PATIENCE_MS = LONG ? 900_000 : 240_000;

const seed = Number(process.env.STRATA_TEST_SEED ?? Date.now() % 1_000_000);
const random = randomOf(seed);
const home = tempFolder();
const root = join(home, 'k');
const kills: Kills = new Map();
const sent: Sent = { batches: [], problems: [] };
let folder: FolderCheck;
let round = 0;

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'k']);
  // The first crash happens where there is no kb.duckdb yet.
  rmSync(join(root, 'kb.duckdb'));
  await strataJson(home, ['stream', 'create', 'k', 'Readings', '--date-folders']);
  rmSync(join(root, 'kb.duckdb'), { force: true });
  folder = await checkFolder(root, sent);
});

afterAll(() => {
  folder.close();
  removeTempFolders();
  const each = [...kills].map(([what, times]) => `${what} ${times}`).join(', ');
  const total = [...kills.values()].reduce((sum, times) => sum + times, 0);
  console.log(
    `${total} kills (${each}); ${sent.batches.length} batches, ${folder.rows()} rows; seed ${seed}`,
  );
});

/** Starts a server that is to die, looks at what the last death left, and sends until this one comes. */
const crash = async (
  step: Step | undefined,
  times: number,
  end: (server: DoomedServer) => Promise<void>,
): Promise<void> => {
  round += 1;
  switchDateFolders('orders');
  const server = await startDoomed(home, kills, step, times);
  await folder.look();
  if (round % VERIFY_EVERY === 0) await verifyHolds();
  const plan = {
    name: `r${round}`,
    streams: STREAMS,
    producers: 4,
    batches: 24,
    rejected: step === 'reject' ? 50 : 12,
    newStreams: step === 'view' ? times : step === 'folder' ? 4 * times : 0,
    newDateFolders: step === 'folder',
  };
  await Promise.all([runLoad(server, sent, random, plan), end(server)]);
  await server.end('after its load');
  expect(sent.problems).toEqual([]);
};

/** A stream that has folders of days in one round and none in the next. */
const switchDateFolders = (stream: string): void => {
  const path = join(root, 'strata', 'streams', stream, 'stream.json');
  if (!existsSync(path)) return;
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...settings, date_folders: !settings.date_folders }));
};

/** Verify, from a process of its own, and its counts held against what was sent and answered. */
const verifyHolds = async (): Promise<void> => {
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  for (const { totals } of proof.streams) {
    const mine = sent.batches.filter(({ stream }) => stream === totals.stream);
    const answered = (status: number) =>
      mine.reduce(
        (sum, { answers }) => sum + answers.filter((one) => one.status === status).length,
        0,
      );
    const sends = (good: boolean) =>
      mine.reduce((sum, one) => sum + ((one.rows !== null) === good ? one.sends : 0), 0);
    const accepted = totals.landed + totals.replayed;
    expect(accepted).toBeGreaterThanOrEqual(answered(200));
    expect(accepted).toBeLessThanOrEqual(sends(true));
    expect(totals.rejected).toBeGreaterThanOrEqual(answered(400));
    expect(totals.rejected).toBeLessThanOrEqual(sends(false));
    expect({ landed: totals.landed, refused: totals.refused }).toEqual({
      landed: mine.filter(({ file }) => file !== undefined).length,
      refused: 0,
    });
  }
  expect({ holds: proof.holds, differences: proof.differences }).toEqual({
    holds: true,
    differences: [],
  });
};

describe('killed at a step', () => {
  it.each(STEPS)('%s', { timeout: PATIENCE_MS }, async (step) => {
    for (let count = 1; count <= ROUNDS.step; count += 1) {
      const times = count <= 2 ? count : 1 + random.below(step === 'view' ? 5 : 20);
      await crash(step, times, async () => {});
    }
    expect(kills.get(step) ?? 0).toBeGreaterThan(0);
  });
});

describe('killed from outside', () => {
  it('at random moments of its load', { timeout: PATIENCE_MS }, async () => {
    for (let count = 0; count < ROUNDS.random; count += 1) {
      await crash(undefined, 0, async (server) => {
        await moment(random.below(500));
        await server.end('at random');
      });
    }
  });

  it('while it starts', { timeout: PATIENCE_MS }, async () => {
    for (let count = 0; count < ROUNDS.start; count += 1) {
      await crash('rename', 1 + random.below(6), async () => {});
      const words = ['bin/strata.mjs', 'serve', '--home', home, '--port', '0', '--admin-port', '0'];
      const child = spawn(process.execPath, words, { stdio: 'ignore' });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await moment(60 + random.below(300));
      child.kill('SIGKILL');
      await gone;
      kills.set('while starting', (kills.get('while starting') ?? 0) + 1);
    }
  });
});

describe('when it runs on', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ home });
  });
  afterAll(async () => {
    await server.kill();
  });

  /** Sends every batch that has an id again: nothing that was there lands a second time. */
  const sendAllAgain = async (): Promise<void> => {
    const good = sent.batches.filter(({ id, rows }) => id !== null && rows !== null);
    for (let from = 0; from < good.length; from += 32) {
      const some = good.slice(from, from + 32).map(async (one) => {
        const url = server.stream('k', one.stream);
        const response = await post(url, one.body, { 'idempotency-key': one.id as string });
        const { replayed } = (await response.json()) as { replayed: boolean };
        one.sends += 1;
        one.answers.push({ status: response.status, document: {} });
        const actual = { token: one.token, status: response.status, replayed };
        expect(actual).toEqual({ token: one.token, status: 200, replayed: one.landed });
        one.landed = true;
      });
      await Promise.all(some);
    }
  };

  const lookThroughViews = async (): Promise<void> => {
    const reader = await until('kb.duckdb can be opened', () =>
      openForeignReader(root).catch(() => undefined),
    );
    await folder.lookAtAll(async (stream) => {
      const { columns, rows } = await reader.read(`SELECT * FROM raw_extracted."stream_${stream}"`);
      return gather(columns, rows);
    });
    reader.close();
  };

  it('every row is there once, in the files and in the views', {
    timeout: PATIENCE_MS,
  }, async () => {
    await folder.look();
    await folder.lookAtAll();
    await verifyHolds();
    await lookThroughViews();
    expect(sent.problems).toEqual([]);
  });

  it('sending everything again adds what had not landed and nothing else', {
    timeout: PATIENCE_MS,
  }, async () => {
    await sendAllAgain();
    await folder.look();
    const files = STREAMS.map((id) => filesIn(join(root, 'strata/streams', id, 'data')));
    expect(files.map((paths) => paths.some((path) => path.includes('/dt=')))).toEqual([
      ...[true, true, false],
    ]);
    await sendAllAgain();
    await folder.look();
    expect(STREAMS.map((id) => filesIn(join(root, 'strata/streams', id, 'data')))).toEqual(files);
    await verifyHolds();
    await lookThroughViews();
    expect(sent.problems).toEqual([]);
  });

  it('and also after the ledger was lost and repaired', { timeout: PATIENCE_MS }, async () => {
    await server.stop();
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(root, `ledger.sqlite${end}`), { force: true });
    expect((await strata(home, ['repair', 'k'])).stderr).toBe('');
    server = await startServer({ home });
    await sendAllAgain();
    await folder.look();
    const proof = await strataJson<Proof>(home, ['verify', 'k']);
    expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
    await lookThroughViews();
    expect(sent.problems).toEqual([]);
  });
});
