// Owns the landing threads: starting them, sharing work out fairly between streams, outliving one that dies.
// Never looks into a body.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Fault } from '../model.ts';
import { openPacker, type Receiver } from './packing.ts';
import type { FromThread, Job, JobResult, NewField, StreamPlace, ToThread } from './protocol.ts';

/** Most jobs, and most bytes past the first job, that one thread takes at once: one folder sync serves them all. */
const GROUP_JOBS = 8;
const GROUP_BYTES = 262_144;

/**
 * Batches come and go: with room for some, few are copied by the collector before they are done. More room is taken as
 * more batches come, and never given back.
 */
const YOUNG = { maxYoungGenerationSizeMb: 8 };

export interface LandingPool {
  /** Runs a job on a thread. Jobs of one stream are taken in order; streams take turns. */
  run(place: StreamPlace, body: Uint8Array, task: Job['task']): Promise<JobResult>;
  /** Drops every thread's name maps. */
  forget(): void;
  /** Ends the threads once every job is done. */
  close(): Promise<void>;
}

/** Gives new fields of a stream their columns, in the ledger; a fault when the stream cannot take them. */
export type NameFields = (
  place: StreamPlace,
  batchId: string,
  fields: readonly NewField[],
) => { landed: readonly string[]; fault: Fault | null };

export interface PoolOptions {
  /** The built worker.ts. */
  readonly entry: URL;
  readonly nameFields: NameFields;
  /** A thread died; its jobs were failed. */
  readonly onCrash: (error: Error) => void;
  readonly threads?: number;
}

interface Waiting {
  readonly job: Job;
  readonly settle: (result: JobResult) => void;
}

interface Thread extends Receiver {
  readonly worker: Worker;
  readonly busy: Map<number, Waiting>;
}

/** A pool with no thread yet: each starts when there is work that no idle one can take. */
export const openLandingPool = (options: PoolOptions): LandingPool => {
  // A thread spends half its time waiting for the disk, so one more than there are cores keeps both busy.
  const most = options.threads ?? Math.min(4, availableParallelism() + 1);
  const queues = new Map<string, Waiting[]>();
  const packer = openPacker();
  const threads = new Set<Thread>();
  let jobId = 0;
  let scheduled = false;
  let onIdle: (() => void) | undefined;

  /** Hands out at the end of this turn of the event loop what it brought: larger groups, fewer messages and syncs. */
  const dispatchSoon = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      dispatch();
    });
  };

  const dispatch = (): void => {
    while (queues.size > 0) {
      const idle = [...threads].find((thread) => thread.busy.size === 0) ?? startThread();
      if (!idle) return;
      const group = takeGroup(queues);
      for (const waiting of group) idle.busy.set(waiting.job.jobId, waiting);
      const jobs = group.map(({ job }) => job);
      const packed = packer.pack(jobs, idle);
      send(idle, { kind: 'jobs', group: packed.group }, packed.handedOver);
    }
    if (onIdle && [...threads].every((thread) => thread.busy.size === 0)) onIdle();
  };

  const startThread = (): Thread | undefined => {
    if (threads.size >= most) return undefined;
    const buffer = new Uint8Array(new SharedArrayBuffer(GROUP_BYTES));
    const thread: Thread = {
      worker: new Worker(options.entry, { resourceLimits: YOUNG, workerData: buffer }),
      buffer,
      busy: new Map(),
      told: new Set(),
    };
    thread.worker.on('message', (message: FromThread) => hear(thread, message));
    thread.worker.on('error', (error: Error) => bury(thread, error));
    threads.add(thread);
    return thread;
  };

  const hear = (thread: Thread, message: FromThread): void => {
    if (message.kind === 'name') {
      const job = thread.busy.get(message.jobId)?.job;
      if (!job) return;
      const named = nameSafely(options.nameFields, job, message.fields);
      send(thread, { kind: 'named', jobId: message.jobId, ...named });
      return;
    }
    for (const result of message.results) {
      const waiting = thread.busy.get(result.jobId);
      thread.busy.delete(result.jobId);
      waiting?.settle(result);
    }
    dispatch();
  };

  const bury = (thread: Thread, error: Error): void => {
    threads.delete(thread);
    options.onCrash(error);
    for (const { job, settle } of thread.busy.values()) {
      const { jobId: id } = job;
      settle({
        jobId: id,
        kind: 'failed',
        code: null,
        message: error.message,
        stack: error.stack ?? null,
      });
    }
    thread.busy.clear();
    dispatch();
  };

  return {
    run: (place, body, task) =>
      new Promise((resolve) => {
        jobId += 1;
        const job = { jobId, place, body, task };
        const key = place.mapKey;
        const queue = queues.get(key);
        if (queue) queue.push({ job, settle: resolve });
        else queues.set(key, [{ job, settle: resolve }]);
        dispatchSoon();
      }),
    forget: () => {
      for (const thread of threads) send(thread, { kind: 'forget' });
    },
    close: async () => {
      if (queues.size > 0 || [...threads].some((thread) => thread.busy.size > 0)) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      }
      await Promise.all([...threads].map((thread) => thread.worker.terminate()));
      threads.clear();
    },
  };
};

/** Takes a job from each stream in turn until the group is full; a stream with more goes to the end of the line. */
const takeGroup = (queues: Map<string, Waiting[]>): Waiting[] => {
  const group: Waiting[] = [];
  let bytes = 0;
  while (group.length < GROUP_JOBS && queues.size > 0) {
    const [key, queue] = queues.entries().next().value as [string, Waiting[]];
    const next = queue[0] as Waiting;
    if (group.length > 0 && bytes + next.job.body.length > GROUP_BYTES) break;
    bytes += next.job.body.length;
    group.push(next);
    queue.shift();
    queues.delete(key);
    if (queue.length > 0) queues.set(key, queue);
  }
  return group;
};

const nameSafely = (
  nameFields: NameFields,
  job: Job,
  fields: readonly NewField[],
): { landed: readonly string[]; fault: Fault | null } => {
  try {
    return nameFields(job.place, job.task.batchId, fields);
  } catch (error) {
    const message = `The stream's columns could not be read: ${(error as Error).message}`;
    return { landed: [], fault: { code: 'not_ready', message, line: null, column: null } };
  }
};

const send = (thread: Thread, message: ToThread, transfer: ArrayBuffer[] = []): void =>
  thread.worker.postMessage(message, transfer);
