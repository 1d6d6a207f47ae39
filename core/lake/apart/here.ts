// Owns running tasks in this process. Never starts another.

import type { Lake, Lakes } from './lake.ts';
import { TASKS } from './tasks.ts';

/** Both run tasks in this process: for a command, which is one task itself. */
export const lakesHere = (): Lakes => ({ reading: lakeHere(), merging: lakeHere() });

const lakeHere = (): Lake => ({
  run: (name, input, signal) =>
    // What a name's task takes is what was passed for that name.
    (TASKS[name] as (input: unknown, signal: AbortSignal) => never)(input, signal),
  close: async () => {},
});
