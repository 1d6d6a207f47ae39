// Owns `npm run bench`: makes the clone ready and runs test/bench/run.ts with the arguments passed on.
// Never measures anything itself.

import { spawn } from 'node:child_process';
import { buildBench } from './set-up/build.mjs';
import { setUp } from './set-up/index.mjs';
import { root } from './set-up/places.mjs';
import { runScript } from './set-up/say.mjs';

await runScript(async () => {
  await setUp();
  const entry = await buildBench();
  // In a process of its own, so that nothing that set-up loaded is measured.
  const env = { ...process.env, STRATA_SET_UP: 'done' };
  let child;
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child = spawn(process.execPath, [entry, ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  child.once('exit', (code) => process.exit(code ?? 1));
});
