// The board of jobs: how each ends, in which order they are listed, how many are kept.

import { describe, expect, it } from 'vitest';
import { type JobBoard, openJobBoard } from '../../core/engine/jobs.ts';
import { AppError } from '../../core/errors.ts';
import type { Job } from '../../core/model.ts';
import { until } from '../helpers/until.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const START = { kind: 'test', title: 'Testing', knowledgebase: null };

const begun = (id: number, change: Partial<Job> = {}): Job => ({
  ...{ id, ...START, state: 'running', done: 0, total: null, unit: '', words: null },
  ...{ details: null, startedAt: TIME, endedAt: null, fault: null, result: null },
  ...change,
});

const board = (): { jobs: JobBoard; bugs: unknown[] } => {
  const bugs: unknown[] = [];
  return { jobs: openJobBoard((error) => bugs.push(error)), bugs };
};

/** Runs until it is aborted, then fails as aborted work does. */
const untilAborted = (_: unknown, signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    if (signal.aborted) reject(new Error('aborted'));
  });

/** Something to wait for until the test opens it. */
const gate = (): { readonly opened: Promise<void>; open(): void } => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

const ended = (jobs: JobBoard, id: number): Promise<Job> =>
  until(`job ${id} has ended`, () => {
    const job = jobs.get(id);
    return job?.state === 'running' ? undefined : job;
  });

describe('a job', () => {
  it('reports, and ends with its result', async () => {
    const { jobs, bugs } = board();
    const go = gate();
    const job = jobs.start({ ...START, knowledgebase: 'lab' }, async (report) => {
      report({ done: 1, total: 3, unit: 'rows', words: 'counting' });
      await go.opened;
      report({ done: 3, total: 3, unit: 'rows' });
      return { path: 'x' };
    });
    expect(job).toEqual(begun(1, { knowledgebase: 'lab' }));
    await until('it has reported', () => jobs.get(1)?.done === 1);
    const halfway = { knowledgebase: 'lab', done: 1, total: 3, unit: 'rows', words: 'counting' };
    expect(jobs.list()).toEqual([begun(1, halfway)]);
    go.open();
    expect(await ended(jobs, 1)).toEqual(
      begun(1, {
        ...{ ...halfway, done: 3, words: null, state: 'done', endedAt: TIME },
        result: { path: 'x' },
      }),
    );
    expect(bugs).toEqual([]);
  });

  it('that fails says why; only what was not foreseen is a bug', async () => {
    const { jobs, bugs } = board();
    const bug = new Error('a bug');
    jobs.start(START, async () => {
      throw new AppError('disk_full', 'The disk is full.');
    });
    jobs.start(START, () => {
      throw bug;
    });
    expect(await ended(jobs, 1)).toEqual(
      begun(1, { state: 'failed', endedAt: TIME, fault: 'The disk is full.' }),
    );
    expect(await ended(jobs, 2)).toEqual(
      begun(2, { state: 'failed', endedAt: TIME, fault: 'a bug' }),
    );
    expect(bugs).toEqual([bug]);
  });

  it('is cancelled once, and only while it runs', async () => {
    const { jobs, bugs } = board();
    jobs.start(START, untilAborted);
    expect(jobs.cancel(1)).toEqual(begun(1));
    expect(await ended(jobs, 1)).toEqual(begun(1, { state: 'cancelled', endedAt: TIME }));
    for (const id of [1, 2]) {
      expect(() => jobs.cancel(id)).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          message: `The job ${id} does not run.`,
        }),
      );
    }
    expect([jobs.get(2), bugs]).toEqual([undefined, []]);
  });

  it('that was done before it heard of the cancelling is done', async () => {
    const { jobs } = board();
    jobs.start(START, async () => ({ rows: 1 }));
    jobs.cancel(1);
    expect(await ended(jobs, 1)).toEqual(
      begun(1, { state: 'done', endedAt: TIME, result: { rows: 1 } }),
    );
  });
});

describe('the board', () => {
  it('lists those that run first, then the newest', async () => {
    const { jobs } = board();
    jobs.start(START, untilAborted);
    jobs.start(START, async () => ({}));
    jobs.start(START, async () => ({}));
    jobs.start(START, untilAborted);
    await Promise.all([ended(jobs, 2), ended(jobs, 3)]);
    expect(jobs.list().map(({ id }) => id)).toEqual([4, 1, 3, 2]);
    await jobs.close();
  });

  it('keeps the newest 200, and every one that runs', async () => {
    const { jobs } = board();
    jobs.start(START, untilAborted);
    for (let count = 0; count < 250; count += 1) jobs.start(START, async () => ({}));
    await ended(jobs, 251);
    const newest = Array.from({ length: 199 }, (_, at) => 251 - at);
    expect(jobs.list().map(({ id }) => id)).toEqual([1, ...newest]);
    await jobs.close();
  });

  it('closes when every job has let go', async () => {
    const { jobs } = board();
    const order: string[] = [];
    const go = gate();
    jobs.start(START, async (report, signal) => {
      await untilAborted(report, signal).catch(() => order.push('asked to stop'));
      await go.opened;
      order.push('has stopped');
      throw new Error('stopped');
    });
    await until('it runs', () => jobs.get(1)?.state === 'running');
    const closed = jobs.close().then(() => order.push('closed'));
    await until('it is asked', () => order.length === 1);
    go.open();
    await closed;
    expect(order).toEqual(['asked to stop', 'has stopped', 'closed']);
    expect(jobs.list()).toEqual([begun(1, { state: 'cancelled', endedAt: TIME })]);
  });

  it('lets the jobs of one knowledgebase go, and the others on', async () => {
    const { jobs } = board();
    jobs.start({ ...START, knowledgebase: 'k' }, untilAborted);
    jobs.start({ ...START, knowledgebase: 'other' }, untilAborted);
    jobs.start({ ...START, knowledgebase: null }, untilAborted);
    await jobs.close('k');
    expect(jobs.list().map(({ id, state }) => [id, state])).toEqual([
      ...[
        [3, 'running'],
        [2, 'running'],
        [1, 'cancelled'],
      ],
    ]);
    await jobs.close();
  });
});
