// Owns starting and killing the server of the crash tests, and counting how each of them died.
// Never looks at what a death left behind.

import { type Server, startServer } from './server.ts';

/** How often a server died, by the step it died at, or `at random`, `while starting`. */
export type Kills = Map<string, number>;

/** A server that may kill itself at a step; whoever kills it otherwise says so. */
export interface DoomedServer extends Server {
  /** Resolves when it is gone: at its step, or when something else killed it. */
  end(otherwise: string): Promise<void>;
}

const count = (kills: Kills, what: string): void =>
  void kills.set(what, (kills.get(what) ?? 0) + 1);

/**
 * Starts a server that kills itself at the n-th time of a step. One that dies before it is ready is counted and
 * started again without a step.
 */
export const startDoomed = async (
  home: string,
  kills: Kills,
  step?: string,
  times = 1,
): Promise<DoomedServer> => {
  const env: Record<string, string> =
    step === undefined ? {} : { STRATA_CRASH_AT: `${step}:${times}` };
  let server: Server;
  try {
    server = await startServer({ home, env });
  } catch (error) {
    if (step === undefined || !(error as Error).message.includes('SIGKILL')) throw error;
    count(kills, step);
    return startDoomed(home, kills);
  }
  const die = async (otherwise: string): Promise<void> => {
    // Where nobody answers it is gone already, or about to be: it was its step.
    const isAlive = await fetch(server.ingestUrl).then(
      () => true,
      () => false,
    );
    if (isAlive) await server.kill();
    const { signal } = await server.gone();
    if (signal !== 'SIGKILL') throw new Error(`The server ended by itself: ${server.stderr()}`);
    count(kills, isAlive ? otherwise : (step ?? otherwise));
  };
  let death: Promise<void> | undefined;
  return {
    ...server,
    end: (otherwise) => {
      death ??= die(otherwise);
      return death;
    },
  };
};
