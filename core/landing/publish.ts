// Owns where a staged batch is put in its stream's data folder, and that no other file of its id is put beside it.
// Never writes a batch, and never records one.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, makeOneFolder, removeQuietly, syncFolder } from '../durable.ts';
import { batchFile, batchFiles, dayOf } from '../knowledgebase/paths.ts';
import { publishBatch } from '../lake/land.ts';
import { atStep } from '../steps.ts';
import type { Job, LandTask, StreamPlace } from './protocol.ts';

/** What became of a staged file: it has its name now, or its id has a file already and the staged one is gone. */
export interface Published {
  /** The file that the id has, relative to `data`. */
  readonly file: string;
  readonly isMine: boolean;
}

export interface Publisher {
  /** Durable only after `syncAround` the file. */
  publish(job: Job<LandTask>, staged: string): Published;
}

/**
 * A publisher of one thread. A name is taken but once where two batches of one id get the same; where they do not,
 * since a day has passed or the stream's setting has changed, the ledger knows the first. Only what another process
 * has put there and not recorded (it died, or is about to) is looked for in the folder: in `data` itself, and in the
 * folders of the days since the knowledgebase was opened, when everything that lay there was recorded.
 */
export const openPublisher = (now: () => number): Publisher => {
  /** Folders that this thread knows to be there for good. */
  const durable = new Set<string>();

  const putIn = ({ place, task }: Job<LandTask>, staged: string, file: string): boolean => {
    const { data } = place;
    const folder = dirname(join(data, file));
    if (folder !== data && !durable.has(folder)) {
      // One that another process made may not be synced yet.
      makeOneFolder(folder, () => atStep('folder'));
      durable.add(folder);
    }
    return publishBatch(staged, join(data, file), task.isFresh);
  };

  return {
    publish: (job, staged) => {
      const today = dayOf(now());
      const { batchId, dateFolders, isFresh } = job.task;
      const file = batchFile(batchId, dateFolders ? today : null);
      const other = isFresh ? undefined : findOther(job.place, batchId, file, today);
      if (other !== undefined) {
        removeQuietly(staged);
        return { file: other, isMine: false };
      }
      try {
        return { file, isMine: putIn(job, staged, file) };
      } catch (error) {
        // Somebody removed the folder of the day, which was empty.
        if (errnoOf(error) !== 'ENOENT' || !durable.delete(dirname(join(job.place.data, file)))) {
          throw error;
        }
        return { file, isMine: putIn(job, staged, file) };
      }
    },
  };
};

/** A file of this id in another place than its own. */
const findOther = (
  { data, since }: StreamPlace,
  batchId: string,
  own: string,
  today: string,
): string | undefined => {
  const isThere = (file: string): boolean =>
    file !== own && lstatSync(join(data, file), { throwIfNoEntry: false }) !== undefined;
  return batchFiles(batchId, since, today).find(isThere);
};

/** Makes the names of landed files durable: the folder that each is in, once. */
export const syncAround = (files: Iterable<string>): void => {
  for (const folder of new Set([...files].map((path) => dirname(path)))) syncFolder(folder);
};
