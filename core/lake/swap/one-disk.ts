// Owns seeing to it that the folders of a stream are on one disk: a swap moves files between them by renaming.
// Never moves anything.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../../errors.ts';
import type { StreamPaths } from '../../knowledgebase/paths.ts';

/** Throws `folders_apart` where a folder that a swap moves files to or from is on another disk than data/. */
export const checkOneDisk = ({ data, staging, processed }: StreamPaths): void => {
  const own = deviceOf(data);
  for (const folder of [staging, processed]) {
    const device = deviceOf(folder);
    if (device === undefined || own === undefined || device === own) continue;
    throw new AppError(
      'folders_apart',
      `${basename(folder)}/ is on another disk than data/. Every file is as it was.`,
      { details: { path: folder } },
    );
  }
};

/** Undefined where it is not there yet: then it is made beside the others. */
const deviceOf = (folder: string): number | undefined =>
  statSync(folder, { throwIfNoEntry: false })?.dev;
