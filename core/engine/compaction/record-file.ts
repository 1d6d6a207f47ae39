// Owns bringing the ledger in line with a compacted file: where each of its batches is now. Never looks at the disk.

import type { CompactedFacts, ManifestBatch } from '../../lake/compact/manifest.ts';
import type { Ledger } from '../../ledger/open.ts';
import { type PlaceBatch, placeBatches } from '../place-batch.ts';
import { addBatch } from '../recorder.ts';
import { recoveredBatch } from '../recovered-batch.ts';

/** How many batches one transaction moves: a few ms with its sync, after which landings get their turn. */
export const CHUNK = 100;

/**
 * Records a compacted file and that its batches are in it, those too that the ledger did not know. Goes on from one
 * transaction to the next as the caller asks; each step says how many batches were new. Doing it again changes nothing.
 * The file itself is recorded with the last of them: one that is recorded has all its batches. After each step the
 * totals are what batches and files add up to.
 */
export function* recordCompacted(
  ledger: Ledger,
  stream: string,
  file: string,
  sizeBytes: number,
  { run, columns, batches }: CompactedFacts,
): Generator<number, void, void> {
  let rowInFile = 0;
  let firstSeq = Number.MAX_SAFE_INTEGER;
  let lastSeq = 0;
  let firstLandedAt = '';
  let lastLandedAt = '';
  const record = (batch: ManifestBatch, put: PlaceBatch): boolean => {
    const { batchId, landedFile } = batch;
    const place = { file, landedFile, rowInFile };
    let moved = put(batchId, place);
    const isNew = !moved;
    if (isNew) {
      const own = { file: landedFile, landedFile: null, rowInFile: 0 };
      addBatch(ledger, { ...recoveredBatch(stream, batch), ...own });
      moved = put(batchId, place);
    }
    rowInFile += batch.rows;
    if (moved) {
      firstSeq = Math.min(firstSeq, moved.seq);
      lastSeq = Math.max(lastSeq, moved.seq);
      if (firstLandedAt === '' || moved.landedAt < firstLandedAt) firstLandedAt = moved.landedAt;
      if (moved.landedAt > lastLandedAt) lastLandedAt = moved.landedAt;
    }
    return isNew;
  };
  for (let from = 0; from < batches.length; from += CHUNK) {
    const some = batches.slice(from, from + CHUNK);
    yield ledger.transaction(() => {
      if (from === 0) for (const column of columns) ledger.columns.restore(stream, column);
      const added = placeBatches(
        ledger,
        stream,
        (put) => some.filter((batch) => record(batch, put)).length,
      );
      if (from + CHUNK >= batches.length) {
        ledger.compactedFiles.add(stream, {
          ...{ file, run, rows: rowInFile, sizeBytes, batches: batches.length },
          bodyBytes: batches.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
          ...{ firstSeq, lastSeq, firstLandedAt, lastLandedAt },
        });
        ledger.streams.settleFiles(stream);
      }
      return added;
    });
  }
}
