// Owns `npm start`: makes the clone ready, then serves in this process, so that signals and the exit code are its own.
// Never does anything that `bin/strata.mjs serve` does not.

import { fileURLToPath } from 'node:url';

const PARENT_CHECKED_EVERY_MS = 1_000;

// A signal sent to npm ends npm and its shell, but the shell does not pass it on: this process would stay behind.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  const checking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(checking);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECKED_EVERY_MS);
  checking.unref();
}

const door = new URL('../bin/strata.mjs', import.meta.url);
process.argv = [
  process.execPath,
  fileURLToPath(door),
  'serve',
  '--welcome',
  ...process.argv.slice(2),
];
await import(door.href);
