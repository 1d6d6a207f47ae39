// Owns the packages in node_modules: installed exactly as package-lock.json says, again when that changes.
// Never changes package.json or the lock, and leaves alone an installation that already matches them.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';
import { npm, tail } from './run.mjs';
import { SetUpError, step } from './say.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const STAMP = join(root, 'node_modules', '.strata-dependencies');

/** Installs the packages where they are not as wanted. */
export async function installDependencies() {
  const hash = wanted();
  if (readStamp(STAMP) === hash) return;
  if (!installedAsLocked()) await step('Installing packages', ci);
  writeStamp(STAMP, hash);
}

async function ci() {
  // Building needs the development packages, also where NODE_ENV=production.
  const { code, output } = await npm([
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code === 0) return;
  const what = 'The packages could not be installed: npm ci failed.';
  if (/can only install (packages )?(with an existing|when your) package/.test(output)) {
    throw new SetUpError(`${what} package.json and package-lock.json do not agree.`, {
      advice: 'Run: npm install',
    });
  }
  throw new SetUpError(what, { output: tail(output), advice: adviceFor(output) });
}

function adviceFor(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full. Free about 1 GB, then run this again.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `This user cannot write to ${root}. Give it that right, then run this again.`;
  }
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|network/i.test(output)) {
    return 'The package registry did not answer. Check the network and `npm config get registry`, then run this again.';
  }
  return 'Correct what npm says above, then run this again.';
}

/** A hash of what is to be installed. */
function wanted() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['package.json', 'package-lock.json']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Whether npm's own record of node_modules holds what the lock asks for, nothing else, in the same versions. */
function installedAsLocked() {
  const manifest = readJson('package.json');
  const locked = readJson('package-lock.json')?.packages;
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (!manifest || !locked || !installed || !asksForTheSame(manifest, locked[''])) return false;
  const isThere = ([path, entry]) => {
    const found = installed[path];
    if (!found) return mayBeMissing(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  };
  const expected = Object.entries(locked).filter(([path]) => path !== '');
  return (
    expected.every(isThere) &&
    Object.keys(installed).every((path) => path in locked && existsSync(join(root, path)))
  );
}

function asksForTheSame(manifest, lockedRoot = {}) {
  const asked = (of) =>
    JSON.stringify([of.dependencies ?? {}, of.devDependencies ?? {}].map(sorted));
  return asked(manifest) === asked(lockedRoot);
}

function sorted(versions) {
  return Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** npm leaves out an optional package that is for another platform; one that is for this platform has to be there. */
function mayBeMissing(entry) {
  if (!entry.optional) return false;
  const { os, cpu, libc } = entry;
  return !(os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch {
    return undefined;
  }
}
