// Owns what DuckDB work of any length is asked through: a task of the list, in this process or in one of its own.
// Never says what a task does; tasks.ts does.

import type { Tasks } from './tasks.ts';

export type TaskName = keyof Tasks;
type Run<N extends TaskName> = ReturnType<Tasks[N]>;
/** What a task is given: plain data. */
export type InputOf<N extends TaskName> = Parameters<Tasks[N]>[0];
/** What it tells while it runs. */
export type EventOf<N extends TaskName> = Run<N> extends AsyncGenerator<infer E> ? E : never;
/** What it ends with. */
export type OutputOf<N extends TaskName> =
  Run<N> extends AsyncGenerator<unknown, infer O> ? O : never;

/** A task that runs. It goes on only while it is asked for what comes next; `return` ends it, with all it had open. */
export type Running<N extends TaskName> = AsyncGenerator<EventOf<N>, OutputOf<N>, void>;

export interface Lake {
  /** Begins a task at the first `next`. Throws what the task throws, and `work_interrupted` where its process ended. */
  run<N extends TaskName>(name: N, input: InputOf<N>, signal: AbortSignal): Running<N>;
  /** Ends what still runs, and its process. */
  close(): Promise<void>;
}

/** The two that a Strata has: a query never waits for a merge, nor falls with it. */
export interface Lakes {
  readonly reading: Lake;
  readonly merging: Lake;
}

/** Runs a task to its end; `hear` is called with what it tells. */
export const runToEnd = async <E, O>(
  running: AsyncGenerator<E, O, void>,
  hear: (event: E) => void = () => {},
): Promise<O> => {
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
    hear(step.value);
  }
};
