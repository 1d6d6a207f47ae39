// Owns noting in the ledger in which file a batch is now, with what that changes in its stream's totals: so that each
// transaction leaves batches and totals saying the same. Never looks at the disk.

import type { BatchFile, MovedBatch } from '../ledger/batches.ts';
import type { Ledger } from '../ledger/open.ts';

/** Notes it; undefined when the batch is not recorded. The caller is in a transaction. */
export const placeBatch = (
  ledger: Ledger,
  stream: string,
  batchId: string,
  place: BatchFile,
): MovedBatch | undefined => {
  const moved = ledger.batches.move(stream, batchId, place);
  const isLoose = place.landedFile === null;
  if (moved && moved.wasLoose !== isLoose) {
    const sign = isLoose ? 1 : -1;
    ledger.streams.countFiles(stream, sign, sign * moved.sizeBytes);
  }
  return moved;
};
