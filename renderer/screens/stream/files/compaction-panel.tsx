// Owns the panel beside a stream's files: what compaction gains, running it, its end, originals, policy.
// Never holds the job; the tab follows it.

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type {
  CompactionRun,
  Originals,
  StreamFile,
  StreamSummary,
} from '../../../../core/model.ts';
import { api, faultOf } from '../../../api.ts';
import { filesOf, progressOf } from '../../../app/compaction-words.ts';
import { count } from '../../../ui/format.ts';
import { Loading, Marked, Section } from '../../../ui/parts.tsx';
import { Compacting } from './compacting.tsx';
import { Gain } from './gain.tsx';
import { KeptOriginals } from './kept-originals.tsx';
import { Policy } from './policy.tsx';
import { Result } from './result.tsx';
import { keptOf, nothingOf } from './run-words.ts';
import type { Compacting as Followed } from './use-compaction.ts';
import { useLooseRows, usePlan } from './use-plan.ts';

interface CompactionPanelProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly followed: Followed;
  readonly runs: readonly CompactionRun[];
  readonly originals: Originals | undefined;
  readonly compacted: readonly StreamFile[] | undefined;
  readonly isReady: boolean;
  readonly now: number;
  readonly onClose: () => void;
}

/** The panel. */
export const CompactionPanel = (props: CompactionPanelProps) => {
  const { knowledgebase, summary, followed, runs, originals, compacted, isReady, now } = props;
  const { stream } = summary;
  const { job, isRunning, isUndo, isStarting, fault, compact, undo, dismiss } = followed;
  const { plan, measured, isMeasuring, error, measureError, measure } = usePlan(
    knowledgebase,
    stream,
    {
      isReady,
      isRunning,
      changedAt: changedAt(runs),
    },
  );
  const shown = measured ?? plan;
  const loose = useLooseRows(knowledgebase, stream, shown?.loose.files);
  const isElsewhere = !isRunning && runs.some(({ state }) => state === 'running');
  const isIdle = !isRunning && !isElsewhere;
  // A plan of before a job says nothing of the files that the job made.
  const isStale = !isRunning && job?.endedAt != null && (plan?.at ?? '') < job.endedAt;
  return (
    <aside className="panel compaction-panel" aria-label="Compaction">
      <div className="panel-head">
        <h2>Compaction</h2>
        <State
          followed={followed}
          isElsewhere={isElsewhere}
          isSuggested={plan?.suggested ?? false}
        />
        <span className="grow" />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the panel"
          onClick={props.onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      {isRunning && isUndo ? null : shown === undefined ? (
        error ? (
          <Section title="What it gains">
            <p className="small ink-2 compaction-words">
              {isReady
                ? faultOf(error).message
                : 'The engine is away; it is measured when it is back.'}
            </p>
          </Section>
        ) : (
          <Loading>Reading the files</Loading>
        )
      ) : isStale ? null : shown.merged.files === 0 ? (
        isIdle && !job ? (
          <Section title="What it gains">
            <p className="small ink-2 compaction-words">{nothingOf(shown)}</p>
          </Section>
        ) : null
      ) : compacted ? (
        <Gain
          plan={shown}
          compacted={compacted.map(({ rows }) => rows)}
          loose={loose}
          isRunning={isRunning}
          isMeasuring={isMeasuring}
          fault={measureError && isReady ? faultOf(measureError).message : null}
          onMeasure={isReady && isIdle ? measure : null}
        />
      ) : null}
      {isRunning ? (
        <Compacting followed={followed} now={now} />
      ) : job ? (
        <Result
          {...{ knowledgebase, stream, job }}
          canUndo={isReady && runs[0]?.undoable === true}
          onUndo={undo}
          onDismiss={dismiss}
        />
      ) : null}
      {isIdle && !isStale && shown && shown.merged.files > 0 ? (
        <div className="compaction-start">
          <Button disabled={!isReady} loading={isStarting} onClick={compact}>
            Compact now
          </Button>
          <span className="small ink-2">
            {filesOf(shown.merged.files)} into {count(shown.into)}. {undoOf(summary)}
          </span>
          {shown.waits.length > 0 ? <p className="small ink-2">{shown.waits.join(' ')}</p> : null}
        </div>
      ) : null}
      {fault && isReady ? (
        <p className="small bad-text compaction-fault" role="alert">
          {fault}
        </p>
      ) : null}
      {isRunning || isElsewhere || (shown && shown.merged.files > 0) ? (
        <p className="small ink-2 compaction-note">
          {isElsewhere ? 'Another process compacts this stream. ' : ''}
          Landings go on; {isIdle ? 'what lands meanwhile waits' : 'what lands now waits'} for the
          next run. Queries see every row once, before, during and after.
        </p>
      ) : null}
      {originals ? (
        <KeptOriginals
          knowledgebase={knowledgebase}
          originals={originals}
          isReady={isReady}
          isBusy={!isIdle}
          now={now}
        />
      ) : null}
      <Policy
        {...{ knowledgebase, stream, plan, originals, isReady }}
        policy={summary.compaction}
      />
    </aside>
  );
};

/** When runs or their undo changed the files last; null where none did. */
const changedAt = (runs: readonly CompactionRun[]): string | null =>
  runs
    .flatMap(({ state, endedAt, undoneAt }) =>
      state === 'done' || state === 'undone' ? [endedAt, undoneAt] : [],
    )
    .reduce((last, at) => (at !== null && at > (last ?? '') ? at : last), null);

/** Whether what is compacted now can be undone. */
const undoOf = ({ compaction: { retentionDays } }: StreamSummary): string =>
  retentionDays === 0
    ? 'It cannot be undone: originals are not kept.'
    : `It can be undone for ${keptOf(retentionDays)}.`;

const State = ({
  followed: { job, isRunning },
  isElsewhere,
  isSuggested,
}: {
  followed: Followed;
  isElsewhere: boolean;
  isSuggested: boolean;
}) => {
  if (isRunning || isElsewhere) {
    const isWaiting = isRunning && job !== null && progressOf(job)?.waitingFor != null;
    return (
      <span className={`small ${isWaiting ? 'ink-2' : 'accent-text'}`}>
        <Marked mark={isWaiting ? 'waiting' : 'running'}>
          {isWaiting ? 'Waiting' : 'Running'}
        </Marked>
      </span>
    );
  }
  return isSuggested ? <span className="small ink-2">pays now</span> : null;
};

/** The kept originals and the runs of a stream. */
export const useHistory = (knowledgebase: string, stream: string, isRunning: boolean) => {
  const input = { knowledgebase, stream };
  const { data: runs } = useQuery(
    api.compaction.runs.queryOptions({
      input: { ...input, limit: 200 },
      refetchInterval: isRunning ? 2_000 : 10_000,
    }),
  );
  const { data: originals } = useQuery(
    api.compaction.originals.queryOptions({ input, refetchInterval: 30_000 }),
  );
  return { runs, originals };
};
