#!/usr/bin/env node
// The command line's door: makes a fresh clone ready, then runs the command in this same process.
// Never writes to stdout, and never runs the command in a child: callers send their signals to this process.

import module from 'node:module';
import { setUp } from '../scripts/set-up/index.mjs';
import { runScript } from '../scripts/set-up/say.mjs';

await runScript(setUp);
// Node >= 22.1 keeps compiled code between starts.
module.enableCompileCache?.();
const { run } = await import('../dist/cli.mjs');
await run(process.argv.slice(2));
