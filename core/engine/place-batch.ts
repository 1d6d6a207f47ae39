// Owns noting in the ledger in which files batches are now, with what that changes in their stream's totals: so that
// each transaction leaves batches and totals saying the same. Never looks at the disk.

import type { BatchFile, MovedBatch } from '../ledger/batches.ts';
import type { Ledger } from '../ledger/open.ts';

/** Notes where a batch is; undefined when it is not recorded. */
export type PlaceBatch = (batchId: string, place: BatchFile) => MovedBatch | undefined;

/** Notes as many as `work` places, and counts once for all of them. The caller is in a transaction. */
export const placeBatches = <T>(
  ledger: Ledger,
  stream: string,
  work: (place: PlaceBatch) => T,
): T => {
  let files = 0;
  let sizeBytes = 0;
  const result = work((batchId, place) => {
    const moved = ledger.batches.move(stream, batchId, place);
    const isLoose = place.landedFile === null;
    if (moved && moved.wasLoose !== isLoose) {
      const sign = isLoose ? 1 : -1;
      files += sign;
      sizeBytes += sign * moved.sizeBytes;
    }
    return moved;
  });
  if (files !== 0) ledger.streams.countFiles(stream, files, sizeBytes);
  return result;
};
