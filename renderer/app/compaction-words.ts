// Owns what is said of compactions on more than one screen: files, sizes, how far a job is, whether it can be cancelled.
// Never renders.

import type { CompactionProgress, Job } from '../../core/model.ts';
import { bytes, count, rate } from '../ui/format.ts';

/** 8,410 files, 1 file. */
export const filesOf = (files: number): string =>
  `${count(files)} ${files === 1 ? 'file' : 'files'}`;

/** 1 row each, about 2.5 rows each. */
export const rowsEach = (rows: number, files: number): string => {
  const each = rows / files;
  return Number.isInteger(each)
    ? `${count(each)} ${each === 1 ? 'row' : 'rows'} each`
    : `about ${rate(each)} rows each`;
};

/** 61.9 → 16.5 MB; the unit once where it is the same. */
export const sizesOf = (before: number, after: number | null): string => {
  if (after === null) return bytes(before);
  const [from, to] = [bytes(before), bytes(after)];
  const unit = from.split(' ')[1];
  return unit === to.split(' ')[1] ? `${from.split(' ')[0]} → ${to}` : `${from} → ${to}`;
};

/** A job's progress; null before its first report. */
export const progressOf = ({ details }: Pick<Job, 'details'>): CompactionProgress | null =>
  details === null ? null : (details as unknown as CompactionProgress);

/** Whether cancelling still leaves every file as it is: until the swap is begun. */
export const canCancel = (progress: CompactionProgress | null): boolean =>
  progress === null ||
  progress.step === 'merge' ||
  progress.step === 'verify' ||
  (progress.step === 'swap' && progress.waitingFor !== null);
