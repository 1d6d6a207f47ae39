// Owns moving a stream's files between its folders, durably and without holding up the event loop.
// Never replaces a file, and never copies one: each is in exactly one of the two places at any moment.

import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { makeFolder, renameRetrying, syncFolderAsync } from '../../durable.ts';
import { parquetFiles } from './places.ts';

/** How many files are moved before others get a turn: about 2 ms. */
const SLICE = 100;

/** Moves files from one folder to the same places in another; one that is there already stays. */
export const moveFiles = async (
  from: string,
  to: string,
  files: readonly string[],
  afterEach: () => void = () => {},
): Promise<void> => {
  if (files.length === 0) return;
  makeFolder(to);
  const touched = new Set<string>();
  for (const [at, file] of files.entries()) {
    const source = join(from, file);
    const target = join(to, file);
    for (const folder of [dirname(source), dirname(target)]) {
      if (touched.has(folder)) continue;
      mkdirSync(folder, { recursive: true });
      touched.add(folder);
    }
    if (!existsSync(target)) renameRetrying(source, target);
    afterEach();
    if (at % SLICE === SLICE - 1) await turn();
  }
  // New folders are durable in their parents, up to the two that were given.
  for (const folder of [...touched]) {
    for (let parent = folder; parent !== to && parent !== from; ) {
      parent = dirname(parent);
      touched.add(parent);
    }
  }
  for (const folder of touched) await syncFolderAsync(folder);
};

/** Moves everything below a folder to the same places in another, and removes the folder. */
export const moveAll = async (from: string, to: string): Promise<void> => {
  await moveFiles(from, to, parquetFiles(from));
  removeEmpty(from);
};

/** Moves a folder with all that is in it, in one step. Nothing where it is not there. */
export const moveFolder = async (from: string, to: string): Promise<void> => {
  if (!existsSync(from)) return;
  makeFolder(dirname(to));
  renameRetrying(from, to);
  await syncFolderAsync(dirname(from));
  await syncFolderAsync(dirname(to));
};

/** Removes a folder and those below it, where no file is in them. */
export const removeEmpty = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
};
