// Owns what the file that a batch is in says of its links with rejects: a file of its own, or one of many batches.
// Never changes anything.

import { errnoOf } from '../durable.ts';
import { fold } from '../ids.ts';
import type { StreamPaths } from '../knowledgebase/paths.ts';
import { type DescribedFile, describeFile } from '../lake/land.ts';
import type { FileLinks } from '../lake/links.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import { findFile } from '../lake/swap/places.ts';
import type { Batch } from '../model.ts';

export interface ToldLinks extends FileLinks {
  /** Records of the body, those that were rejected too; null where that is not said. */
  readonly records: number | null;
}

/**
 * What a batch's file says of it; undefined where the file is gone, not whole, or does not have the batch. The manifest
 * that was read last is kept, since batches of one file come one after the other.
 */
export const linksTold = (
  stream: StreamPaths,
): ((batch: Pick<Batch, 'batchId' | 'file'>) => ToldLinks | undefined) => {
  let last: { readonly file: string; readonly told: ReadonlyMap<string, ToldLinks> } | undefined;
  return ({ batchId, file }) => {
    if (last?.file !== file) last = { file, told: linksIn(findFile(stream, file)) };
    return last.told.get(fold(batchId));
  };
};

const linksIn = (path: string | undefined): ReadonlyMap<string, ToldLinks> => {
  const described = path === undefined ? undefined : look(path);
  if (!described) return new Map();
  const { facts, compacted, records } = described;
  if (facts) return new Map([[fold(facts.batchId), { ...facts, records }]]);
  return new Map(compacted?.batches.map((batch) => [fold(batch.batchId), batch]));
};

const look = (path: string): DescribedFile | undefined => {
  try {
    return describeFile(path);
  } catch (error) {
    if (error instanceof NotParquetError || errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};
