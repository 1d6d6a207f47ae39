// Owns bringing back what a stream's newest compaction replaced, as a job, by the same swap. Never merges.

import { counted, grouped } from '../../counted.ts';
import { AppError } from '../../errors.ts';
import { transitPaths } from '../../knowledgebase/paths.ts';
import { takeCompactionLock } from '../../knowledgebase/writer-lock.ts';
import { hasJournal, type RunRecord } from '../../lake/swap/journal.ts';
import { parquetFiles } from '../../lake/swap/places.ts';
import type { CompactionProgress, Job } from '../../model.ts';
import type { Core } from '../../open-core.ts';
import type { JobReport } from '../jobs.ts';
import type { OpenKnowledgebase } from '../open.ts';
import type { OpenStream } from '../streams.ts';
import { checkOriginals } from './check-originals.ts';
import { measureStream } from './cost.ts';
import { listRuns, undoableRun } from './history.ts';
import { SWAP_PATIENCE_MS } from './run.ts';
import { settleFirst, swapFiles, takeOriginals } from './swap.ts';
import { sweepStaged } from './tidy.ts';

/** Starts undoing the newest run. Throws `nothing_to_undo`, `compaction_running`. The job's result is the run. */
export const startUndo = (
  core: Core,
  knowledgebaseId: string,
  streamId: string,
  patienceMs = SWAP_PATIENCE_MS,
): Job => {
  const knowledgebase = core.knowledgebase(knowledgebaseId);
  const stream = knowledgebase.streams.get(streamId);
  const lock = takeCompactionLock(knowledgebase.paths, `undoing a compaction of ${stream.id}`);
  try {
    const known = hasJournal(stream.paths) ? undefined : chooseRun(knowledgebase, stream);
    const title = `Undoing the compaction of ${stream.id}`;
    return core.jobs.start(
      { kind: 'compact-undo', title, knowledgebase: knowledgebase.id },
      async (report, signal) => {
        try {
          const onWaiting = (reason: string | null): void =>
            report({ done: 0, total: null, unit: 'files', ...(reason ? { words: reason } : {}) });
          await settleFirst(knowledgebase, stream, { signal, patienceMs, onWaiting });
          const record = known ?? chooseRun(knowledgebase, stream);
          return await undo({ knowledgebase, stream, record, patienceMs, report, signal });
        } finally {
          // What was made ready for a swap that did not come.
          if (!hasJournal(stream.paths)) sweepStaged(knowledgebase.paths, stream.paths);
          lock.release();
        }
      },
    );
  } catch (error) {
    lock.release();
    throw error;
  }
};

const chooseRun = ({ ledger }: OpenKnowledgebase, stream: OpenStream): RunRecord => {
  const record = undoableRun(ledger(), stream.id, stream.paths);
  if (record) return record;
  throw new AppError('nothing_to_undo', `${stream.id} has no compaction that can be undone.`);
};

interface Undoing {
  readonly knowledgebase: OpenKnowledgebase;
  readonly stream: OpenStream;
  readonly record: RunRecord;
  readonly patienceMs: number;
  readonly report: JobReport;
  readonly signal: AbortSignal;
}

const undo = async (undoing: Undoing): Promise<Readonly<Record<string, unknown>>> => {
  const { knowledgebase, stream, record, patienceMs, report, signal } = undoing;
  const files = parquetFiles(transitPaths(stream.paths, record.run).kept).length;
  const tell = (waitingFor: string | null): void => {
    const none = (total: number) => ({ done: 0, total });
    const details: CompactionProgress = {
      ...{ step: 'swap', isWriting: false },
      ...{ files: none(files), rows: none(record.rows), bytes: none(record.bytesBefore) },
      ...{ into: files, waitingFor },
    };
    const words = waitingFor ?? 'Bringing the originals back';
    report({ done: 0, total: files, unit: 'files', words, details: { ...details } });
  };
  tell(null);
  const fault = await checkOriginals(knowledgebase.ledger(), stream, record, signal);
  const waiting = { signal, patienceMs, onWaiting: tell, onEntered: () => tell(null) };
  const heldMs =
    fault === null
      ? await swapFiles(knowledgebase, stream, {
          ...{ kind: 'undo', record, leaving: record.made, ...waiting },
        })
      : await takeOriginals(knowledgebase, stream, record, waiting);
  await measureStream(knowledgebase, stream, signal).catch(() => {});
  knowledgebase.ledger().events.add({
    ...{
      at: new Date().toISOString(),
      level: 'info',
      kind: 'compaction-undone',
      stream: stream.id,
    },
    message: `The ${counted(files, 'file')} of run ${record.run} ${files === 1 ? 'is' : 'are'} back, swapped in ${grouped(heldMs)} ms.`,
  });
  const run = listRuns(knowledgebase.ledger(), stream, 1_000).find((one) => one.run === record.run);
  return { ...run, undoHeldMs: heldMs };
};
