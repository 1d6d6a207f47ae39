// Owns the lake processes of an engine: started when it asks, ended with it.
// Never sees what they do; the engine talks to each over a port of its own.

import { join } from 'node:path';
import { MessageChannelMain, type UtilityProcess, utilityProcess } from 'electron';
import type { FromHost, ToHost } from './host-messages.ts';

export interface LakeStarter {
  /** Starts one and hands its port to the engine. */
  start(asked: Extract<FromHost, { kind: 'start-lake' }>): void;
  /** Ends those that still run. */
  end(): void;
}

export const lakesOf = (engine: UtilityProcess): LakeStarter => {
  const running = new Set<UtilityProcess>();
  return {
    start: ({ ask, lake }) => {
      const entry = join(import.meta.dirname, 'lake-process.mjs');
      const started = utilityProcess.fork(entry, [lake], {
        serviceName: `Strata ${lake}`,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      running.add(started);
      started.once('exit', () => running.delete(started));
      const { port1, port2 } = new MessageChannelMain();
      started.postMessage(null, [port1]);
      engine.postMessage({ kind: 'lake', ask } satisfies ToHost, [port2]);
    },
    end: () => {
      for (const one of running) one.kill();
    },
  };
};
