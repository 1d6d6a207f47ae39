// Owns what the ledger has in the place of a batch that landed here: processes that land know nothing of each other until
// they record, and the ledger takes one. Never records, and never moves a file.

import { fold } from '../ids.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch } from '../model.ts';

/** The batch that the ledger has under the id of this one, or of the same body; undefined where it has neither. */
export const keptFor = (ledger: Ledger, batch: Batch): Batch | undefined =>
  ledger.batches.get(batch.stream, batch.batchId) ?? twinOf(ledger, batch);

/** Whether that is another file than the one that landed here. Of one that is compacted only the folder can tell. */
export const isElsewhere = (kept: Batch, batch: Batch): boolean =>
  kept.landedFile !== null || kept.file !== batch.file || kept.sha256 !== batch.sha256;

/** Whether a batch has the rows that another would bring: the same body, or both come from one that was rejected. */
export const hasRowsOf = (kept: Batch, { sha256, rejectId, rejectSha256 }: Batch): boolean =>
  kept.sha256 === sha256 ||
  kept.rejectSha256 === sha256 ||
  (rejectId !== null && kept.rejectId === rejectId) ||
  (rejectSha256 !== null && [kept.sha256, kept.rejectSha256].includes(rejectSha256));

/**
 * The same body under another id. A reject may land under an id of its own, while its producer sends it again under the
 * id that it came with: whichever is recorded second finds the other.
 */
export const twinOf = (
  ledger: Ledger,
  { stream, batchId, sha256, rejectId }: Pick<Batch, 'stream' | 'batchId' | 'sha256' | 'rejectId'>,
): Batch | undefined => {
  if (rejectId === null) {
    const reject = ledger.rejects
      .landedUnder(stream, batchId)
      .find((one) => one.sha256 === sha256 && fold(one.landedAs) !== fold(batchId));
    return reject && ledger.batches.get(stream, reject.landedAs);
  }
  const reject = ledger.rejects.get(stream, rejectId);
  if (!reject || reject.partOf !== null || fold(reject.batchId) === fold(batchId)) return undefined;
  const came = ledger.batches.get(stream, reject.batchId);
  return came?.sha256 === reject.sha256 ? came : undefined;
};
