// Owns how long work is shown: what, a bar, done of total, rate, time left, cancelling and what that leaves.
// Never knows what the work is.

import { Button } from '@mantine/core';
import { count, duration, rate } from './format.ts';
import { Mark } from './mark.tsx';
import './progress.css';

export interface WorkDone {
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** What is counted: rows, bytes, %. */
  readonly unit: string;
}

/** Done of total, the rate and the time left, in words. */
export const progressWords = ({ done, total, unit }: WorkDone, elapsedMs: number): string => {
  const perSecond = elapsedMs > 0 ? (done / elapsedMs) * 1_000 : 0;
  const left =
    total !== null && perSecond > 0 && done > 0 && done < total
      ? `, ${duration(Math.max(1_000, Math.round((total - done) / perSecond) * 1_000))} left`
      : '';
  if (unit === '%') return left.slice(2);
  if (done === 0) return total === null ? '' : `of ${count(total)} ${unit}`;
  const of = total === null ? count(done) : `${count(done)} of ${count(total)}`;
  return `${of} ${unit}. ${rate(perSecond)} ${unit}/s${left}`;
};

/** Running work. */
export const Progress = ({
  title,
  work,
  elapsedMs,
  leaves,
  onCancel,
}: {
  title: string;
  work: WorkDone;
  elapsedMs: number;
  /** What cancelling leaves. */
  leaves?: string;
  onCancel?: (() => void) | undefined;
}) => {
  const { done, total } = work;
  const part = total === null || total === 0 ? null : Math.min(1, done / total);
  return (
    <div className="progress">
      <div className="progress-head">
        <Mark name="running" />
        <span className="strong grow cut">{title}</span>
        {part === null ? null : <span>{Math.floor(part * 100)} %</span>}
        {onCancel ? (
          <Button variant="default" size="compact-xs" h={24} title={leaves} onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
      {part === null ? null : (
        <div
          className="progress-bar"
          role="progressbar"
          aria-label={title}
          aria-valuenow={Math.floor(part * 100)}
        >
          <span style={{ width: `${part * 100}%` }} />
        </div>
      )}
      <div className="progress-words">
        {progressWords(work, elapsedMs)} {leaves}
      </div>
    </div>
  );
};
