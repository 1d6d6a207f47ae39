// Owns a running compaction as a person follows it: head, bar, rows, rate, time left, steps, cancel and what it leaves.
// Never cancels by itself.

import { Button } from '@mantine/core';
import type { CompactionProgress } from '../../../../core/model.ts';
import { canCancel, progressOf } from '../../../app/compaction-words.ts';
import { count } from '../../../ui/format.ts';
import { Mark } from '../../../ui/mark.tsx';
import { Key } from '../../../ui/parts.tsx';
import { headOf, rowsDone, speedOf, stepsOf } from './steps.ts';
import type { Compacting as Followed } from './use-compaction.ts';

/** The running job; `now` is the time of the last look at it. */
export const Compacting = ({ followed, now }: { followed: Followed; now: number }) => {
  const { job, isUndo, seen, isCancelling, cancel } = followed;
  if (!job) return null;
  const progress = progressOf(job);
  const rows = rowsDone(progress);
  const isWaiting = progress !== null && progress.waitingFor !== null;
  const title = progress === null && job.words !== null ? job.words : headOf(progress, isUndo);
  // The share of the whole, as it is shown wherever the job is; the rows are those of the step.
  const part = job.total ? Math.min(1, job.done / job.total) : 0;
  return (
    <section className="section compacting" aria-label="Running">
      <div className="compacting-head">
        <h3>
          <span aria-live="polite">{title}</span>
        </h3>
        {isUndo || rows === null ? null : <span>{Math.floor(part * 100)} %</span>}
      </div>
      {isUndo ? null : (
        // It stands from the first moment to the last, so that nothing below moves under the pointer.
        <>
          <div
            className="progress-bar compacting-bar"
            role="progressbar"
            aria-label={title}
            aria-valuenow={Math.floor(part * 100)}
          >
            <span style={{ width: `${part * 100}%` }} />
          </div>
          <div className="compacting-words small ink-2">
            <span>{rowsWords(progress)}</span>
            <span>{speedOf(seen, rows, now)}</span>
          </div>
        </>
      )}
      {isWaiting ? (
        <p className="small ink-2">
          It goes on as soon as kb.duckdb is free. Landings and queries go on meanwhile.
        </p>
      ) : null}
      <ul className="compacting-steps">
        {stepsOf(progress, isUndo).map(({ name, mark, isNow, aside }) => (
          <li key={name} aria-current={isNow ? 'step' : undefined}>
            <Mark name={mark} label={MARK_WORDS[mark] ?? ''} />
            <span className={isNow ? 'grow' : 'grow ink-2'}>{name}</span>
            <span className="ink-2">{aside}</span>
          </li>
        ))}
      </ul>
      <div className="compacting-foot">
        {canCancel(progress) ? (
          <>
            <Button
              variant="default"
              size="compact-xs"
              h={24}
              disabled={isCancelling}
              rightSection={<Key>Ctrl .</Key>}
              onClick={cancel}
            >
              {isCancelling ? 'Cancelling' : 'Cancel'}
            </Button>
            <span className="small ink-3">Cancelling leaves every file as it is.</span>
          </>
        ) : (
          <span className="small ink-3">The swap is carried out to its end.</span>
        )}
      </div>
    </section>
  );
};

/** Rows done of all, and what was done to them; of both steps once they are over. */
const rowsWords = (progress: CompactionProgress | null): string => {
  if (progress === null) return '';
  const { step, rows } = progress;
  if (step === 'merge') return `${count(rows.done)} of ${count(rows.total)} rows merged`;
  if (step === 'verify') return `${count(rows.done)} of ${count(rows.total)} rows verified`;
  return 'Every row merged and verified';
};

const MARK_WORDS: Readonly<Record<string, string>> = {
  landed: 'Done',
  running: 'Running',
  waiting: 'Waiting',
  new: 'Not yet',
};
