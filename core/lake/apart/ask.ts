// Owns asking a lake process for tasks over a channel: one step at a time, a long input in parts.
// Never starts the process; keep.ts does.

import { setImmediate as turn } from 'node:timers/promises';
import { errorFrom } from '../../carried-error.ts';
import { AppError } from '../../errors.ts';
import type { Channel, FromLake, ToLake } from './channel.ts';
import type { InputOf, Lake, Running, TaskName } from './lake.ts';

/** How many items of a list are sent before other work of this process gets its turn: about 2 ms. */
const PART = 500;

interface Waiting {
  readonly resolve: (step: IteratorResult<unknown, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** The tasks of the process at the other end. When it is gone, each that runs throws `work_interrupted`. */
export const lakeOver = (channel: Channel): Lake => {
  const waiting = new Map<number, Waiting>();
  let runs = 0;
  let gone: string | undefined;
  const say = (message: ToLake): void => channel.send(message);

  channel.onMessage((received) => {
    const message = received as FromLake;
    const one = waiting.get(message.run);
    waiting.delete(message.run);
    if (message.kind === 'failed') one?.reject(errorFrom(message.fault));
    else one?.resolve({ done: message.done, value: message.value });
  });
  channel.onClose((reason) => {
    gone = reason;
    for (const { reject } of waiting.values()) reject(interrupted(reason));
    waiting.clear();
  });

  const step = (run: number, kind: 'next' | 'return'): Promise<IteratorResult<unknown, unknown>> =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(interrupted(gone));
      waiting.set(run, { resolve, reject });
      say({ kind, run });
    });

  async function* run(name: TaskName, input: object, signal: AbortSignal) {
    signal.throwIfAborted();
    runs += 1;
    const id = runs;
    await begin(say, id, name, input);
    const abort = (): void => {
      if (gone === undefined) say({ kind: 'abort', run: id });
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await step(id, 'next').catch((error: unknown) => {
          isOver = true;
          throw error;
        });
        if (done) {
          isOver = true;
          return value;
        }
        yield value;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      // What it had open is closed when this is answered.
      if (!isOver && gone === undefined) await step(id, 'return');
    }
  }

  return {
    run: <N extends TaskName>(name: N, input: InputOf<N>, signal: AbortSignal) =>
      run(name, input, signal) as Running<N>,
    close: async () => channel.close(),
  };
};

const interrupted = (reason: string): AppError =>
  new AppError('work_interrupted', `The process that did this ${reason} before it was done.`);

/** Long lists go in parts: what is sent is copied at once, and landings wait for that. */
const begin = async (
  say: (message: ToLake) => void,
  run: number,
  name: string,
  input: object,
): Promise<void> => {
  const entries = Object.entries(input) as [string, unknown][];
  const isLong = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length > PART;
  const short = entries.map(([field, value]) => [field, isLong(value) ? [] : value] as const);
  say({ kind: 'begin', run, name, input: Object.fromEntries(short) });
  for (const [field, value] of entries) {
    if (!isLong(value)) continue;
    for (let from = 0; from < value.length; from += PART) {
      say({ kind: 'more', run, field, items: value.slice(from, from + PART) });
      await turn();
    }
  }
};
