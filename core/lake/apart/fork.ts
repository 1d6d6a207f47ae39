// Owns a lake process as a child of this one, for a Strata that runs on plain Node. Never says what it does.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Channel } from './channel.ts';
import type { LakeKind } from './priority.ts';

const BUILT = new URL('./lake-process.mjs', import.meta.url);

/** Starts the built entry, beside this code's file unless said. It ends when this process does, however that comes. */
export const forkLake = async (kind: LakeKind, entry: URL = BUILT): Promise<Channel> => {
  const child = fork(fileURLToPath(entry), [kind], {
    serialization: 'advanced',
    // Standard output is this process's own to write to.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  await spawned(child);
  return {
    send: (message) => {
      // It may end between two messages; then `exit` tells.
      if (child.connected) child.send(message as object, () => {});
    },
    onMessage: (hear) => void child.on('message', hear),
    onClose: (hear) =>
      void child.once('exit', (code, signal) => hear(`ended (${signal ?? `code ${code}`})`)),
    close: () => void child.kill('SIGKILL'),
  };
};

const spawned = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
