// Owns what a run of compaction tells of itself: its step, files, rows and bytes, and for whom it waits.
// Never decides a step.

import type { MergeFile } from '../../lake/compact/source.ts';
import { type OnProgress, rowsIn } from '../../lake/compact/watch.ts';
import type { RecordedRun } from '../../ledger/compactions.ts';
import type { CompactionProgress } from '../../model.ts';
import type { JobReport } from '../jobs.ts';

/** Tells a run's progress at one of its steps, never less than before; `into` is how many files it makes. */
export const progressOf = (
  report: JobReport,
  { rows, bytesBefore, filesBefore }: RecordedRun,
  into: number,
  step: CompactionProgress['step'],
) => {
  let done = { files: 0, rows: 0, bytes: 0 };
  const tell = (waitingFor: string | null, isWriting = false): void => {
    const details: CompactionProgress = {
      ...{ step, isWriting },
      files: { done: done.files, total: filesBefore },
      rows: { done: done.rows, total: rows },
      bytes: { done: done.bytes, total: bytesBefore },
      ...{ into, waitingFor },
    };
    const words = waitingFor ?? (isWriting ? WRITING : WORDS[step]);
    const whole = { done: doneInAll(step, done.rows, rows), total: rows, unit: 'rows' };
    report({ ...whole, words, details: { ...details } });
  };
  return {
    /** Hears how far the work on these inputs is; those of calls before are done. */
    on: (inputs: readonly MergeFile[]): OnProgress => {
      const before = done;
      const own = rowsIn(inputs);
      const bytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return ({ files, share, isWriting }) => {
        done = {
          files: Math.max(done.files, before.files + files),
          rows: Math.max(done.rows, before.rows + Math.floor(own * share)),
          bytes: Math.max(done.bytes, before.bytes + Math.floor(bytes * share)),
        };
        tell(null, isWriting);
      };
    },
    wait: (reason: string | null): void => tell(reason),
  };
};

/** Rows of the whole run: one is done when it is merged and compared, so that a bar without steps never falls. */
const doneInAll = (step: CompactionProgress['step'], done: number, rows: number): number => {
  if (step === 'merge') return Math.floor(done / 2);
  return step === 'verify' ? Math.floor((rows + done) / 2) : rows;
};

const WRITING = 'Writing the merged file';
const WORDS: Readonly<Record<CompactionProgress['step'], string>> = {
  merge: 'Merging, in landing order',
  verify: 'Comparing each batch with its original',
  swap: 'Swapping',
  record: 'Recording',
};
