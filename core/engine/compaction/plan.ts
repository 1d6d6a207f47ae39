// Owns the dry run: what a compaction would do to a stream now, and what it would gain. Never changes a file.

import { statfs } from 'node:fs/promises';
import { mergeMemory } from '../../lake/compact/memory.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { CompactionPlan, CompactionPolicy, FileSums } from '../../model.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';
import { chooseFiles, type Target } from './choose.ts';
import { type Gain, type MergedSize, measureGain } from './cost.ts';
import { neededBytes, runFault } from './room.ts';

/** What two processes take for a merge beside what DuckDB may (docs/bench.md): as such, and for each batch. */
const MEMORY_BESIDE = 192 * 1024 * 1024;
const MEMORY_A_BATCH = 6 * 1024;

/** The plan; with `measure` some files are read and merged outside the stream, which takes about a second. */
export const planCompaction = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  measure: boolean,
): Promise<CompactionPlan> => {
  const ledger = knowledgebase.ledger();
  const { targets, waits } = await chooseFiles(ledger, stream.id);
  const merged = sumOf(targets.flatMap(({ files }) => files));
  const loose = ledger.batches.looseSums(stream.id);
  const compacted = ledger.compactedFiles.sums(stream.id);
  const now = sumOf([loose, compacted]);
  const gain = measure && targets.length > 0 ? await gainOf(knowledgebase, stream) : undefined;
  const made = madeBytes(targets, merged.sizeBytes, gain?.merged);
  const { bavail, bsize } = await statfs(stream.paths.data);
  const policy = policyOf(stream);
  return {
    ...{ stream: stream.id, at: new Date().toISOString(), policy, now, loose, merged, waits },
    into: targets.length,
    after: {
      files: now.files - merged.files + targets.length,
      rows: now.rows,
      sizeBytes: now.sizeBytes - merged.sizeBytes + made,
    },
    gain: gain ? { sampledFiles: gain.sampledFiles, now: gain.now, after: gain.after } : null,
    memoryBytes: targets.length > 0 ? memoryOf(ledger, stream.id, targets) : 0,
    ...{ freeBytes: bavail * bsize, neededBytes: neededBytes(targets) },
    suggested: isSuggested(policy, loose.files),
  };
};

const gainOf = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
): Promise<Gain | undefined> => {
  try {
    return await measureGain(knowledgebase, stream);
  } catch (error) {
    throw runFault(error, stream);
  }
};

const memoryOf = (ledger: Ledger, stream: string, targets: readonly Target[]): number => {
  let [batches, largest] = [0, 0];
  let known: number | undefined;
  const ofCompacted = (): number => {
    known ??= ledger.batches.largestBody(stream);
    return known;
  };
  for (const { files } of targets) {
    for (const file of files) {
      batches += file.batches;
      // Which of its batches is the largest, a compacted file does not say.
      largest = Math.max(largest, file.batch?.bodyBytes ?? ofCompacted());
    }
  }
  const duckdb = mergeMemory(largest, ledger.columns.count(stream));
  return duckdb + MEMORY_BESIDE + batches * MEMORY_A_BATCH;
};

/** Bytes of the files that a merge makes; where nothing was measured, those that it reads. */
const madeBytes = (
  targets: readonly Target[],
  mergedBytes: number,
  size: MergedSize | undefined,
): number => {
  if (size === undefined) return mergedBytes;
  const made = targets
    .flatMap(({ files }) => files)
    // What is compacted already only changes places.
    .reduce(
      (sum, { batch, rows, sizeBytes }) =>
        sum + (batch === null ? sizeBytes : rows * size.aRow + size.aBatch),
      targets.length * size.aFile,
    );
  return Math.round(made);
};

/** A stream's policy as faces see it. */
export const policyOf = ({ settings }: OpenStream): CompactionPolicy => {
  const { policy, files, retention_days: retentionDays } = settings().compaction;
  return { policy, files, retentionDays };
};

/** Whether a stream has so many loose files that its policy asks for a compaction. */
export const isSuggested = ({ policy, files }: CompactionPolicy, looseFiles: number): boolean =>
  policy !== 'off' && looseFiles >= files;

const sumOf = (parts: readonly FileSums[]): FileSums =>
  parts.reduce(
    (sum, { files, rows, sizeBytes }) => ({
      files: sum.files + files,
      rows: sum.rows + rows,
      sizeBytes: sum.sizeBytes + sizeBytes,
    }),
    { files: 0, rows: 0, sizeBytes: 0 },
  );
