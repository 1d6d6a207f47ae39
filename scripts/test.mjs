// Owns `npm test`: makes the clone ready, then checks types, lint, unused code and runs the tests; counts them all.
// Never asks for a terminal or input. `--long` makes the crash tests long; other arguments choose tests, as for vitest.

import { provide } from './set-up/debian.mjs';
import { provideElectron } from './set-up/electron.mjs';
import { setUp } from './set-up/index.mjs';
import { root } from './set-up/places.mjs';
import { run } from './set-up/run.mjs';
import { duration, explain } from './set-up/say.mjs';
import { runVitest } from './vitest.mjs';

const CHECKS = [
  { words: 'Types', program: 'typescript/bin/tsc', args: [] },
  {
    words: 'Lint and format',
    program: '@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '--diagnostic-level=warn'],
  },
  { words: 'Unused code', program: 'knip/bin/knip.js', args: ['--no-progress'] },
];

const passedArguments = process.argv.slice(2);
const filters = passedArguments.filter((argument) => argument !== '--long');
if (filters.length < passedArguments.length) process.env.STRATA_TEST_LONG = '1';

if (!process.stdout.isTTY) process.env.NO_COLOR = '1';

const total = { passed: 0, failed: 0, skipped: 0 };
if (await isSetUp()) {
  // What the tests start is built now; a source that changes meanwhile must not have them build it again.
  process.env.STRATA_SET_UP = 'done';
  await provideWindow();
  for (const check of CHECKS) total[(await passes(check)) ? 'passed' : 'failed'] += 1;
  const tests = await runVitest(filters);
  for (const key of Object.keys(total)) total[key] += tests[key];
} else {
  total.failed = 1;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function isSetUp() {
  try {
    await setUp();
    return true;
  } catch (error) {
    explain(error);
    return false;
  }
}

/** What the tests of the window need. Where it cannot be had, they are skipped and say why. */
async function provideWindow() {
  try {
    if (process.platform === 'linux') await provide('window');
    const { reason } = await provideElectron();
    if (reason) process.stderr.write(`${reason}\n`);
  } catch (error) {
    explain(error);
  }
}

/** Runs one check, prints one line about it, and what it found where it failed. */
async function passes({ words, program, args }) {
  const started = performance.now();
  process.stdout.write(`${words} ... `);
  const { code, output } = await run(process.execPath, [`node_modules/${program}`, ...args], {
    cwd: root,
  });
  const result = code === 0 ? 'passed' : 'failed';
  process.stdout.write(`${result}, ${duration(performance.now() - started)}\n`);
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
  return code === 0;
}
