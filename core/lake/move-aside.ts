// Owns moving a file that cannot stay where views read it into failed/, with why beside it. Never deletes one.

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renameRetrying, syncFolder } from '../durable.ts';
import type { StreamPaths } from '../knowledgebase/paths.ts';

/** The end of the name of why a file was set aside, after the file's own. */
export const WHY_SUFFIX = '.txt';

/** Moves the file from where it lies; `file` is its place in data/, which names it there. */
export const moveAside = (
  { failed }: StreamPaths,
  from: string,
  file: string,
  reason: string,
): void => {
  const name = file.replaceAll('/', '__');
  let target = join(failed, name);
  for (let copy = 2; existsSync(target); copy += 1) target = join(failed, `${copy}~${name}`);
  renameRetrying(from, target);
  writeFileSync(`${target}${WHY_SUFFIX}`, `${reason}\n`);
  syncFolder(failed);
  syncFolder(dirname(from));
};
