// Owns how a job reads: what it made, how it ended, what it was.
// Never formats a producer's value.

import type { Job } from '../../../core/model.ts';
import { bytes, count, duration } from '../../ui/format.ts';

/** What a job made or why it did not, in one line. */
export const outcomeOf = ({ kind, state, result, fault, done, total, unit }: Job): string => {
  if (state === 'failed') return fault ?? 'no reason was given';
  if (state === 'cancelled') {
    if (!OF_REJECTS.includes(kind)) return 'nothing was left';
    return `${count(done)}${total === null ? '' : ` of ${count(total)}`} ${unit} were done`;
  }
  const rows = numberIn(result, 'rows');
  const size = numberIn(result, 'sizeBytes');
  const words = [
    ...(rows !== null ? [`${count(rows)} rows`] : done > 0 ? [`${count(done)} ${unit}`] : []),
    ...(size !== null ? [bytes(size)] : []),
  ];
  return words.join(', ');
};

/** How long a job took; empty while it runs. */
export const timeOfJob = ({ startedAt, endedAt }: Job): string =>
  endedAt === null ? '' : duration(Date.parse(endedAt) - Date.parse(startedAt));

/** What cancelling leaves. */
export const leavesOf = ({ kind }: Job): string =>
  kind === 'export'
    ? 'Cancelling leaves no file.'
    : OF_REJECTS.includes(kind)
      ? 'Cancelling stops between two rejects; what is done stays done.'
      : 'Cancelling leaves every file as it is.';

/** Kinds of jobs that go from one reject to the next. */
const OF_REJECTS: readonly string[] = ['replay', 'discard', 'reopen'];

/** The path of what a job made; null where it made none. */
export const pathOf = ({ result }: Job): string | null =>
  typeof result?.path === 'string' ? result.path : null;

const numberIn = (result: Job['result'], name: string): number | null => {
  const value = result?.[name];
  return typeof value === 'number' ? value : null;
};
