// Owns saying whether the originals of a run can go: every row of theirs is in a file that is there and whole.
// Never removes anything, and reads footers alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { transitPaths } from '../../knowledgebase/paths.ts';
import type { RunRecord } from '../../lake/swap/journal.ts';
import { parquetFiles } from '../../lake/swap/places.ts';
import { faultOfFile, faultOfMadeFile } from '../../lake/swap/whole.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { OpenStream } from '../streams.ts';
import { keptRuns } from './history.ts';

/** Why the originals of a run must stay, as a sentence; null where they may go. */
export const faultOfStandIn = async (
  ledger: Ledger,
  stream: OpenStream,
  record: RunRecord,
): Promise<string | null> => {
  const { id, paths } = stream;
  for (const file of record.made) {
    const isHere = existsSync(join(paths.data, file));
    if (isHere || ledger.compactedFiles.get(id, file)) {
      const fault = await faultOfCompacted(ledger, stream, file, record.run);
      if (fault !== null) return fault;
      continue;
    }
    const later = keptRuns(paths).find(({ replacedCompacted }) => replacedCompacted.includes(file));
    // The originals of a run that has merged it may be gone, and with them what says so.
    const fault = later
      ? await faultOfStandIn(ledger, stream, later)
      : await faultOfBatches(ledger, stream, record.run);
    if (fault !== null) return fault;
  }
  return null;
};

const faultOfCompacted = (
  ledger: Ledger,
  { id, paths }: OpenStream,
  file: string,
  run: string,
): Promise<string | null> => {
  const known = ledger.compactedFiles.get(id, file);
  let other: string | null = null;
  return faultOfMadeFile(join(paths.data, file), file, run, ({ sizeBytes, rows }) => {
    if (known && (known.sizeBytes !== sizeBytes || known.rows !== rows)) {
      other = `${file} is not as it was made.`;
    }
  }).then((fault) => fault ?? other);
};

/** Looks for each batch of the originals where the ledger has it. */
const faultOfBatches = async (
  ledger: Ledger,
  stream: OpenStream,
  run: string,
): Promise<string | null> => {
  const { kept } = transitPaths(stream.paths, run);
  const files = new Set<string>();
  for (const file of parquetFiles(kept)) {
    const fault = await faultOfFile(join(kept, file), file, ({ facts, compacted }) => {
      for (const { batchId } of compacted?.batches ?? (facts ? [facts] : [])) {
        const batch = ledger.batches.get(stream.id, batchId);
        if (!batch) return `The batch ${batchId} is in no other file.`;
        files.add(batch.file);
      }
      return null;
    });
    if (fault !== null) return fault;
  }
  for (const file of files) {
    const known = ledger.compactedFiles.get(stream.id, file);
    const fault = known
      ? await faultOfCompacted(ledger, stream, file, known.run)
      : await faultOfFile(join(stream.paths.data, file), file, () => null);
    if (fault !== null) return fault;
  }
  return null;
};
