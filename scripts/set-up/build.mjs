// Owns dist/: built by vite from the sources, again when one of them changed.
// Never empties it: a Strata that runs from it may still have parts to load.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { dist, root } from './places.mjs';
import { SOURCES } from './ready.mjs';
import { run, tail } from './run.mjs';
import { SetUpError, step } from './say.mjs';
import { listing, readStamp, writeStamp } from './stamp.mjs';

const STAMP = join(dist, '.built');
/** The page takes most of a build, and nothing of core but types. */
const PAGE_SOURCES = ['renderer', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
const PAGE_STAMP = join(dist, '.built-page');
const PAGE = join(dist, 'renderer', 'index.html');
const STAGING = '.dist-';
const OLD_FILES_STAY_MS = 60 * 60 * 1000;

/** Builds dist/ where a source has changed. Answers the listing of the sources that it is built from. */
export async function buildDist() {
  // Taken before the build: a source that changes while it runs leads to another.
  const sources = listing(SOURCES);
  if (readStamp(STAMP) !== sources) {
    const page = listing(PAGE_SOURCES);
    const keepsPage = readStamp(PAGE_STAMP) === page && existsSync(PAGE);
    await step('Building', async () => publish(await viteBuild(keepsPage), keepsPage));
    writeStamp(STAMP, sources);
    writeStamp(PAGE_STAMP, page);
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
async function viteBuild(keepsPage) {
  removeStaging();
  const staging = join(root, `${STAGING}${process.pid}`);
  mkdirSync(staging);
  const env = keepsPage ? { ...process.env, STRATA_PAGE: 'kept' } : process.env;
  await vite(['--outDir', staging, '--emptyOutDir', 'false'], env);
  return staging;
}

async function vite(args, env = process.env) {
  const cli = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const words = [cli, 'build', '--logLevel', 'warn', ...args];
  const { code, output } = await run(process.execPath, words, { env });
  if (code === 0) return;
  removeStaging();
  throw new SetUpError('The build failed.', {
    output: tail(output),
    advice: 'Correct what it says above, then run this again.',
  });
}

/** Moves the new files in one by one, the shared parts first, so that there is no moment without a whole build. */
function publish(staging, keepsPage) {
  const names = filesIn(staging).sort((a, b) => Number(isPart(b)) - Number(isPart(a)));
  for (const name of names) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    renameSync(join(staging, name), join(dist, name));
  }
  removeStaging();
  removeOldParts((name) => names.includes(name) || (keepsPage && isPageFile(name)));
}

/** A file named by its content, which others of the same build name; vite.config.ts names them so. */
function isPart(name) {
  return name.startsWith('part.') || name.startsWith(join('renderer', 'assets') + sep);
}

function isPageFile(name) {
  return name.startsWith(`renderer${sep}`);
}

function removeOldParts(isCurrent) {
  for (const name of filesIn(dist)) {
    const path = join(dist, name);
    const age = Date.now() - statSync(path).mtimeMs;
    if (isPart(name) && !isCurrent(name) && age > OLD_FILES_STAY_MS) rmSync(path);
  }
}

/** The files in a folder and those below it, by their paths in it. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function removeStaging() {
  for (const name of readdirSync(root)) {
    if (name.startsWith(STAGING)) rmSync(join(root, name), { recursive: true, force: true });
  }
}
