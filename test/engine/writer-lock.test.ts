// Owns the proof that one process at a time has the writer lock, whatever becomes of its holder.

import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { createKnowledgebase } from '../../core/knowledgebase/create.ts';
import type { KnowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { takeWriterLock } from '../../core/knowledgebase/writer-lock.ts';
import { bundled, type RunningModule, runModule } from '../helpers/run-module.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let module: string;
let paths: KnowledgebasePaths;
const running: RunningModule[] = [];

beforeAll(async () => {
  module = await bundled(new URL('../helpers/hold-writer-lock.ts', import.meta.url));
});
beforeEach(() => {
  paths = createKnowledgebase(tempFolder(), 'k');
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  removeTempFolders();
});

/** A process that has the lock. */
const holder = async (purpose = 'testing'): Promise<RunningModule> => {
  const one = runModule(module, [paths.root, purpose]);
  running.push(one);
  await one.said('held');
  return one;
};

/** Why the lock cannot be had; undefined when it can. */
const refusal = (): { message: string; details: unknown } | undefined => {
  try {
    takeWriterLock(paths, 'a test').release();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'writer_lock_held') throw error;
    return { message: error.message, details: error.details };
  }
};

const heldBy = (pid: number | undefined, purpose: string) => ({
  message: expect.stringMatching(
    `^The writer lock is held by process ${pid} on ${hostname()} \\(${purpose}, since \\S+Z\\)\\.$`,
  ),
  details: { holder: { pid, host: hostname(), purpose, since: expect.any(String) } },
});

describe('the lock', { timeout: 60_000 }, () => {
  it('held by another process names it', async () => {
    const { child } = await holder('moving files');
    expect(refusal()).toEqual(heldBy(child.pid, 'moving files'));
  });

  it('held by this process names it too', () => {
    const lock = takeWriterLock(paths, 'one thing');
    expect(refusal()).toEqual(heldBy(process.pid, 'one thing'));
    lock.release();
    expect(refusal()).toBe(undefined);
  });

  it('is free when its holder has let go, and names nobody any more', async () => {
    const { child, said, ended } = await holder();
    child.stdin?.end();
    await said('released');
    expect([refusal(), existsSync(paths.writerLockHolder)]).toEqual([undefined, false]);
    expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('is free when its holder was killed', async () => {
    const { child, ended } = await holder();
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    expect(refusal()).toBe(undefined);
    // What the dead one wrote of itself does not stand for the next.
    const next = await holder('the next');
    expect(refusal()).toEqual(heldBy(next.child.pid, 'the next'));
  });

  it('stays with a holder that is stopped, and goes when that goes on', async () => {
    const { child, said } = await holder('sleeping');
    child.kill('SIGSTOP');
    await until('it is stopped', () => stateOf(child.pid as number) === 'T');
    expect(refusal()).toEqual(heldBy(child.pid, 'sleeping'));
    child.stdin?.end();
    expect(refusal()).toEqual(heldBy(child.pid, 'sleeping'));
    child.kill('SIGCONT');
    await said('released');
    expect(refusal()).toBe(undefined);
  });

  it('goes to one of many that want it at once', { timeout: 60_000 }, async () => {
    const all = Array.from({ length: 6 }, (_, n) => runModule(module, [paths.root, `${n}`]));
    running.push(...all);
    const first = await Promise.any(all.map((one) => one.said('held').then(() => one)));
    const others = await Promise.all(all.filter((one) => one !== first).map(({ ended }) => ended));
    for (const { code, stderr } of others) {
      expect([code, /The writer lock is held by/.test(stderr)]).toEqual([1, true]);
    }
    expect(refusal()).toMatchObject({ details: { holder: { pid: first.child.pid } } });
  });

  it('of one knowledgebase is not that of another', async () => {
    await holder();
    const other = createKnowledgebase(tempFolder(), 'k');
    takeWriterLock(other, 'a test').release();
    expect(refusal()).not.toBe(undefined);
  });
});

/** The state of a process, as Linux gives it; `T` where it cannot be asked. */
const stateOf = (pid: number): string =>
  process.platform === 'linux'
    ? (/\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '')
    : 'T';
