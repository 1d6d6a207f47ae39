// Owns asking a server how long its main thread works without a turn of its event loop, in ms of processor time.
// Never measures itself; main-thread-steps.mjs does, inside the server.

import { pathToFileURL } from 'node:url';
import type { Server } from './server.ts';
import { until } from './until.ts';

/** For the environment of the server. */
export const WITH_STEPS = {
  NODE_OPTIONS: `--import ${pathToFileURL('test/helpers/main-thread-steps.mjs')}`,
};

/** The longest step since the last question, in ms. */
const longestStep = async ({ child, stderr }: Server): Promise<number> => {
  const told = stderr().length;
  child.kill('SIGUSR2');
  return until('the longest step is told', () => {
    const found = /longest step ([\d.]+)\n/.exec(stderr().slice(told));
    return found ? Number(found[1]) : undefined;
  });
};

/** Does something, and says how long the server's main thread worked in one step meanwhile, in ms. */
export const longestStepIn = async <T>(
  server: Server,
  work: () => Promise<T>,
): Promise<{ readonly stepMs: number; readonly result: T }> => {
  await longestStep(server);
  const result = await work();
  return { stepMs: await longestStep(server), result };
};
