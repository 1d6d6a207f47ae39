// Owns how a compaction or an undo ended: what it did, what it gained, what can be done about it. Never undoes by itself.

import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { CompactionRun, Job } from '../../../../core/model.ts';
import { api } from '../../../api.ts';
import { filesOf, sizesOf } from '../../../app/compaction-words.ts';
import { stateOfWork } from '../../../app/words.ts';
import { count, duration } from '../../../ui/format.ts';
import { Mark, type MarkName } from '../../../ui/mark.tsx';
import { fasterOf, measuredGain } from './comparison.ts';
import { leftOf, tookOf } from './run-words.ts';

/** The result of a job that has ended. */
export const Result = ({
  knowledgebase,
  stream,
  job,
  canUndo,
  onUndo,
  onDismiss,
}: {
  knowledgebase: string;
  stream: string;
  job: Job;
  /** Whether the newest run can be undone. */
  canUndo: boolean;
  onUndo: () => void;
  onDismiss: () => void;
}) => {
  const run = job.result === null ? null : (job.result as unknown as CompactionRun);
  const isUndo = job.kind === 'compact-undo';
  const { mark, what } = endOf(job, run, isUndo);
  return (
    <section className="section" aria-label="Result">
      <div className="result-head">
        <Mark name={mark} />
        <h3 className="grow">
          <span aria-live="polite">{what}</span>
        </h3>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Put away"
          onClick={onDismiss}
        >
          <IconX size={14} stroke={1.6} />
        </ActionIcon>
      </div>
      <div className="result-words small ink-2">
        {job.state === 'failed' ? (
          <p>
            <span className="bad-text">{job.fault}</span> {leftOf(job.fault)}
          </p>
        ) : job.state === 'cancelled' ? (
          <p>Every file is as it was.</p>
        ) : run === null ? null : isUndo ? (
          <p>
            {heldOf((job.result as { undoHeldMs?: number }).undoHeldMs)} Every row is still there,
            once. Compact again at any time.
          </p>
        ) : (
          <>
            <p>
              {count(run.rows)} rows of {count(run.batches)} batches,{' '}
              {sizesOf(run.bytesBefore, run.bytesAfter)}. {heldOf(run.heldMs)}
            </p>
            <Measured knowledgebase={knowledgebase} stream={stream} run={run} />
            {canUndo ? (
              <div className="result-undo">
                <Button
                  variant="default"
                  size="compact-xs"
                  h={24}
                  leftSection={<IconArrowBackUp size={14} stroke={1.6} />}
                  onClick={onUndo}
                >
                  Undo
                </Button>
                <span className="ink-3">brings the {filesOf(run.filesBefore)} back</span>
              </div>
            ) : null}
          </>
        )}
      </div>
    </section>
  );
};

const endOf = (
  { state, startedAt, endedAt }: Job,
  run: CompactionRun | null,
  isUndo: boolean,
): { mark: MarkName; what: string } => {
  const { word, mark } = stateOfWork({ state });
  if (state === 'failed') return { mark, what: isUndo ? 'The undo failed' : 'It failed' };
  if (state !== 'done') return { mark, what: word };
  // What comes after the swap, measuring, is no part of a run.
  const took = tookOf(run === null || isUndo ? { startedAt, endedAt } : run, Date.parse(startedAt));
  if (run === null) return { mark, what: `${word} in ${took}` };
  const files = filesOf(run.filesBefore);
  return {
    mark,
    what: isUndo
      ? `${files} are back after ${took}`
      : `${files} became ${count(run.filesAfter ?? 0)} in ${took}`,
  };
};

const heldOf = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? '' : `kb.duckdb was held for ${duration(ms)}.`;

const Measured = ({
  knowledgebase,
  stream,
  run,
}: {
  knowledgebase: string;
  stream: string;
  run: CompactionRun;
}) => {
  const { data } = useQuery(api.compaction.cost.queryOptions({ input: { knowledgebase, stream } }));
  const gain = data ? measuredGain(data.points, run) : null;
  if (gain === null) return null;
  const faster = fasterOf(gain.before, gain.after);
  return (
    <p>
      Group-by {duration(gain.before)} → {duration(gain.after)}
      {faster === '' ? '' : `, ${faster}`}.
    </p>
  );
};
