// Owns finding an Electron to run the window with: the pinned one, or where that cannot be had, a stand-in for development.
// Never makes a release of the stand-in, and never fails: where there is none it says why.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, root } from './places.mjs';
import { run } from './run.mjs';
import { step } from './say.mjs';
import { fetchStandIn, standIn, whyNoStandIn } from './stand-in.mjs';

const PACKAGE = join(root, 'node_modules', 'electron');

const ASKED_AGAIN_MS = 24 * 60 * 60 * 1_000;

/**
 * @typedef {{ program: string, folder: string, version: string, isPinned: boolean }} Electron
 *   `folder` holds the whole of it; `isPinned` is false for the stand-in
 */

/** The Electron that is there, without fetching any. @returns {Electron | undefined} */
export function electronAtHand() {
  return pinned() ?? standIn();
}

/**
 * The Electron that is there or can be had, fetched at first use.
 * @returns {Promise<{ electron?: Electron, reason?: string }>} the reason, as a sentence, where there is none
 */
export async function provideElectron() {
  const there = pinned();
  if (there) return { electron: there };
  const kept = standIn();
  if (kept && !isTimeToAsk()) return { electron: kept };
  const installed = await installPinned();
  if (installed) return { electron: installed };
  if (kept) return { electron: kept };
  const why = whyNoStandIn();
  if (why) return { reason: why };
  try {
    await step('Fetching an Electron for development', fetchStandIn);
  } catch (error) {
    return { reason: `Electron could not be fetched: ${error.message}` };
  }
  const electron = standIn();
  return electron ? { electron } : { reason: 'Electron could not be fetched.' };
}

/** What Electron's process has to find in its environment, and what it must not. */
export function electronEnvironment({ isPinned }) {
  const { ELECTRON_RUN_AS_NODE, STRATA_SQLITE_BINDING, ...environment } = process.env;
  // The pinned Electron takes SQLite's compiled part from its package.
  if (!isPinned && STRATA_SQLITE_BINDING) return { ...environment, STRATA_SQLITE_BINDING };
  return environment;
}

function pinned() {
  try {
    const program = join(PACKAGE, 'dist', readFileSync(join(PACKAGE, 'path.txt'), 'utf8'));
    if (!existsSync(program)) return undefined;
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    return { program, folder: join(PACKAGE, 'dist'), version, isPinned: true };
  } catch {
    return undefined;
  }
}

/** Runs the package's own installer. It takes a second to find that nothing answers. */
async function installPinned() {
  if (!existsSync(join(PACKAGE, 'install.js'))) return undefined;
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  process.stderr.write(`Fetching Electron ${version} ... `);
  const { code } = await run(process.execPath, [join(PACKAGE, 'install.js')]);
  const electron = code === 0 ? pinned() : undefined;
  process.stderr.write(electron ? 'done\n' : 'not to be had from here\n');
  if (!electron) remember();
  return electron;
}

function askedAt() {
  return join(cacheDir(), 'electron', 'asked');
}

function isTimeToAsk() {
  try {
    return Date.now() - statSync(askedAt()).mtimeMs > ASKED_AGAIN_MS;
  } catch {
    return true;
  }
}

function remember() {
  mkdirSync(join(cacheDir(), 'electron'), { recursive: true });
  writeFileSync(askedAt(), '');
}
