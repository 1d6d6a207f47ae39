// Owns how runs, files and sizes of a compaction read. Never renders.

import type {
  CompactionPlan,
  CompactionPolicy,
  CompactionRun,
  StreamFile,
} from '../../../../core/model.ts';
import { filesOf } from '../../../app/compaction-words.ts';
import { count, duration } from '../../../ui/format.ts';

/** 12 Jul 14:02, with the year where it is another; UTC. */
export const momentOf = (at: string, now: number): string => {
  const date = new Date(at);
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  const day = date.toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
  return `${day} ${at.slice(11, 16)}`;
};

/** How long a run took, or has taken until `now`, then in whole seconds, so that no figure flickers. */
export const tookOf = (
  { startedAt, endedAt }: Pick<CompactionRun, 'startedAt' | 'endedAt'>,
  now: number,
): string => {
  const ms = Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt));
  if (endedAt !== null) return duration(ms);
  return ms < 1_000 ? '0 s' : duration(Math.floor(ms / 1_000) * 1_000);
};

/** What became of the files that a run replaced. */
export const originalsOf = (
  { state, originalsUntil, undoneAt }: CompactionRun,
  now: number,
): string => {
  if (state === 'undone')
    return undoneAt === null ? 'back' : `back since ${momentOf(undoneAt, now)}`;
  if (state === 'running') return '';
  if (state !== 'done') return `${state === 'cancelled' ? 'cancelled, ' : ''}every file as it was`;
  return originalsUntil === null ? 'removed' : `until ${momentOf(originalsUntil, now)}`;
};

const UNTOUCHED = 'Every file is as it was.';

/** What a failed run left, where its fault does not say so. */
export const leftOf = (fault: string | null): string =>
  fault?.includes(UNTOUCHED) ? '' : UNTOUCHED;

/** When a stream is compacted, as its policy says. */
export const whenOf = ({ policy, files }: Pick<CompactionPolicy, 'policy' | 'files'>): string => {
  switch (policy) {
    case 'off':
      return 'when asked';
    case 'suggested':
      return `when asked, suggested at ${filesOf(files)}`;
    case 'automatic':
      return `by itself at ${filesOf(files)}`;
  }
};

/** How long originals are kept. */
export const keptOf = (days: number): string =>
  days === 0 ? 'not kept' : `${count(days)} ${days === 1 ? 'day' : 'days'}`;

/** What a file is: the batch it landed as, or a layer of many. */
export const kindOf = ({ kind, batches }: Pick<StreamFile, 'kind' | 'batches'>): string =>
  kind === 'loose'
    ? 'landed'
    : `compacted, ${count(batches)} ${batches === 1 ? 'batch' : 'batches'}`;

/** That there is nothing to merge, and why. */
export const nothingOf = ({
  now,
  loose,
  waits,
}: Pick<CompactionPlan, 'now' | 'loose' | 'waits'>): string => {
  if (waits.length > 0) return `Nothing to merge yet. ${waits.join(' ')}`;
  if (loose.files === 0)
    return `Nothing to merge: all rows are in ${now.files === 1 ? 'one compacted file' : `${count(now.files)} compacted files`}.`;
  const others = now.files - loose.files;
  return others === 0
    ? 'Nothing to merge: there is one file. It pays from two on.'
    : `Nothing to merge: ${filesOf(loose.files)} landed since the last run. It pays from two on.`;
};
