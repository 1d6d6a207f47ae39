// Owns where better-sqlite3's compiled part is, where the one in its package does not fit this Node.
// Never builds it: native.mjs does.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, root } from './places.mjs';

const NODE_API_OF_PREBUILT = 10;

/** Whether this Node is too old for the compiled part in the package, which would end the process on loading it. */
export function needsBinding() {
  return Number(process.versions.napi) < NODE_API_OF_PREBUILT;
}

/** The path that better-sqlite3 takes as its option `nativeBinding`; undefined where it needs none. */
export function bindingPath() {
  if (process.env.STRATA_SQLITE_BINDING) return process.env.STRATA_SQLITE_BINDING;
  if (!needsBinding()) return undefined;
  const version = packageVersion();
  if (version === undefined) return undefined;
  const { versions, platform, arch } = process;
  const name = `better-sqlite3-${version}-napi${versions.napi}-${platform}-${arch}`;
  return join(cacheDir(), 'native', name, 'better_sqlite3.node');
}

/** Whether there is a compiled part for this Node, in the package or in the cache. */
export function hasBinding() {
  const path = bindingPath();
  return path === undefined ? !needsBinding() : existsSync(path);
}

/** Tells core, in this process and its children, where the compiled part is. */
export function announceBinding() {
  const path = bindingPath();
  if (path !== undefined) process.env.STRATA_SQLITE_BINDING = path;
}

function packageVersion() {
  try {
    const file = join(root, 'node_modules', 'better-sqlite3', 'package.json');
    return JSON.parse(readFileSync(file, 'utf8')).version;
  } catch {
    return undefined;
  }
}
