// Owns the desk: one thread on which kept bodies are read, checked and mended, started when there is work and ended
// when there has been none for a while. Never looks into a body itself, and never lands one.

import { Worker } from 'node:worker_threads';
import { errorFrom } from '../../carried-error.ts';
import { AppError } from '../../errors.ts';
import type { FromDesk, InputOf, OutputOf, TaskKind, ToDesk } from './protocol.ts';

export interface Desk {
  /**
   * Does a task; tasks are begun in order. Throws what the task throws; once `signal` aborts, the signal's reason,
   * and a task that has not begun is not begun.
   */
  run<Kind extends TaskKind>(
    kind: Kind,
    input: InputOf<Kind>,
    signal?: AbortSignal,
  ): Promise<OutputOf<Kind>>;
  /** Ends the thread; tasks that it had end with an error. */
  close(): Promise<void>;
}

export interface DeskOptions {
  /** The built worker.ts. */
  readonly entry: URL;
  /** The thread died; its tasks were failed. */
  readonly onCrash: (error: Error) => void;
}

/** The thread keeps a body and what it needed for it; it goes when nobody has asked for so long. */
const IDLE_MS = 30_000;

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly tasks: Map<number, Waiting>;
}

/** A desk without a thread yet. */
export const openDesk = ({ entry, onCrash }: DeskOptions): Desk => {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let taskId = 0;

  const start = (): Thread => {
    const started: Thread = { worker: new Worker(entry), tasks: new Map() };
    const { worker, tasks } = started;
    worker.on('message', (message: FromDesk) => {
      const waiting = tasks.get(message.taskId);
      tasks.delete(message.taskId);
      if (tasks.size === 0) rest(started);
      if ('output' in message) waiting?.resolve(message.output as never);
      else if ('fault' in message) waiting?.reject(errorFrom(message.fault));
    });
    worker.on('error', (error: Error) => {
      if (thread === started) thread = undefined;
      onCrash(error);
      failAll(tasks, error);
    });
    return started;
  };

  /** Nothing to do: it keeps no process alive, and goes after a while. */
  const rest = (started: Thread): void => {
    started.worker.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (thread !== started || started.tasks.size > 0) return;
      thread = undefined;
      void started.worker.terminate();
    }, IDLE_MS).unref();
  };

  return {
    run: (kind, input, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        thread ??= start();
        const { worker, tasks } = thread;
        taskId += 1;
        const mine = taskId;
        const say = (message: ToDesk): void => worker.postMessage(message);
        const onAbort = (): void => {
          say({ taskId: mine, kind: 'drop' });
          settle(() => reject(signal?.reason));
        };
        // Its place stays until the thread has answered: then it is known to have nothing to do.
        const settle = (how: () => void): void => {
          signal?.removeEventListener('abort', onAbort);
          how();
        };
        say({ taskId: mine, kind, input });
        worker.ref();
        tasks.set(mine, {
          resolve: (output) => settle(() => resolve(output)),
          reject: (error) => settle(() => reject(error)),
        });
        signal?.addEventListener('abort', onAbort);
      }),
    close: async () => {
      clearTimeout(idle);
      const ending = thread;
      thread = undefined;
      if (!ending) return;
      await ending.worker.terminate();
      failAll(ending.tasks, new AppError('not_ready', 'Strata is shutting down.'));
    },
  };
};

const failAll = (tasks: Map<number, Waiting>, error: Error): void => {
  for (const { reject } of tasks.values()) reject(error);
  tasks.clear();
};
