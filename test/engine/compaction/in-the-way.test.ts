// What stands in the way of a swap: a writer lock, a foreign reader, a reader of files, a query here, a full disk. It
// waits and says for whom, or gives up with every file as it was; landings and queries go on.

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../../core/engine/compaction/history.ts';
import { startCompaction } from '../../../core/engine/compaction/run.ts';
import { startUndo } from '../../../core/engine/compaction/undo.ts';
import { verify } from '../../../core/engine/verify.ts';
import { shareFolder } from '../../../core/knowledgebase/folder-lock.ts';
import { takeWriterLock } from '../../../core/knowledgebase/writer-lock.ts';
import { queryPage } from '../../../core/lake/query.ts';
import type { CompactionProgress, Job } from '../../../core/model.ts';
import { ALL_ROWS, type Landed, landSome, newLanded, pathsOf } from '../../helpers/compacted.ts';
import { codeOf, openTestCore, type TestCore } from '../../helpers/core.ts';
import { startCounting, startHolding } from '../../helpers/foreign-client.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';
import { until } from '../../helpers/until.ts';

afterAll(removeTempFolders);

const open = async (home?: string): Promise<{ core: TestCore; landed: Landed }> => {
  const landed =
    home === undefined ? newLanded() : { home, root: join(home, 'k'), rows: [], batches: 0 };
  const core = openTestCore({ home: landed.home });
  onTestFinished(() => core.close());
  core.createKnowledgebase('k');
  await landSome(core, landed, 5);
  await core.knowledgebase('k').views.settled(15_000);
  return { core, landed };
};

const start = (core: TestCore, patienceMs: number): Promise<Job> =>
  startCompaction(core, 'k', 's', { by: 'person', patienceMs });

const detailsOf = (core: TestCore, { id }: Job): CompactionProgress | null =>
  core.jobs.get(id)?.details as unknown as CompactionProgress | null;

/** Waits until the job says for whom it waits. */
const waitingOf = (core: TestCore, job: Job): Promise<string> =>
  until('the job waits', () => detailsOf(core, job)?.waitingFor ?? undefined);

const filesIn = (landed: Landed, name: string): string[] =>
  readdirSync(join(landed.root, 'strata', 'streams', 's', name)).sort();

const expectAll = async (core: TestCore, landed: Landed): Promise<void> => {
  const knowledgebase = core.knowledgebase('k');
  const { rows } = await queryPage(knowledgebase.query, ALL_ROWS, { limit: 10_000 });
  expect(rows).toEqual(landed.rows);
  const proof = await verify(knowledgebase);
  expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
    true,
    [],
  ]);
};

describe('the writer lock held', () => {
  it('is waited for, by name; landings and queries go on', async () => {
    const { core, landed } = await open();
    const lock = takeWriterLock(pathsOf(landed), 'promoting orders');
    const job = await start(core, 60_000);
    expect(await waitingOf(core, job)).toBe(
      `Waiting for Strata (pid ${process.pid}): promoting orders.`,
    );
    expect(core.jobs.get(job.id)?.words).toBe(
      `Waiting for Strata (pid ${process.pid}): promoting orders.`,
    );
    await landSome(core, landed, 2);
    await expectAll(core, landed);
    lock.release();
    expect(await core.jobs.outcome(job.id)).toMatchObject({ state: 'done', filesBefore: 5 });
    await expectAll(core, landed);
  });

  it('for too long ends the run, with every file as it was', async () => {
    const { core, landed } = await open();
    const before = filesIn(landed, 'data');
    const lock = takeWriterLock(pathsOf(landed), 'promoting orders');
    const job = await start(core, 50);
    expect(await codeOf(core.jobs.outcome(job.id))).toBe('writer_lock_held');
    lock.release();
    expect([filesIn(landed, 'data'), filesIn(landed, '_tmp')]).toEqual([before, []]);
    const { ledger, streams } = core.knowledgebase('k');
    expect(listRuns(ledger(), streams.get('s'), 1)).toMatchObject([
      {
        state: 'failed',
        fault: expect.stringMatching(/^The writer lock is held by process \d+ on /),
      },
    ]);
    await expectAll(core, landed);
    await core.jobs.outcome((await start(core, 10_000)).id);
    await expectAll(core, landed);
  });
});

describe('a foreign reader that keeps kb.duckdb open', () => {
  it('delays the swap and the undo, which say so, and breaks neither', async () => {
    const { core, landed } = await open();
    const holder = await startHolding(landed.root, 'READ_ONLY');
    const job = await start(core, 60_000);
    const node = basename(process.execPath);
    expect(await waitingOf(core, job)).toBe(`Waiting for ${node} (pid ${holder.pid}).`);
    await landSome(core, landed, 2);
    await expectAll(core, landed);
    expect(core.jobs.get(job.id)?.state).toBe('running');
    await holder.stop();
    expect(await core.jobs.outcome(job.id)).toMatchObject({ state: 'done' });
    await expectAll(core, landed);

    const again = await startHolding(landed.root, 'READ_ONLY');
    const back = startUndo(core, 'k', 's', 60_000);
    expect(await waitingOf(core, back)).toBe(`Waiting for ${node} (pid ${again.pid}).`);
    core.jobs.cancel(back.id);
    await expect(core.jobs.outcome(back.id)).rejects.toThrow();
    expect(filesIn(landed, '_tmp')).toEqual([]);
    await expectAll(core, landed);
    await again.stop();
    await core.jobs.outcome(startUndo(core, 'k', 's').id);
    expect(filesIn(landed, 'data')).toHaveLength(7);
    await expectAll(core, landed);
  });
});

describe('foreign programs that open kb.duckdb for each query, with no pause', () => {
  it('let the swap and the undo in between two, are told that it is locked, and count right', async () => {
    const { core, landed } = await open();
    const programs = [0, 1].map(() => startCounting('count', landed.root, 's'));
    const haveCounted = (more: number): Promise<unknown> => {
      const from = programs.map((program) => program.counts().length);
      return until('each has counted', () =>
        programs.every((program, at) => program.counts().length >= (from[at] as number) + more),
      );
    };
    await haveCounted(2);
    expect(await core.jobs.outcome((await start(core, 60_000)).id)).toMatchObject({
      state: 'done',
    });
    await haveCounted(2);
    await core.jobs.outcome(startUndo(core, 'k', 's', 60_000).id);
    await haveCounted(2);
    for (const program of programs) await program.stop();
    for (const program of programs) {
      expect([...new Set(program.counts().map(({ count }) => count))]).toEqual([
        landed.rows.length,
      ]);
      const others = program
        .errors()
        .filter((message) => !/Could not set lock on file/.test(message));
      expect(others).toEqual([]);
    }
    await expectAll(core, landed);
  });
});

describe('a reader of files in another process', () => {
  it('is waited for, and while a swap moves files a new one waits', async () => {
    const { core, landed } = await open();
    const share = shareFolder(pathsOf(landed));
    const job = await start(core, 60_000);
    expect(await waitingOf(core, job)).toBe(
      'Waiting: A query in another process is reading the files.',
    );
    share?.release();
    await core.jobs.outcome(job.id);
    await expectAll(core, landed);
  });
});

describe('a query of this process', () => {
  it('ends before files move, however often the swap tries', async () => {
    const { core, landed } = await open();
    const { query } = core.knowledgebase('k');
    let isOpen = true;
    const files = filesIn(landed, 'data');
    const reading = query.gate.read(() => until('the query may end', () => !isOpen));
    const job = await start(core, 60_000);
    expect(await waitingOf(core, job)).toBe('Waiting: Queries are still running.');
    expect(filesIn(landed, 'data')).toEqual(files);
    isOpen = false;
    await reading;
    await core.jobs.outcome(job.id);
    await expectAll(core, landed);
  });
});

describe('queries of this process, and a program that opens the file for each of its own', () => {
  it('are not both waited for from the start again: who has waited for the first stays for the other', async () => {
    const { core, landed } = await open();
    const { gate } = core.knowledgebase('k').query;
    const holder = await startHolding(landed.root, 'READ_ONLY');
    onTestFinished(() => holder.stop());
    // Longer than a query is waited for at first, so that the try that gets in has waited.
    const first = gate.read(() => moment(1_500));
    const job = await start(core, 60_000);
    await waitingOf(core, job);
    await first;
    const saw: number[] = [];
    let [inside, isOver] = [0, false];
    const readers = [0, 1].map(async (at) => {
      await moment(at * 300);
      while (!isOver) {
        await gate.read(async () => {
          inside += 1;
          saw.push(filesIn(landed, 'data').length);
          await moment(600);
          inside -= 1;
        });
      }
    });
    const program = basename(process.execPath);
    await until('it has waited for the queries, and waits for the program', () => {
      const { waitingFor } = detailsOf(core, job) ?? {};
      return inside === 0 && waitingFor === `Waiting for ${program} (pid ${holder.pid}).`;
    });
    const before = saw.length;
    await holder.stop();
    await core.jobs.outcome(job.id);
    isOver = true;
    await Promise.all(readers);
    // None was let in between the program's leaving and the swap.
    expect(saw.slice(before).filter((files) => files > 1)).toEqual([]);
    await expectAll(core, landed);
  });
});

const mounted: string[] = [];
const smallDisk = (): string => {
  const disk = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk], { stdio: 'pipe' });
  mounted.push(disk);
  return disk;
};
const unmountAll = (): void => {
  for (const disk of mounted.splice(0)) execFileSync('umount', ['-l', disk]);
};
const canMount = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  try {
    smallDisk();
    return true;
  } catch {
    return false;
  } finally {
    unmountAll();
  }
})();
afterAll(unmountAll);

describe.skipIf(!canMount)('a full disk (skipped: mounting one needs root)', () => {
  /** Leaves so many bytes free. */
  const fill = (disk: string, left: number): string => {
    const ballast = join(disk, 'ballast');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    return ballast;
  };

  it.each([
    ['before it begins', 0, /^The disk is full: nothing was changed\.$/],
    ['while it merges', 8_192, /^The disk is full\. Every file is as it was\.$/],
  ])(
    '%s: originals untouched, nothing staged, and the next run goes through',
    async (_, left, message) => {
      const disk = smallDisk();
      const { core, landed } = await open(disk);
      const before = filesIn(landed, 'data');
      const ballast = fill(disk, left);
      const attempt = async () => core.jobs.outcome((await start(core, 5_000)).id);
      const error = await attempt().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'disk_full', message: expect.stringMatching(message) });
      expect([filesIn(landed, 'data'), filesIn(landed, '_tmp')]).toEqual([before, []]);
      const { rows } = await queryPage(core.knowledgebase('k').query, ALL_ROWS, { limit: 10_000 });
      expect(rows).toEqual(landed.rows);
      rmSync(ballast);
      await core.jobs.outcome((await start(core, 5_000)).id);
      await expectAll(core, landed);
    },
  );
});
