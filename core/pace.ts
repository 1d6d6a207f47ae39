// Owns how long work on the main thread goes on before others get their turn: landings pass through that thread.
// Never decides what the work is.

import { setImmediate as turn } from 'node:timers/promises';

/** A POST needs about five turns of the event loop, so it waits at most five times this for work that keeps the pace. */
const STINT_MS = 2;

/** Called between two short pieces of work: at once, or after a turn of the event loop where a stint is over. */
export type Pace = () => Promise<void> | undefined;

export const openPace = (): Pace => {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STINT_MS) return undefined;
    return turn().then(() => {
      since = performance.now();
    });
  };
};
