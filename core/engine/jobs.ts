// Owns long work: starting it, its progress, cancelling it, and the list of what ran.
// Never survives a restart; what a job made does.

import { AppError } from '../errors.ts';
import type { Job } from '../model.ts';

/** What a job tells of itself while it runs. */
export type JobReport = (progress: {
  done: number;
  total: number | null;
  unit: string;
  words?: string;
  details?: Readonly<Record<string, unknown>>;
}) => void;

export interface JobBoard {
  /** Starts work at once and returns its job. What `run` returns is the job's result. */
  start(
    start: { kind: string; title: string; knowledgebase: string | null },
    run: (report: JobReport, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>,
  ): Job;
  /** Running ones first, then newest first. */
  list(): Job[];
  get(id: number): Job | undefined;
  /** Asks a job to stop. Throws `invalid_argument` when it does not run. */
  cancel(id: number): Job;
  /** What a job's work returns or throws; for who started it and waits. */
  outcome(id: number): Promise<Readonly<Record<string, unknown>>>;
  /** Cancels every job, or those of one knowledgebase, and waits for them. */
  close(knowledgebase?: string): Promise<void>;
}

/** How many ended jobs are kept. */
const KEPT = 200;

interface Running {
  job: Job;
  readonly abort: AbortController;
  readonly work: Promise<Readonly<Record<string, unknown>>>;
  readonly ended: Promise<void>;
}

/** A board with no job. */
export const openJobBoard = (onBug: (error: unknown) => void): JobBoard => {
  const jobs = new Map<number, Running>();
  let lastId = 0;

  const update = (id: number, change: Partial<Job>): void => {
    const running = jobs.get(id);
    if (running) running.job = { ...running.job, ...change };
  };

  const end = (id: number, change: Partial<Job>): void => {
    update(id, { ...change, endedAt: new Date().toISOString() });
    for (const [old, { job }] of jobs) {
      if (jobs.size <= KEPT) break;
      if (job.state !== 'running') jobs.delete(old);
    }
  };

  return {
    start: ({ kind, title, knowledgebase }, run) => {
      lastId += 1;
      const id = lastId;
      const abort = new AbortController();
      const job: Job = {
        ...{ id, kind, title, knowledgebase, state: 'running', done: 0, total: null, unit: '' },
        ...{ words: null, startedAt: new Date().toISOString(), endedAt: null, fault: null },
        details: null,
        result: null,
      };
      const report: JobReport = ({ done, total, unit, words, details }) =>
        update(id, { done, total, unit, words: words ?? null, details: details ?? null });
      const work = Promise.resolve().then(() => run(report, abort.signal));
      const ended = work.then(
        (result) => end(id, { state: 'done', result }),
        (error: unknown) => {
          if (abort.signal.aborted) end(id, { state: 'cancelled' });
          else {
            if (!(error instanceof AppError)) onBug(error);
            end(id, { state: 'failed', fault: (error as Error).message });
          }
        },
      );
      jobs.set(id, { job, abort, work, ended });
      return job;
    },
    list: () =>
      [...jobs.values()]
        .map(({ job }) => job)
        .sort((one, other) => rank(one) - rank(other) || other.id - one.id),
    get: (id) => jobs.get(id)?.job,
    cancel: (id) => {
      const running = jobs.get(id);
      if (running?.job.state !== 'running') {
        throw new AppError('invalid_argument', `The job ${id} does not run.`);
      }
      running.abort.abort();
      return running.job;
    },
    outcome: (id) => {
      const running = jobs.get(id);
      if (running) return running.work;
      throw new AppError('invalid_argument', `There is no job ${id}.`);
    },
    close: async (knowledgebase) => {
      const closed = [...jobs.values()].filter(
        ({ job }) => knowledgebase === undefined || job.knowledgebase === knowledgebase,
      );
      for (const { abort } of closed) abort.abort();
      await Promise.all(closed.map(({ ended }) => ended));
    },
  };
};

const rank = ({ state }: Job): number => (state === 'running' ? 0 : 1);
