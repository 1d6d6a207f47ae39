// Owns `npm start`: makes the clone ready, then serves in this process, so that signals and the exit code are its own.
// Never does anything that `bin/strata.mjs serve` does not.

import { fileURLToPath } from 'node:url';

const door = new URL('../bin/strata.mjs', import.meta.url);
process.argv = [
  process.execPath,
  fileURLToPath(door),
  'serve',
  '--welcome',
  ...process.argv.slice(2),
];
await import(door.href);
