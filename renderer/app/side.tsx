// Owns the side: the screens, and the streams that land now. A rail of icons below 1000 px.

import { Tooltip } from '@mantine/core';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconInbox,
  IconKeyboard,
  IconSitemap,
  IconStack2,
  IconTerminal,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { count } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { Key } from '../ui/parts.tsx';
import { useEngine, useModelView, useStreams } from './live.ts';
import { addressOf, type Place } from './router.ts';
import './side.css';
import { stateOf } from './words.ts';

/** How many streams the side lists. */
const LISTED = 8;

/** The side of the window. */
export const Side = ({
  place,
  knowledgebase,
  onKeys,
}: {
  place: Place;
  knowledgebase: string | null;
  onKeys: () => void;
}) => {
  const isStreams = place.screen === 'streams' || place.screen === 'stream';
  return (
    <nav className="side" aria-label="Screens">
      <Item
        to={{ screen: 'streams' }}
        isCurrent={isStreams}
        icon={<IconStack2 size={16} stroke={1.6} />}
        name="Streams"
      >
        {knowledgebase === null ? null : <StreamCount knowledgebase={knowledgebase} />}
      </Item>
      <Item
        to={{ screen: 'rejects', tab: 'open', at: null }}
        isCurrent={place.screen === 'rejects'}
        icon={<IconInbox size={16} stroke={1.6} />}
        name="Rejects"
      >
        {knowledgebase === null ? null : <OpenRejects knowledgebase={knowledgebase} />}
      </Item>
      <Item
        to={{ screen: 'model', tab: 'graph', type: null }}
        isCurrent={place.screen === 'model'}
        icon={<IconSitemap size={16} stroke={1.6} />}
        name="Model"
      >
        {knowledgebase === null ? null : <ModelVersion knowledgebase={knowledgebase} />}
      </Item>
      <Item
        to={{ screen: 'query', sql: null }}
        isCurrent={place.screen === 'query'}
        icon={<IconTerminal size={16} stroke={1.6} />}
        name="Query"
      />
      <Item
        to={{ screen: 'activity' }}
        isCurrent={place.screen === 'activity'}
        icon={<IconActivity size={16} stroke={1.6} />}
        name="Activity"
      >
        <RunningJobs />
      </Item>
      {knowledgebase === null ? null : <Liveliest knowledgebase={knowledgebase} place={place} />}
      <span className="grow" />
      <button type="button" className="side-item" onClick={onKeys}>
        <IconKeyboard size={16} stroke={1.6} />
        <span className="side-name">Shortcuts</span>
        <Key>?</Key>
      </button>
      <Item
        to={{ screen: 'settings' }}
        isCurrent={place.screen === 'settings'}
        icon={<IconAdjustmentsHorizontal size={16} stroke={1.6} />}
        name="Settings"
      />
    </nav>
  );
};

const Item = ({
  to,
  isCurrent,
  icon,
  name,
  children,
}: {
  to: Place;
  isCurrent: boolean;
  icon: ReactNode;
  name: string;
  children?: ReactNode;
}) => (
  <Tooltip label={name} position="right" openDelay={600}>
    <a className="side-item" href={addressOf(to)} aria-current={isCurrent ? 'page' : undefined}>
      {icon}
      <span className="side-name">{name}</span>
      <span className="side-count">{children}</span>
    </a>
  </Tooltip>
);

const StreamCount = ({ knowledgebase }: { knowledgebase: string }) => {
  const streams = useStreams(knowledgebase);
  return streams && streams.length > 0 ? count(streams.length) : null;
};

/** How many rejects are open; a dot in the rail. */
const OpenRejects = ({ knowledgebase }: { knowledgebase: string }) => {
  const streams = useStreams(knowledgebase) ?? [];
  const open = streams.reduce((sum, { openRejects }) => sum + openRejects, 0);
  return open > 0 ? (
    <span className="side-open" title={`${count(open)} open`}>
      {count(open)}
    </span>
  ) : null;
};

const ModelVersion = ({ knowledgebase }: { knowledgebase: string }) => {
  const current = useModelView(knowledgebase)?.current ?? null;
  return current === null ? null : `v${current}`;
};

const RunningJobs = () => {
  const { data } = useQuery(api.jobs.list.queryOptions({ refetchInterval: 2_000 }));
  const running = data?.filter(({ state }) => state === 'running').length ?? 0;
  return running > 0 ? count(running) : null;
};

/** The streams that landed last, for one click. */
const Liveliest = ({ knowledgebase, place }: { knowledgebase: string; place: Place }) => {
  const streams = useStreams(knowledgebase) ?? [];
  const isAway = useEngine().state !== 'ready';
  const chosen = streams
    .filter(({ lastLandedAt }) => lastLandedAt !== null)
    .sort((one, other) => (other.lastLandedAt ?? '').localeCompare(one.lastLandedAt ?? ''))
    .slice(0, LISTED)
    .sort((one, other) => one.stream.localeCompare(other.stream));
  if (chosen.length === 0) return null;
  return (
    <div className="side-streams">
      <span className="label">Latest</span>
      {chosen.map((stream) => (
        <a
          key={stream.stream}
          className="side-item"
          href={addressOf({ screen: 'stream', stream: stream.stream, tab: 'rows', at: null })}
          aria-current={
            place.screen === 'stream' && place.stream === stream.stream ? 'page' : undefined
          }
        >
          <Mark name={stateOf(stream, isAway).mark} />
          <span className="side-name cut">{stream.stream}</span>
        </a>
      ))}
    </div>
  );
};
