// Owns what a run of compaction tells of itself: its step, files, rows and bytes, and for whom it waits.
// Never decides a step.

import type { MergeFile } from '../../lake/compact/source.ts';
import type { RecordedRun } from '../../ledger/compactions.ts';
import type { CompactionProgress } from '../../model.ts';
import type { JobReport } from '../jobs.ts';

/** Tells a run's progress at one of its steps; `into` is how many files it makes. */
export const progressOf = (
  report: JobReport,
  { rows, bytesBefore, filesBefore }: RecordedRun,
  into: number,
  step: CompactionProgress['step'],
) => {
  const done = { files: 0, rows: 0, bytes: 0 };
  const tell = (waitingFor: string | null): void => {
    const details: CompactionProgress = {
      step,
      files: { done: done.files, total: filesBefore },
      rows: { done: done.rows, total: rows },
      bytes: { done: done.bytes, total: bytesBefore },
      into,
      waitingFor,
    };
    const words = waitingFor ?? WORDS[step];
    report({ done: done.rows, total: rows, unit: 'rows', words, details: { ...details } });
  };
  return {
    /** Hears how many more of these files are done. */
    of: (files: readonly MergeFile[]): ((more: number) => void) => {
      let at = 0;
      return (more) => {
        for (const file of files.slice(at, at + more)) {
          done.files += 1;
          done.rows += file.rows;
          done.bytes += file.sizeBytes;
        }
        at += more;
        tell(null);
      };
    },
    wait: tell,
  };
};

const WORDS: Readonly<Record<CompactionProgress['step'], string>> = {
  merge: 'Merging, in landing order',
  verify: 'Comparing each batch with its original',
  swap: 'Swapping',
  record: 'Recording',
};
