// Owns how a job reads: what it made, how it ended, what it was.
// Never formats a producer's value.

import type { Job } from '../../../core/model.ts';
import { canCancel, filesOf, progressOf, sizesOf } from '../../app/compaction-words.ts';
import { bytes, count, duration } from '../../ui/format.ts';

/** What a job made, what it left, or why it did not go through. */
export const outcomeOf = (job: Job): string => {
  const { kind, state, fault, done, total, unit } = job;
  if (state === 'failed') return fault ?? 'no reason was given';
  if (state === 'done') return madeOf(job).join(', ');
  if (OF_REJECTS.includes(kind)) {
    return `${count(done)}${total === null ? '' : ` of ${count(total)}`} ${unit} were done`;
  }
  return kind === 'export'
    ? 'no file was left'
    : `${OF_MODEL.includes(kind) ? 'the model' : 'every file'} as it was`;
};

const madeOf = ({ kind, result, done, unit }: Job): string[] => {
  const of = (name: string): number => numberIn(result, name) ?? 0;
  switch (kind) {
    case 'compact':
      return [
        `${filesOf(of('filesBefore'))} became ${count(of('filesAfter'))}`,
        rowsOf(of('rows')),
        sizesOf(of('bytesBefore'), numberIn(result, 'bytesAfter')),
      ];
    case 'compact-undo':
      return [`${filesOf(of('filesBefore'))} ${of('filesBefore') === 1 ? 'is' : 'are'} back`];
    case 'promotion':
      return [result?.state === 'open' ? 'its plan is open' : String(result?.words ?? '')];
    case 'model':
      return [`v${of('version')} is live`];
    case 'replay':
      return [
        `${count(of('landed'))} landed`,
        rowsOf(of('rows')),
        ...some(of('failed'), of('failed') === 1 ? 'still fails' : 'still fail'),
        ...some(of('skipped'), 'passed over'),
      ];
    case 'discard':
    case 'reopen':
      return [
        `${count(of('changed'))} ${kind === 'discard' ? 'discarded' : 'opened again'}`,
        ...some(of('skipped'), 'passed over'),
      ];
    default: {
      const [rows, size] = [numberIn(result, 'rows'), numberIn(result, 'sizeBytes')];
      return [
        ...(rows !== null ? [rowsOf(rows)] : done > 0 ? [`${count(done)} ${unit}`] : []),
        ...(size !== null ? [bytes(size)] : []),
      ];
    }
  }
};

const rowsOf = (rows: number): string => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;

const some = (number: number, words: string): string[] =>
  number === 0 ? [] : [`${count(number)} ${words}`];

/** How long a job took; empty while it runs. */
export const timeOfJob = ({ startedAt, endedAt }: Job): string =>
  endedAt === null ? '' : duration(Date.parse(endedAt) - Date.parse(startedAt));

/** Whether a running job can be cancelled: a compaction that swaps files is carried out to its end. */
export const canCancelJob = (job: Job): boolean =>
  !OF_FILES.includes(job.kind) || canCancel(progressOf(job));

/** What cancelling leaves. */
export const leavesOf = (job: Job): string => {
  const { kind } = job;
  if (kind === 'export') return 'Cancelling leaves no file.';
  if (OF_REJECTS.includes(kind)) {
    return 'Cancelling stops between two rejects; what is done stays done.';
  }
  if (!canCancelJob(job)) return 'The swap is carried out to its end.';
  return `Cancelling leaves ${OF_MODEL.includes(kind) ? 'the model' : 'every file'} as it is.`;
};

/** Kinds of jobs that put files in the place of others. */
const OF_FILES: readonly string[] = ['compact', 'compact-undo'];

/** Kinds of jobs that go from one reject to the next. */
const OF_REJECTS: readonly string[] = ['replay', 'discard', 'reopen'];

/** Kinds of jobs that are about the model. */
const OF_MODEL: readonly string[] = ['promotion', 'model'];

/** The path of what a job made; null where it made none. */
export const pathOf = ({ result }: Job): string | null =>
  typeof result?.path === 'string' ? result.path : null;

const numberIn = (result: Job['result'], name: string): number | null => {
  const value = result?.[name];
  return typeof value === 'number' ? value : null;
};
