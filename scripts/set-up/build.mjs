// Owns dist/: built by vite from the sources, again when one of them changed.
// Never empties it: a Strata that runs from it may still have parts to load.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dist, root } from './places.mjs';
import { SOURCES } from './ready.mjs';
import { run, tail } from './run.mjs';
import { SetUpError, step } from './say.mjs';
import { listing, readStamp, writeStamp } from './stamp.mjs';

const STAMP = join(dist, '.built');
const STAGING = '.dist-';
const OLD_FILES_STAY_MS = 60 * 60 * 1000;

/** Builds dist/ where a source has changed. Answers the listing of the sources that it is built from. */
export async function buildDist() {
  // Taken before the build: a source that changes while it runs leads to another.
  const sources = listing(SOURCES);
  if (readStamp(STAMP) !== sources) {
    await step('Building', async () => publish(await viteBuild()));
    writeStamp(STAMP, sources);
  }
  return sources;
}

/** Builds what the measurements need into dist/bench/, each time anew; answers the file to run. */
export async function buildBench() {
  const outDir = join(dist, 'bench');
  await step('Building the measurements', () => vite(['--mode', 'bench', '--outDir', outDir]));
  return join(outDir, 'bench.mjs');
}

/** Builds beside dist/, at the same depth, so that the paths in source maps hold after the move. */
async function viteBuild() {
  removeStaging();
  const staging = join(root, `${STAGING}${process.pid}`);
  mkdirSync(staging);
  await vite(['--outDir', staging, '--emptyOutDir', 'false']);
  return staging;
}

async function vite(args) {
  const cli = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { code, output } = await run(process.execPath, [
    cli,
    'build',
    '--logLevel',
    'warn',
    ...args,
  ]);
  if (code === 0) return;
  removeStaging();
  throw new SetUpError('The build failed.', {
    output: tail(output),
    advice: 'Correct what it says above, then run this again.',
  });
}

/** Moves the new files in one by one, the shared parts first, so that there is no moment without a whole build. */
function publish(staging) {
  mkdirSync(dist, { recursive: true });
  const names = readdirSync(staging).sort((a, b) => Number(isPart(b)) - Number(isPart(a)));
  for (const name of names) renameSync(join(staging, name), join(dist, name));
  removeStaging();
  removeOldParts(new Set(names));
}

/** A file named by its content, which entries of the same build import; vite.config.ts names them. */
function isPart(name) {
  return name.startsWith('part.');
}

function removeOldParts(current) {
  for (const name of readdirSync(dist)) {
    const path = join(dist, name);
    const age = Date.now() - statSync(path).mtimeMs;
    if (isPart(name) && !current.has(name) && age > OLD_FILES_STAY_MS) rmSync(path);
  }
}

function removeStaging() {
  for (const name of readdirSync(root)) {
    if (name.startsWith(STAGING)) rmSync(join(root, name), { recursive: true, force: true });
  }
}
