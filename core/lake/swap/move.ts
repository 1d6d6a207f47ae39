// Owns moving a stream's files between its folders without holding up the event loop.
// Never copies one: each is in exactly one of the two places at any moment. What is durable is the caller's to say.

import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, renameRetrying, syncFolderAsync } from '../../durable.ts';
import { openPace } from '../../pace.ts';
import { parquetFiles } from './places.ts';

/** Moves files from one folder to the same places in another; returns the folders whose names have changed. */
export const moveFiles = async (
  from: string,
  to: string,
  files: readonly string[],
  afterEach: () => void = () => {},
): Promise<Set<string>> => {
  const touched = new Set<string>();
  const pace = openPace();
  for (const file of files) {
    const source = join(from, file);
    const target = join(to, file);
    touched.add(dirname(source));
    if (!touched.has(dirname(target))) {
      mkdirSync(dirname(target), { recursive: true });
      // New folders are names in their parents.
      for (let folder = dirname(target); folder !== dirname(to); folder = dirname(folder)) {
        touched.add(folder);
      }
    }
    moveFile(source, target);
    afterEach();
    await pace();
  }
  return touched;
};

/** A file that another process has moved before it died is there already. */
const moveFile = (source: string, target: string): void => {
  try {
    renameRetrying(source, target);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || !existsSync(target)) throw error;
  }
};

/** Moves everything below a folder to the same places in another, and removes the folder. */
export const moveAll = async (from: string, to: string): Promise<Set<string>> => {
  const touched = await moveFiles(from, to, parquetFiles(from));
  removeEmpty(from);
  return touched;
};

/** Moves a folder with all that is in it, in one step. Nothing where it is not there. */
export const moveFolder = (from: string, to: string): void => {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  renameRetrying(from, to);
};

/** Makes the names in folders durable; one that is gone has none. */
export const syncFolders = async (folders: Iterable<string>): Promise<void> => {
  for (const folder of new Set(folders)) if (existsSync(folder)) await syncFolderAsync(folder);
};

/** Removes a folder and those below it, where no file is in them. */
export const removeEmpty = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
};
