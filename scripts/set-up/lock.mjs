// Owns the rule that one set-up runs at a time in one clone: a second one waits and then finds the work done.
// Never outlives its holder: a lock whose process is gone, or has not touched it for a while, is taken over.

import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir, root } from './places.mjs';
import { SetUpError } from './say.mjs';

const TOUCHED_EVERY_MS = 2_000;
const ABANDONED_AFTER_MS = 30_000;

/** Runs `work` while no other process is setting up this clone. */
export async function alone(work) {
  const folder = join(cacheDir(), 'locks');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch {
    throw new SetUpError(`The folder ${folder} cannot be written.`, {
      advice: 'Set XDG_CACHE_HOME to a folder that can, then run this again.',
    });
  }
  const file = join(folder, createHash('sha256').update(root).digest('hex').slice(0, 16));
  await take(file);
  const touching = setInterval(() => touch(file), TOUCHED_EVERY_MS);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.removeListener('exit', release);
    release();
  }
}

async function take(file) {
  let told = false;
  while (!create(file)) {
    if (isAbandoned(file)) {
      discard(file);
      continue;
    }
    if (!told) process.stderr.write('Waiting for another set-up of this folder to end.\n');
    told = true;
    await sleep(200);
  }
}

function create(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    // A link appears with its content, so nobody ever reads a lock without its holder.
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function isAbandoned(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > ABANDONED_AFTER_MS) return true;
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Moves an abandoned lock away; puts it back where another process took it over in between. */
function discard(file) {
  const moved = `${file}.${process.pid}.old`;
  try {
    renameSync(file, moved);
    if (!isAbandoned(moved)) linkSync(moved, file);
  } catch {
    // Another process was quicker; the next try sees what it left.
  }
  rmSync(moved, { force: true });
}

function touch(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // The lock was taken over after a long sleep of this machine; the steps themselves are safe to repeat.
  }
}
