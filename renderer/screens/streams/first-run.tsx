// Owns an empty knowledgebase: one sentence, what to copy, and other ways to begin.
// Never ends by itself: the person sees their first batch land.

import { Button } from '@mantine/core';
import { IconCloudRain, IconTablePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { chooseKnowledgebase, useKnowledgebase } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { Shippers } from '../../app/shippers.tsx';
import { Key } from '../../ui/parts.tsx';
import './first-run.css';

const DEMO = 'demo';
const icon = { size: 16, stroke: 1.6, color: 'var(--s-ink-3)' } as const;

/** The first run. `hello` is the stream that the commands name; any other that lands counts as well. */
export const FirstRun = ({
  knowledgebase,
  streams,
  isAway,
  onNew,
  onDone,
}: {
  knowledgebase: string;
  streams: readonly StreamSummary[];
  isAway: boolean;
  onNew: () => void;
  onDone: () => void;
}) => {
  const { list } = useKnowledgebase();
  const { data: settings } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase } }),
  );
  const landed = streams.find(({ landed }) => landed > 0);
  const name = landed?.stream ?? streams[0]?.stream ?? 'hello';
  const isMade = settings?.createStreamsOnFirstPost !== false;
  const hasDemo = list.some(({ id }) => id === DEMO) && knowledgebase !== DEMO;
  return (
    <div className="first-run">
      <FirstLayer hasLanded={landed !== undefined} />
      <div className="first-run-words">
        <h2>{landed ? 'The first batch has landed' : 'Nothing has landed yet'}</h2>
        <p>
          {landed
            ? 'It is on disk, and its rows can be queried. What comes next is below, with the address to send it to.'
            : `Send one batch to the address below. It is on disk when you get the answer, and you can query it at once. ${isMade ? 'The stream is created by its first batch.' : 'This knowledgebase takes batches of streams that were created; create hello first.'}`}
        </p>
        <Shippers knowledgebase={knowledgebase} stream={name} />
        {streams.length > 0 ? (
          <div className="first-run-next">
            {landed ? (
              <Button onClick={() => go({ screen: 'stream', stream: name, tab: 'rows', at: null })}>
                Open {name}
              </Button>
            ) : null}
            <Button variant="default" onClick={onDone}>
              All streams
            </Button>
          </div>
        ) : (
          <section className="first-run-ways">
            <h3>Or start from what you have</h3>
            <Way icon={<IconTablePlus {...icon} />} onClick={onNew} isOff={isAway} keys="N">
              <strong>Create a stream first</strong> with registered columns
            </Way>
            {hasDemo ? (
              <Way icon={<IconCloudRain {...icon} />} onClick={() => chooseKnowledgebase(DEMO)}>
                <strong>Open the demo</strong> a year of hourly Seattle weather
              </Way>
            ) : null}
          </section>
        )}
      </div>
    </div>
  );
};

const Way = ({
  icon,
  keys,
  isOff = false,
  onClick,
  children,
}: {
  icon: ReactNode;
  keys?: string;
  isOff?: boolean;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button type="button" className="first-run-way" onClick={onClick} disabled={isOff}>
    {icon}
    <span className="grow">{children}</span>
    {keys ? <Key>{keys}</Key> : null}
  </button>
);

/** The first layer, where it will lie; solid when it does. The heading says the same in words. */
const FirstLayer = ({ hasLanded }: { hasLanded: boolean }) => (
  <div className="first-layer" aria-hidden="true">
    <span className="label">first layer</span>
    <div className={hasLanded ? 'first-layer-bed landed' : 'first-layer-bed'} />
  </div>
);
