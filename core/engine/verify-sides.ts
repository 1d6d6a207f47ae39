// Owns telling, while the ledger follows a swap, on which of its sides a batch may be: recorded in a file that counts, or
// in one that was taken out of data/, whose rows a file that counts must have then. Never reads a file.

import type { SwapJournal } from '../lake/swap/journal.ts';
import type { Batch } from '../model.ts';

export interface Sides {
  /** By id, batches that are recorded in a file that does not count any more. Who finds one in a file that does takes it out. */
  readonly behind: Map<string, Batch>;
  /** The swap's compacted files that count: they are looked at, also where no batch is recorded in them. */
  readonly compacted: readonly string[];
  /** Batches that a compacted file may hold though they are recorded in another; undefined where there are none. */
  otherSideOf(file: string): ReadonlyMap<string, Batch> | undefined;
}

/** The sides as the ledger has them; without a swap there are none. `files` are those that count. */
export const sidesOf = (
  batches: readonly Batch[],
  files: ReadonlyMap<string, string>,
  journal: SwapJournal | undefined,
): Sides => {
  const behind = new Map<string, Batch>();
  if (!journal) return { behind, compacted: [], otherSideOf: () => undefined };
  const counting = new Map<string, Batch>();
  for (const batch of batches) {
    (files.has(batch.file) ? counting : behind).set(batch.batchId, batch);
  }
  // A batch that is found is taken out of `behind`; who looks for it in a second file has to know it all the same.
  const wereBehind = new Map(behind);
  const named = new Set([...journal.record.made, ...journal.record.replacedCompacted]);
  return {
    behind,
    compacted: [...named].filter((file) => files.has(file)),
    otherSideOf: (file) => {
      if (!named.has(file)) return undefined;
      return files.has(file) ? wereBehind : counting;
    },
  };
};
