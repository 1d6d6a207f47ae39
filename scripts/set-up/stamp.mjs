// Owns the stamps that tell whether something is still current: a list of what it was made from, as it was.
// Never decides what to do when one is not. Small, since every command loads it.

import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './places.mjs';

/** One line a file with its size and modification time, for the files and everything in the folders. Takes a few ms. */
export function listing(paths) {
  const lines = [];
  for (const path of paths) addLines(lines, path);
  return lines.join('\n');
}

function addLines(lines, path) {
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) lines.push(`${path} missing`);
  else if (!stat.isDirectory()) lines.push(`${path} ${stat.size} ${stat.mtimeMs}`);
  else for (const name of readdirSync(full).sort()) addLines(lines, `${path}/${name}`);
}

/** What a stamp says; an empty string where there is none. */
export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Writes a stamp whole or not at all. */
export function writeStamp(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text);
  renameSync(next, file);
}
