// Owns the steps of a running compaction or undo, as a person follows them, and how fast they go. Never renders.

import type { CompactionProgress, Job } from '../../../../core/model.ts';
import { filesOf } from '../../../app/compaction-words.ts';
import { count, duration, rate } from '../../../ui/format.ts';
import type { MarkName } from '../../../ui/mark.tsx';

/** A step and how far it is. */
export interface Step {
  readonly name: string;
  readonly mark: MarkName;
  readonly isNow: boolean;
  readonly aside: string;
}

/** The running or last job of a stream's compactions among all jobs; the newest, running ones first. */
export const jobOf = (
  jobs: readonly Job[] | undefined,
  knowledgebase: string,
  stream: string,
): Job | undefined =>
  jobs?.find(
    (job) =>
      job.knowledgebase === knowledgebase &&
      (job.title === `Compacting ${stream}` || job.title === `Undoing the compaction of ${stream}`),
  );

/** What is being done now, as a head. */
export const headOf = (progress: CompactionProgress | null, isUndo: boolean): string => {
  if (progress === null) return isUndo ? 'Beginning to undo' : 'Reading what the files hold';
  const { step, files, into, waitingFor, isWriting } = progress;
  if (waitingFor !== null) return waitingFor;
  if (isUndo) return `Bringing ${filesOf(into)} back`;
  if (step === 'merge' && isWriting) return 'Writing the merged file';
  if (step === 'merge') return `Merging ${filesOf(files.total)} into ${count(into)}`;
  if (step === 'verify') return `Verifying ${filesOf(files.total)} against ${count(into)}`;
  if (step === 'swap') return `Swapping ${filesOf(files.total)} for ${count(into)}`;
  return 'Recording what was done';
};

const ORDER = ['merge', 'verify', 'swap', 'record'] as const;

/** The three steps of a compaction; an undo has the last alone. */
export const stepsOf = (progress: CompactionProgress | null, isUndo: boolean): Step[] => {
  const at = progress === null ? (isUndo ? 2 : 0) : ORDER.indexOf(progress.step);
  const isWaiting = progress !== null && progress.waitingFor !== null;
  const stepAt = (place: number, name: string, aside: string): Step => {
    const isNow = place === at;
    const mark = place < at ? 'landed' : !isNow ? 'new' : isWaiting ? 'waiting' : 'running';
    return { name, mark, isNow, aside: isNow && progress ? asideOf(progress, aside) : aside };
  };
  const swap = stepAt(2, 'Swap, under the writer lock', 'short');
  if (isUndo) return [swap];
  return [
    stepAt(0, 'Merge, in landing order', ''),
    stepAt(1, 'Verify each batch against its original', 'rows and hash'),
    swap,
  ];
};

const asideOf = (
  { step, files, waitingFor, isWriting }: CompactionProgress,
  aside: string,
): string => {
  if (waitingFor !== null) return 'waiting';
  if (isWriting) return 'writing';
  return step === 'merge' || step === 'verify'
    ? `${count(files.done)} of ${filesOf(files.total)}`
    : aside;
};

/** Done of total in rows, where the step counts rows. */
export const rowsDone = (progress: CompactionProgress | null): CompactionProgress['rows'] | null =>
  progress !== null && (progress.step === 'merge' || progress.step === 'verify')
    ? progress.rows
    : null;

/** Since when a step is followed, and how many rows it had done by then. */
export interface SeenStep {
  readonly key: string;
  readonly at: number;
  readonly done: number;
}

/** What is kept of a step from look to look: the first begins with the job, another where it is first seen. */
export const seenStep = (
  before: SeenStep | null,
  { id, startedAt }: Pick<Job, 'id' | 'startedAt'>,
  progress: CompactionProgress | null,
  now: number,
): SeenStep | null => {
  if (progress === null) return null;
  const key = `${id} ${progress.step}`;
  if (before?.key === key) return before;
  return progress.step === 'merge'
    ? { key, at: Date.parse(startedAt), done: 0 }
    : { key, at: now, done: progress.rows.done };
};

/** 168,000 rows/s, 16 s left; empty until something was done since the step was first seen. */
export const speedOf = (
  seen: SeenStep | null,
  rows: CompactionProgress['rows'] | null,
  now: number,
): string => {
  if (seen === null || rows === null || rows.done <= seen.done || now <= seen.at) return '';
  if (rows.done >= rows.total) return '';
  const perSecond = ((rows.done - seen.done) / (now - seen.at)) * 1_000;
  const leftMs = ((rows.total - rows.done) / perSecond) * 1_000;
  const seconds = Math.max(1, Math.round(leftMs / 1_000));
  const left = seconds < 60 ? `${seconds} s` : duration(seconds * 1_000);
  return `${rate(perSecond)} rows/s, ${left} left`;
};
