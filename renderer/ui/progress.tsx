// Owns how long work is shown: what, a bar, done of total, rate, time left, cancelling and what that leaves.
// Never knows what the work is.

import { Button } from '@mantine/core';
import { Mark } from './mark.tsx';
import './progress.css';
import { progressWords, type WorkDone } from './progress-words.ts';

/** Running work. */
export const Progress = ({
  title,
  work,
  elapsedMs,
  isWaiting = false,
  leaves,
  onCancel,
}: {
  title: string;
  work: WorkDone;
  elapsedMs: number;
  /** It waits for others: then it has no rate, and its bar says nothing. */
  isWaiting?: boolean;
  /** What cancelling leaves. */
  leaves?: string;
  onCancel?: (() => void) | undefined;
}) => {
  const { done, total } = work;
  const part = isWaiting || total === null || total === 0 ? null : Math.min(1, done / total);
  return (
    <div className="progress">
      <div className="progress-head">
        <Mark name={isWaiting ? 'waiting' : 'running'} />
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
        {isWaiting ? '' : progressWords(work, elapsedMs)} {leaves}
      </div>
    </div>
  );
};
