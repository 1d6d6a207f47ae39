// Owns turning chosen files into what a merge reads: each one looked at, and held against the ledger.
// Never reads a value; footers alone.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { counted } from '../../counted.ts';
import { errnoOf } from '../../durable.ts';
import { AppError } from '../../errors.ts';
import { fold } from '../../ids.ts';
import type { StreamPaths } from '../../knowledgebase/paths.ts';
import type { ManifestBatch } from '../../lake/compact/manifest.ts';
import type { MergeFile } from '../../lake/compact/source.ts';
import { type DescribedFile, describeFileInTurns } from '../../lake/land.ts';
import { NotParquetError } from '../../lake/parquet/not-parquet-error.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { StreamColumn } from '../../model.ts';
import { openPace, type Pace } from '../../pace.ts';
import type { OpenStream } from '../streams.ts';
import type { Candidate } from './choose.ts';

export interface Inputs {
  readonly files: readonly MergeFile[];
  /** The batches in them, in the order of their rows. */
  readonly batches: readonly ManifestBatch[];
  /** The columns of all the files, united by name, in order of first sight. */
  readonly columns: readonly StreamColumn[];
}

/**
 * What the files say of themselves. Throws `compaction_differs` where one is not what the ledger says, naming it: then
 * nothing may be merged, and `strata verify` tells more.
 */
export const readInputs = async (
  ledger: Ledger,
  { id, paths }: OpenStream,
  files: readonly Candidate[],
  signal: AbortSignal,
): Promise<Inputs> => {
  const merged: MergeFile[] = [];
  const all: ManifestBatch[] = [];
  const names = new Map<string, string>();
  const pace = openPace();
  for (const candidate of files) {
    await pace();
    signal.throwIfAborted();
    const path = join(paths.data, candidate.file);
    const described = await lookAt(candidate, paths, pace);
    for (const name of described.columns) if (!names.has(fold(name))) names.set(fold(name), name);
    const batches = await batchesOf(ledger, id, candidate, described, pace);
    for (const batch of batches) all.push(batch);
    const { sizeBytes } = described;
    merged.push({ path, rows: candidate.rows, sizeBytes, batchCount: batches.length });
  }
  return { files: merged, batches: all, columns: columnsOf(ledger, id, names) };
};

const lookAt = async (
  candidate: Candidate,
  { data, failed }: StreamPaths,
  pace: Pace,
): Promise<DescribedFile> => {
  try {
    return await describeFileInTurns(join(data, candidate.file), pace);
  } catch (error) {
    if (error instanceof NotParquetError) {
      throw differs(candidate, `it is not whole: ${error.clause}`);
    }
    if (errnoOf(error) !== 'ENOENT') throw error;
    const isAside = existsSync(join(failed, basename(candidate.file)));
    throw differs(
      candidate,
      isAside ? 'it was not whole, and was set aside in failed/' : 'it is not in data/',
    );
  }
};

const batchesOf = async (
  ledger: Ledger,
  stream: string,
  candidate: Candidate,
  { facts, compacted, rows, sizeBytes, records }: DescribedFile,
  pace: Pace,
): Promise<readonly ManifestBatch[]> => {
  const { batch } = candidate;
  if (rows !== candidate.rows)
    throw differs(candidate, `it has ${counted(rows, 'row')}, the ledger says ${candidate.rows}`);
  if (batch === null) {
    if (!compacted) throw differs(candidate, 'it has no manifest');
    for (const { batchId, sha256 } of compacted.batches) {
      await pace();
      const known = ledger.batches.get(stream, batchId);
      if (known?.file === candidate.file && known.sha256 === sha256) continue;
      throw differs(
        candidate,
        `the ledger has its batch ${batchId} elsewhere or otherwise`,
        batchId,
      );
    }
    return compacted.batches;
  }
  const { batchId, sha256, bodyBytes, receivedAt, landedAt, sender } = batch;
  if (facts?.sha256 !== sha256 || fold(facts.batchId) !== fold(batchId)) {
    throw differs(candidate, 'it was made from another body than the ledger says', batchId);
  }
  // The file's own spelling: it is what its rows have.
  const own = { batchId: facts.batchId, sha256, bodyBytes, rows, receivedAt, landedAt, sender };
  const { repairs, part } = facts;
  return [{ ...own, landedFile: candidate.file, sizeBytes, repairs, part, records }];
};

const columnsOf = (ledger: Ledger, stream: string, names: Map<string, string>): StreamColumn[] => {
  const known = ledger.columns.list(stream).filter(({ landed }) => names.delete(fold(landed)));
  const at = new Date().toISOString();
  const rest = [...names.values()].map((name) => ({
    ...{ source: name, landed: name, firstSeenAt: at, firstBatchId: null },
  }));
  return [...known, ...rest];
};

const differs = ({ file, batch }: Candidate, why: string, batchId?: string): AppError =>
  new AppError('compaction_differs', `${file} cannot be merged: ${why}. Every file is as it was.`, {
    details: { file, batch_id: batchId ?? batch?.batchId ?? null },
  });
