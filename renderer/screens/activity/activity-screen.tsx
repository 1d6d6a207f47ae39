// Owns the Activity screen: jobs, events, the proof, the log. Never starts a job.

import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { count } from '../../ui/format.ts';
import './activity.css';
import { EngineLog } from './engine-log.tsx';
import { EventList } from './event-list.tsx';
import { JobList } from './job-list.tsx';
import './proof.css';
import { ProofView } from './proof-view.tsx';
import { stopVerifying, useVerifying, verify } from './verifying.ts';

const TABS = [
  ['jobs', 'Jobs'],
  ['events', 'Events'],
  ['proof', 'Proof'],
  ['log', 'Log'],
] as const;
type Tab = (typeof TABS)[number][0];

// Where the person was, for when they come back.
let last: Tab | undefined;

/** The screen. */
export const ActivityScreen = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data: jobs } = useQuery(api.jobs.list.queryOptions({ refetchInterval: 2_000 }));
  const running = jobs?.filter(({ state }) => state === 'running').length ?? 0;
  const [chosen, setChosen] = useState(last);
  const tab = chosen ?? (jobs && jobs.length > 0 ? 'jobs' : 'events');
  const verifying = useVerifying(knowledgebase);
  const isAway = useEngine().state !== 'ready';
  const choose = (next: Tab): void => {
    last = next;
    setChosen(next);
  };
  const start = (): void => {
    choose('proof');
    if (!isAway) void verify(knowledgebase);
  };
  useEffect(() => {
    const onVerify = (): void => {
      last = 'proof';
      setChosen('proof');
      void verify(knowledgebase);
    };
    window.addEventListener('strata:verify', onVerify);
    return () => window.removeEventListener('strata:verify', onVerify);
  }, [knowledgebase]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = TABS.findIndex(([name]) => name === tab);
    const [next] = TABS[(at + step + TABS.length) % TABS.length] ?? TABS[0];
    choose(next);
    document.getElementById(`activity-tab-${next}`)?.focus();
  };
  return (
    <>
      <header className="head activity-head">
        <h1 className="head-title">Activity</h1>
        <div className="activity-tabs" role="tablist" aria-label="Activity" onKeyDown={onKeyDown}>
          {TABS.map(([name, word]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`activity-tab-${name}`}
              aria-selected={name === tab}
              aria-controls="activity-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => choose(name)}
            >
              {word}
              {name === 'jobs' && running > 0 ? (
                <span className="ink-3">{count(running)}</span>
              ) : null}
            </button>
          ))}
        </div>
        <span className="grow" />
        <Button
          variant="default"
          disabled={isAway || verifying.state === 'running'}
          leftSection={<IconShieldCheck size={16} stroke={1.6} />}
          onClick={start}
        >
          Verify
        </Button>
      </header>
      <div
        id="activity-panel"
        className="activity-panel"
        role="tabpanel"
        aria-labelledby={`activity-tab-${tab}`}
      >
        {tab === 'jobs' ? <JobList knowledgebase={knowledgebase} /> : null}
        {tab === 'events' ? <EventList knowledgebase={knowledgebase} /> : null}
        {tab === 'proof' ? (
          <ProofView
            verifying={verifying}
            isAway={isAway}
            onVerify={start}
            onCancel={() => stopVerifying(knowledgebase)}
          />
        ) : null}
        {tab === 'log' ? <EngineLog /> : null}
      </div>
    </>
  );
};
