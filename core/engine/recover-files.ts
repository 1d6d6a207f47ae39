// Owns recording files that the ledger does not know, and which of those that are gone it still needs.
// Never moves a file; data-files.ts finds what differs, recover.ts sets aside what cannot stay.

import { dirname } from 'node:path';
import { syncFolder } from '../durable.ts';
import { fold } from '../ids.ts';
import type { StreamPaths } from '../knowledgebase/paths.ts';
import type { Ledger } from '../ledger/open.ts';
import { recordCompacted } from './compaction/record-file.ts';
import type { Found, Missing } from './data-files.ts';
import { placeBatches } from './place-batch.ts';
import { addBatch } from './recorder.ts';
import { recoveredBatch } from './recovered-batch.ts';

/** How many landed files one transaction records: other processes get their turn between two. */
const CHUNK = 500;

/** Records files that are unknown; returns how many batches are new to the ledger. */
export const recordFiles = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  unknown: readonly Found[],
): number => {
  // A crash may have come before their folders were synced; what is recorded is answered as a replay.
  const folders = new Set(unknown.map(({ path }) => dirname(path)));
  for (const folder of folders) syncFolder(folder);
  if (unknown.length > 0) syncFolder(stream.data);
  let recorded = 0;
  let loose: Found[] = [];
  const recordLoose = (): void => {
    const some = loose;
    loose = [];
    if (some.length === 0) return;
    recorded += ledger.transaction(
      () => some.filter((found) => recordOne(ledger, id, found)).length,
    );
  };
  for (const found of unknown) {
    const { compacted, sizeBytes } = found.described;
    if (compacted) {
      recordLoose();
      for (const added of recordCompacted(ledger, id, found.file, sizeBytes, compacted)) {
        recorded += added;
      }
      continue;
    }
    loose.push(found);
    if (loose.length === CHUNK) recordLoose();
  }
  recordLoose();
  return recorded;
};

/** Records a file of one batch; false where the ledger knew the batch, which is then in this file. */
const recordOne = (ledger: Ledger, id: string, { file, described }: Found): boolean => {
  const { facts, columns, landedAt, sizeBytes } = described;
  if (!facts) return false;
  const { batchId } = facts;
  const sourceOf = new Map(
    Object.entries(facts.renamed).map(([source, landed]) => [fold(landed), source]),
  );
  for (const landed of columns) {
    const source = sourceOf.get(fold(landed)) ?? landed;
    ledger.columns.restore(id, { source, landed, firstSeenAt: landedAt, firstBatchId: batchId });
  }
  const place = { file, landedFile: null, rowInFile: 0 };
  const isNew = addBatch(ledger, {
    ...recoveredBatch(id, { ...facts, sizeBytes, landedAt }),
    ...place,
  });
  if (!isNew) placeBatches(ledger, id, (put) => put(batchId, place));
  return isNew;
};

/** Of files that are missing, those that the ledger still needs once everything else is recorded. */
export const stillNeeded = (ledger: Ledger, id: string, missing: readonly Missing[]): string[] => {
  if (missing.length === 0) return [];
  const compacted = new Set(
    missing.flatMap(({ file, batchId }) => (batchId === null ? [file] : [])),
  );
  const used = new Set<string>();
  if (compacted.size > 0) {
    for (const { file } of ledger.batches.each(id)) if (compacted.has(file)) used.add(file);
    for (const file of compacted) if (!used.has(file)) ledger.compactedFiles.remove(id, file);
  }
  ledger.streams.settleFiles(id);
  return missing
    .filter(({ file, batchId }) =>
      batchId === null ? used.has(file) : ledger.batches.get(id, batchId)?.file === file,
    )
    .map(({ file }) => file);
};
