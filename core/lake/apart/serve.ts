// Owns running tasks for who is at the other end of a channel, each step as it is asked for.
// Never knows what a task does, nor what kind of process this is.

import { carriedOf } from '../../carried-error.ts';
import type { Channel, FromLake, ToLake } from './channel.ts';
import type { TaskName } from './lake.ts';
import { TASKS } from './tasks.ts';

interface Served {
  readonly name: TaskName;
  /** Grows by parts until the first step. */
  readonly input: Record<string, unknown>;
  readonly abort: AbortController;
  steps: AsyncGenerator<unknown, unknown> | undefined;
}

/** Serves until the channel closes. */
export const serveTasks = (channel: Channel): void => {
  const runs = new Map<number, Served>();
  const say = (message: FromLake): void => channel.send(message);

  const step = async (run: number, kind: 'next' | 'return'): Promise<void> => {
    const served = runs.get(run);
    if (!served) return say({ kind: 'step', run, done: true, value: undefined });
    try {
      served.steps ??= stepsOf(served);
      const { done, value } =
        kind === 'next' ? await served.steps.next() : await served.steps.return(undefined);
      if (done) runs.delete(run);
      say({ kind: 'step', run, done: done ?? false, value });
    } catch (error) {
      runs.delete(run);
      say({ kind: 'failed', run, fault: carriedOf(error) });
    }
  };

  channel.onMessage((received) => {
    const message = received as ToLake;
    const { run } = message;
    switch (message.kind) {
      case 'begin': {
        const name = message.name as TaskName;
        const input = { ...message.input } as Record<string, unknown>;
        runs.set(run, { name, input, abort: new AbortController(), steps: undefined });
        break;
      }
      case 'more': {
        const list = runs.get(run)?.input[message.field];
        if (Array.isArray(list)) list.push(...message.items);
        break;
      }
      case 'abort':
        runs.get(run)?.abort.abort();
        break;
      default:
        void step(run, message.kind);
    }
  });
};

const stepsOf = ({ name, input, abort }: Served): AsyncGenerator<unknown, unknown> =>
  (TASKS[name] as (input: unknown, signal: AbortSignal) => AsyncGenerator<unknown, unknown>)(
    input,
    abort.signal,
  );
