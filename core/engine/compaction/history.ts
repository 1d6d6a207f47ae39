// Owns the history of runs as a person sees it: what the ledger has, with what is still in processed/.
// Never removes originals; originals.ts does.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamPaths } from '../../knowledgebase/paths.ts';
import { transitPaths } from '../../knowledgebase/paths.ts';
import { type RunRecord, readHistory } from '../../lake/swap/journal.ts';
import type { RecordedRun } from '../../ledger/compactions.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { CompactionRun } from '../../model.ts';
import type { OpenStream } from '../streams.ts';

/** Runs of which something is kept in processed/, oldest first. */
export const keptRuns = (stream: StreamPaths): RunRecord[] =>
  existsSync(stream.processed)
    ? readdirSync(stream.processed)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => readHistory(stream, name.slice(0, -'.json'.length)) ?? [])
        .filter(({ run }) => existsSync(transitPaths(stream, run).kept))
        .sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
    : [];

/**
 * Whether a run's files are all its own still: no later run has merged them, no undo taken them back. One that is gone
 * from data/ is, even where the ledger was made anew since: the originals are all there is of it.
 */
const isUndoable = (
  ledger: Ledger,
  stream: string,
  { data }: StreamPaths,
  { made }: RunRecord,
  kept: readonly RunRecord[],
): boolean =>
  made.every(
    (file) =>
      ledger.compactedFiles.get(stream, file) !== undefined ||
      (!existsSync(join(data, file)) && !isMerged(file, kept)),
  );

const isMerged = (file: string, runs: readonly RunRecord[]): boolean =>
  runs.some(({ replacedCompacted }) => replacedCompacted.includes(file));

/** The run that an undo would take back: the newest whose originals are kept and whose files stand; undefined without one. */
export const undoableRun = (
  ledger: Ledger,
  stream: string,
  paths: StreamPaths,
): RunRecord | undefined => {
  const kept = keptRuns(paths);
  return [...kept].reverse().find((record) => isUndoable(ledger, stream, paths, record, kept));
};

/** What the ledger has of a run that is done. */
export const recordedRun = (record: RunRecord): RecordedRun => {
  const { made, replacedCompacted: _, ...rest } = record;
  return { ...rest, state: 'done', filesAfter: made.length, fault: null, undoneAt: null };
};

/** Puts runs that the ledger has lost back into it, as far as their originals are kept. */
export const restoreRuns = (ledger: Ledger, stream: string, paths: StreamPaths): void => {
  for (const record of keptRuns(paths)) {
    if (ledger.compactions.get(stream, record.run)?.state === 'done') continue;
    ledger.compactions.put(stream, recordedRun(record));
  }
};

/** Until when originals are kept by a stream's present setting. */
export const keptUntil = (endedAt: string, retentionDays: number): string =>
  new Date(Date.parse(endedAt) + retentionDays * 86_400_000).toISOString();

/** The history of a stream, newest first. */
export const listRuns = (ledger: Ledger, stream: OpenStream, limit: number): CompactionRun[] => {
  const kept = new Set(keptRuns(stream.paths).map(({ run }) => run));
  const undoable = undoableRun(ledger, stream.id, stream.paths)?.run;
  const days = stream.settings().compaction.retention_days;
  return ledger.compactions.list(stream.id, limit).map((run) => ({
    ...run,
    stream: stream.id,
    originalsUntil: kept.has(run.run) && run.endedAt !== null ? keptUntil(run.endedAt, days) : null,
    undoable: run.run === undoable,
  }));
};
