// Owns the line between SQL and answer: how the run went, its time and rows, Plot and Export, exports that run.
// Never holds the answer.

import { Button } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../api.ts';
import { useEngine, useNow } from '../../app/live.ts';
import { count, duration } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { Strip } from '../../ui/parts.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type Answer, MOST_ROWS, type Run } from './runs.ts';

interface ResultBarProps {
  readonly knowledgebase: string;
  readonly run: Run;
  readonly name: string;
  readonly isPlotOpen: boolean;
  readonly onPlot: () => void;
}

/** The bar. */
export const ResultBar = ({ knowledgebase, run, name, isPlotOpen, onPlot }: ResultBarProps) => {
  const [fault, setFault] = useState<{ message: string; hint: string } | null>(null);
  const isAway = useEngine().state !== 'ready';
  const { answer } = run;
  return (
    <>
      <div className="result-bar">
        <span className="grow cut" role="status">
          <RunWords run={run} />
        </span>
        <Button
          className="tool-button"
          variant="subtle"
          color="gray"
          aria-pressed={isPlotOpen}
          disabled={!answer}
          leftSection={<IconChartLine size={16} stroke={1.6} />}
          onClick={onPlot}
        >
          Plot
        </Button>
        <ExportMenu
          knowledgebase={knowledgebase}
          sql={answer?.sql ?? ''}
          name={name}
          isOff={!answer || isAway}
          onFault={setFault}
        />
      </div>
      {fault ? (
        <Strip
          tone="bad"
          what={fault.message}
          actions={
            <Button variant="default" onClick={() => setFault(null)}>
              Close
            </Button>
          }
        >
          No file was left. {fault.hint}
        </Strip>
      ) : null}
      {answer?.unavailable ? (
        <Strip tone="warn" what={answer.unavailable}>
          Streams can still be queried; other views of kb.duckdb wait.
        </Strip>
      ) : null}
      <RunningExports knowledgebase={knowledgebase} />
    </>
  );
};

const RunWords = ({ run }: { run: Run }): ReactNode => {
  const { state, answer, fault } = run;
  if (state === 'running') return <RunningWords since={run.startedAt} />;
  if (state === 'failed') return <Said mark="error">The query failed</Said>;
  if (state === 'cancelled')
    return (
      <Said mark="cancelled">
        Cancelled{answer ? '. The answer below is of the run before' : ''}
      </Said>
    );
  if (!answer) return <span className="ink-3">No answer yet</span>;
  if (fault) return <Said mark="error">{fault.message}</Said>;
  return (
    <Said mark="landed">
      <span className="strong">{rowsOf(answer)}</span> in {duration(answer.elapsedMs)}
      <span className="ink-2">
        {answer.isPart ? ', of the selection' : ''}
        {moreOf(answer)}
      </span>
    </Said>
  );
};

const rowsOf = ({ rows, more }: Answer): string =>
  `${more ? 'first ' : ''}${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;

const moreOf = ({ rows, more }: Answer): string => {
  if (!more) return '';
  return rows.length >= MOST_ROWS ? ', Export has all' : ', more come as you scroll';
};

const Said = ({
  mark,
  children,
}: {
  mark: 'landed' | 'error' | 'cancelled';
  children: ReactNode;
}) => (
  <span className="result-said">
    <Mark name={mark} />
    <span className="cut">{children}</span>
  </span>
);

const RunningWords = ({ since }: { since: number }) => {
  const now = useNow();
  return (
    <span className="result-said result-running">
      <Mark name="running" />
      Running {now - since < 1_000 ? '' : `${Math.round((now - since) / 1_000)} s`}
    </span>
  );
};

const RunningExports = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data } = useQuery(api.jobs.list.queryOptions({ refetchInterval: 1_000 }));
  const now = useNow();
  const running = data?.filter(
    (job) =>
      job.state === 'running' && job.kind === 'export' && job.knowledgebase === knowledgebase,
  );
  return running?.map((job) => (
    <div key={job.id} className="result-export">
      <Progress
        title={job.title}
        work={job}
        elapsedMs={now - Date.parse(job.startedAt)}
        leaves="Cancelling leaves no file."
        onCancel={() => void client.jobs.cancel({ id: job.id }).catch(() => {})}
      />
    </div>
  ));
};
