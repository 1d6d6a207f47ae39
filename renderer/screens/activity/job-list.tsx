// Owns the list of jobs: running ones with their progress, then those that ended, with what they made.
// Never starts one.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Job } from '../../../core/model.ts';
import { api, client, faultOf, fetchExport, queryClient } from '../../api.ts';
import { useEngine, useNow } from '../../app/live.ts';
import { stateOfWork } from '../../app/words.ts';
import { bridge } from '../../bridge.ts';
import { age, clock, fullTime } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { CopyButton, Empty, Loading, Strip } from '../../ui/parts.tsx';
import { Progress } from '../../ui/progress.tsx';
import { canCancelJob, leavesOf, outcomeOf, pathOf, timeOfJob } from './job-words.ts';

/** The jobs of a knowledgebase, and those of none. */
export const JobList = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useQuery(api.jobs.list.queryOptions({ refetchInterval: 500 }));
  const now = useNow();
  const isAway = useEngine().state !== 'ready';
  const [fault, setFault] = useState<string | null>(null);
  const jobs = data?.filter((job) => [knowledgebase, null].includes(job.knowledgebase));
  if (!jobs) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the jobs</Loading>
    );
  }
  if (jobs.length === 0) {
    return (
      <Empty
        what="No job has run since the engine started"
        why="Long work shows here with its progress: compactions and their undo, promotions and plans that are applied, exports, and many rejects replayed, discarded or reopened at once."
      />
    );
  }
  const tell = async (work: () => Promise<unknown>): Promise<void> => {
    setFault(null);
    try {
      await work();
    } catch (thrown) {
      setFault(faultOf(thrown).message);
    }
  };
  return (
    <div className="activity-scroll">
      {fault ? <Strip tone="bad" what={fault} /> : null}
      <ul className="jobs" aria-label="Jobs">
        {jobs.map((job) =>
          job.state === 'running' ? (
            <li key={job.id} className="job-running">
              <Progress
                title={job.title}
                isWaiting={typeof job.details?.waitingFor === 'string'}
                work={job}
                elapsedMs={now - Date.parse(job.startedAt)}
                leaves={`${sentence(job.words)} ${leavesOf(job)}`.trim()}
                onCancel={
                  isAway || !canCancelJob(job)
                    ? undefined
                    : () =>
                        void tell(async () => {
                          await client.jobs.cancel({ id: job.id });
                          await queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });
                        })
                }
              />
            </li>
          ) : (
            <Ended
              key={job.id}
              job={job}
              now={now}
              isAway={isAway}
              onDownload={(work) => void tell(work)}
            />
          ),
        )}
      </ul>
    </div>
  );
};

/** Words as a sentence of their own. */
const sentence = (words: string | null): string =>
  words === null || words === '' ? '' : `${words.replace(/\.$/, '')}.`;

const Ended = ({
  job,
  now,
  isAway,
  onDownload,
}: {
  job: Job;
  isAway: boolean;
  now: number;
  onDownload: (work: () => Promise<unknown>) => void;
}) => {
  const { word, mark } = stateOfWork(job);
  const path = pathOf(job);
  return (
    <li className="job">
      <Mark name={mark} label={word} />
      <span className="job-words">
        <span className="cut">{job.title}</span>
        {job.state === 'failed' ? (
          <span className="small bad-text job-fault">
            {word} after {timeOfJob(job)}: {outcomeOf(job)}
          </span>
        ) : (
          <span className="small ink-2 cut">
            {[`${word} ${job.state === 'done' ? 'in' : 'after'} ${timeOfJob(job)}`, outcomeOf(job)]
              .filter((part) => part !== '')
              .join(', ')}
          </span>
        )}
      </span>
      {path === null || !bridge ? null : (
        <span className="mono cut ink-2 job-path" title={path}>
          {path}
        </span>
      )}
      {path === null ? null : bridge ? (
        <>
          <CopyButton text={path} label="Copy the path" />
          <Button variant="default" onClick={() => void bridge?.reveal(path)}>
            Reveal
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          disabled={isAway}
          onClick={() =>
            onDownload(() => fetchExport(job.id, String(job.result?.file ?? 'export')))
          }
        >
          Download
        </Button>
      )}
      <time
        className="job-time small ink-3"
        dateTime={job.startedAt}
        title={`${fullTime(job.startedAt)} UTC`}
      >
        {isAway ? clock(job.endedAt ?? job.startedAt) : age(job.endedAt, now)}
      </time>
    </li>
  );
};
