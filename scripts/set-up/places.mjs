// Owns where set-up finds and puts things: the clone, its sources, the cache that outlives a clone.
// Never creates anything.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What `vite build` makes, and bin/strata.mjs runs. */
export const dist = join(root, 'dist');

/** Whether this is a clone with sources to build from; an installed package has none. */
export function hasSources() {
  return existsSync(join(root, 'core'));
}

/** The folder for what is costly to make and the same for every clone of this user. */
export function cacheDir() {
  return join(userCacheDir(), 'strata');
}

function userCacheDir() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return join(homedir(), '.cache');
}
