// Owns the status bar: the conservation ledger always, running work, the disk, the zone.

import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { bytes, count } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { useEngine, useStreams } from './live.ts';
import { addressOf } from './router.ts';

/** The bar along the bottom. */
export const StatusBar = ({ knowledgebase }: { knowledgebase: string | null }) => {
  const engine = useEngine();
  return (
    <footer className="status-bar">
      {engine.state !== 'ready' ? (
        <>
          <Mark name="error" />
          <span>Engine {engine.state === 'starting' ? 'starting' : 'stopped'}</span>
        </>
      ) : knowledgebase === null ? null : (
        <Balance knowledgebase={knowledgebase} />
      )}
      <span className="grow" />
      <RunningJob />
      {knowledgebase === null ? null : <Waiting />}
      {knowledgebase === null ? null : <FreeSpace knowledgebase={knowledgebase} />}
      <span>UTC</span>
    </footer>
  );
};

const Balance = ({ knowledgebase }: { knowledgebase: string }) => {
  const streams = useStreams(knowledgebase);
  if (!streams) return null;
  const sum = { received: 0, landed: 0, rejected: 0, replayed: 0, refused: 0 };
  for (const stream of streams) {
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += stream[key];
  }
  const isBalanced = sum.received === sum.landed + sum.rejected + sum.replayed + sum.refused;
  return (
    <span className={`balance ${isBalanced ? '' : 'bad-text'}`}>
      <Mark name={isBalanced ? 'landed' : 'error'} />
      <span>{isBalanced ? 'Ledger balanced' : 'Ledger out of balance'}</span>
      <span className="ink-2 wide-only">
        {count(sum.received)} received = {count(sum.landed)} landed + {count(sum.rejected)} rejected
        + {count(sum.replayed)} replayed + {count(sum.refused)} refused
      </span>
    </span>
  );
};

const RunningJob = () => {
  const { data } = useQuery(api.jobs.list.queryOptions({ refetchInterval: 2_000 }));
  const job = data?.find(({ state }) => state === 'running');
  if (!job) return null;
  const waits = typeof job.details?.waitingFor === 'string';
  const part = waits || !job.total ? null : Math.min(1, job.done / job.total);
  return (
    <a className="marked" href={addressOf({ screen: 'activity' })}>
      <Mark name={waits ? 'waiting' : 'running'} />
      {waits ? `${job.title}: ${job.words?.replace(/\.$/, '')}` : job.title}
      {part === null ? null : (
        <>
          <span className="status-job" aria-hidden="true">
            <span style={{ width: `${part * 100}%` }} />
          </span>
          {Math.floor(part * 100)} %
        </>
      )}
    </a>
  );
};

const Waiting = () => {
  const { data } = useQuery(api.engine.status.queryOptions({ refetchInterval: 10_000 }));
  const waiting = data?.waiting[0];
  return waiting ? (
    <span className="marked" title={waiting.reason}>
      <Mark name="waiting" />
      Views wait
    </span>
  ) : null;
};

const FreeSpace = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase }, refetchInterval: 30_000 }),
  );
  return data ? <span>{bytes(data.freeBytes)} free</span> : null;
};
