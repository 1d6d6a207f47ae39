// Owns proving, before an undo, that the originals of a run hold every batch that its files hold, once, and no other.
// Never mends anything, and reads footers alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { grouped } from '../../counted.ts';
import { AppError } from '../../errors.ts';
import { fold } from '../../ids.ts';
import { transitPaths } from '../../knowledgebase/paths.ts';
import { type DescribedFile, describeFileInTurns } from '../../lake/land.ts';
import { NotParquetError } from '../../lake/parquet/not-parquet-error.ts';
import type { RunRecord } from '../../lake/swap/journal.ts';
import { parquetFiles } from '../../lake/swap/places.ts';
import { faultOfMadeFile } from '../../lake/swap/whole.ts';
import type { Ledger } from '../../ledger/open.ts';
import { openPace, type Pace } from '../../pace.ts';
import type { OpenStream } from '../streams.ts';

/** A batch, as either side says it. */
interface Told {
  readonly batchId: string;
  readonly sha256: string;
  readonly rows: number;
}

/**
 * Throws `compaction_differs` where an original is gone, is not whole, or is not of this run: once the files that the run
 * made have gone, nobody else has their rows. Returns why one of those is gone or damaged; then the ledger says which
 * batches it held, and a batch that the ledger has lost as well comes back with its original.
 * Throws what the signal aborts with.
 */
export const checkOriginals = async (
  ledger: Ledger,
  { id, paths }: OpenStream,
  { run, made }: RunRecord,
  signal: AbortSignal,
): Promise<string | null> => {
  const { kept } = transitPaths(paths, run);
  const wanted = new Map<string, Told>();
  const lost = new Set<string>();
  let fault: string | null = null;
  const pace = openPace();
  for (const file of made) {
    const own = await faultOfMadeFile(join(paths.data, file), file, run, ({ compacted }) => {
      for (const batch of compacted?.batches ?? []) wanted.set(fold(batch.batchId), batch);
    });
    if (own !== null) lost.add(file);
    fault ??= own;
  }
  if (lost.size > 0) {
    for (const batch of ledger.batches.each(id)) {
      if (lost.has(batch.file)) wanted.set(fold(batch.batchId), batch);
    }
  }
  const isLost = (batchId: string): boolean =>
    lost.size > 0 && ledger.batches.get(id, batchId) === undefined;
  for (const file of parquetFiles(kept)) {
    await pace();
    signal.throwIfAborted();
    const { facts, compacted, rows } = await lookAt(join(kept, file), file, pace);
    const batches: readonly Told[] = compacted?.batches ?? (facts ? [{ ...facts, rows }] : []);
    if (batches.length === 0) throw differs(file, 'it has no batch of this run');
    for (const { batchId, sha256, rows: own } of batches) {
      const batch = wanted.get(fold(batchId));
      if (!batch && isLost(batchId)) continue;
      if (batch?.sha256 !== sha256 || batch.rows !== own) {
        throw differs(file, `its batch ${batchId} is not one of this run`);
      }
      wanted.delete(fold(batchId));
    }
  }
  const [left] = wanted.values();
  if (!left) return fault;
  const what =
    wanted.size === 1
      ? `The batch ${left.batchId} has no original any more.`
      : `${grouped(wanted.size)} batches have no original any more, the first is ${left.batchId}.`;
  throw new AppError('compaction_differs', `${what} ${AS_IT_WAS}`, {
    details: { batch_id: left.batchId },
  });
};

const AS_IT_WAS = 'Every file is as it was.';

const lookAt = async (path: string, file: string, pace: Pace): Promise<DescribedFile> => {
  try {
    return await describeFileInTurns(path, pace);
  } catch (error) {
    if (error instanceof NotParquetError) throw differs(file, `it is not whole: ${error.clause}`);
    if (existsSync(path)) throw error;
    throw differs(file, 'it is not there');
  }
};

const differs = (file: string, why: string): AppError =>
  new AppError('compaction_differs', `${file} cannot be brought back: ${why}. ${AS_IT_WAS}`, {
    details: { file },
  });
