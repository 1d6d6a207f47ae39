// Owns a batch as the ledger has it when its file alone tells of it. Never reads the file.

import type { FileFacts } from '../lake/land.ts';
import type { Batch } from '../model.ts';

/** What tells of a batch: its own file, or the manifest of the one that it was merged into. */
type Told = Omit<FileFacts, 'knowledgebase' | 'stream' | 'renamed'> &
  Pick<Batch, 'sizeBytes' | 'landedAt'>;

/** The batch, but for where it is. */
export const recoveredBatch = (
  stream: string,
  told: Told,
): Omit<Batch, 'file' | 'landedFile' | 'rowInFile'> => ({
  stream,
  batchId: told.batchId,
  rows: told.rows,
  sizeBytes: told.sizeBytes,
  bodyBytes: told.bodyBytes,
  sha256: told.sha256,
  sender: told.sender,
  receivedAt: told.receivedAt,
  landedAt: told.landedAt,
  rejectId: told.repairs?.rejectId ?? null,
  rejectSha256: told.repairs?.sha256 ?? null,
  partRejectId: told.part?.rejectId ?? null,
  linesRejected: told.part?.lines ?? 0,
  replays: 0,
  lastReplayedAt: null,
  recovered: true,
});
