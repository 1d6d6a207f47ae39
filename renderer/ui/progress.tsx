// Owns how long work is shown: what, a bar, done of total, rate, time left, cancelling and what that leaves.
// Never knows what the work is.

import { Button } from '@mantine/core';
import { Mark, type MarkName } from './mark.tsx';
import './progress.css';
import { progressWords, type WorkDone } from './progress-words.ts';

/** Running work. */
export const Progress = ({
  title,
  work,
  elapsedMs,
  mark = 'running',
  leaves,
  onCancel,
}: {
  title: string;
  work: WorkDone;
  elapsedMs: number;
  mark?: MarkName;
  /** What cancelling leaves. */
  leaves?: string;
  onCancel?: (() => void) | undefined;
}) => {
  const { done, total } = work;
  const part = total === null || total === 0 ? null : Math.min(1, done / total);
  return (
    <div className="progress">
      <div className="progress-head">
        <Mark name={mark} />
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
