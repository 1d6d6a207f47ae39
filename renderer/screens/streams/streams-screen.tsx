// Owns the streams of a knowledgebase: the list, the panel of the chosen one, making a new one, the first run.
// Never shows a stream's rows; the stream's own screen does.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, faultOf } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useEngine, useRates } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { clock } from '../../ui/format.ts';
import { Empty, Loading } from '../../ui/parts.tsx';
import { FirstRun } from './first-run.tsx';
import { NewStream } from './new-stream.tsx';
import { StreamPanel } from './stream-panel.tsx';
import './streams.css';
import { StreamsHead } from './streams-head.tsx';
import { StreamsList } from './streams-list.tsx';
import { useStreamsList } from './use-streams-list.ts';

const ESC = 'Escape';

/** The screen. */
export const StreamsScreen = ({ knowledgebase }: { knowledgebase: string }) => {
  const engine = useEngine();
  const isAway = engine.state !== 'ready';
  const { data, error, refetch } = useQuery(
    api.streams.list.queryOptions({ input: { knowledgebase }, refetchInterval: 5_000 }),
  );
  const streams = data ?? [];
  const rates = useRates(knowledgebase);
  const list = useStreamsList(knowledgebase, streams, rates);
  const [isMaking, setMaking] = useState(false);
  const isFirstRun = useFirstRun(data?.length);
  const asOf = engine.state === 'stopped' ? clock(engine.at) : null;
  const make = (): void => {
    if (!isAway) setMaking(true);
  };
  useEffect(() => {
    const open = (): void => setMaking(true);
    window.addEventListener('strata:new-stream', open);
    return () => window.removeEventListener('strata:new-stream', open);
  }, []);
  useShortcuts({
    n: make,
    '/': () => document.querySelector<HTMLInputElement>('#streams-filter')?.focus(),
    [ESC]: () => list.change(list.isOpen ? { isOpen: false } : { chosen: null }),
  });
  return (
    <>
      <StreamsHead
        streams={streams}
        list={list}
        isEmpty={data === undefined || isFirstRun.is}
        isAway={isAway}
        asOf={asOf}
        onNew={make}
      />
      {data === undefined ? (
        error && !isAway ? (
          <Empty what={faultOf(error).message} why={faultOf(error).hint}>
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          </Empty>
        ) : (
          <Loading>Reading the streams of {knowledgebase}</Loading>
        )
      ) : isFirstRun.is ? (
        <FirstRun
          knowledgebase={knowledgebase}
          streams={streams}
          isAway={isAway}
          onNew={make}
          onDone={isFirstRun.end}
        />
      ) : (
        <div className="split streams-split">
          <StreamsList
            knowledgebase={knowledgebase}
            list={list}
            total={streams.length}
            rates={rates}
            isAway={isAway}
          />
          {list.chosen && list.isOpen ? (
            <StreamPanel
              key={list.chosen.stream}
              knowledgebase={knowledgebase}
              stream={list.chosen}
              rates={rates}
              asOf={isAway ? (asOf ?? '') : null}
              onClose={() => list.change({ isOpen: false })}
            />
          ) : null}
        </div>
      )}
      <NewStream
        knowledgebase={knowledgebase}
        isOpen={isMaking && !isAway}
        onClose={() => setMaking(false)}
        onMade={(stream) => go({ screen: 'stream', stream, tab: 'rows', at: null })}
      />
    </>
  );
};

/** The first run goes on until the person ends it, so that they see their first batch land. */
const useFirstRun = (known: number | undefined): { is: boolean; end: () => void } => {
  const began = useRef(false);
  const [isEnded, setEnded] = useState(false);
  if (known === 0) began.current = true;
  return { is: began.current && !isEnded, end: () => setEnded(true) };
};
