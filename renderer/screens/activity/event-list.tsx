// Owns the list of what happened in the knowledgebase, newest first, filtered by words and level.
// Never makes an event.

import { SegmentedControl, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { CoreEvent } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useEngine } from '../../app/live.ts';
import { addressOf, go } from '../../app/router.ts';
import { clock, count, fullTime } from '../../ui/format.ts';
import { Mark, type MarkName } from '../../ui/mark.tsx';
import { Empty, Key, Loading, Strip } from '../../ui/parts.tsx';

const ROW_PX = 36;
const MOST = 1_000;

const MARKS: Readonly<Record<CoreEvent['level'], { mark: MarkName; word: string }>> = {
  info: { mark: 'landed', word: 'Information' },
  warn: { mark: 'lagging', word: 'Warning' },
  error: { mark: 'error', word: 'Error' },
};

/** The events. */
export const EventList = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useQuery(
    api.knowledgebases.events.queryOptions({
      input: { knowledgebase, limit: MOST },
      refetchInterval: 5_000,
    }),
  );
  const [words, setWords] = useState('');
  const [level, setLevel] = useState('all');
  const field = useRef<HTMLInputElement>(null);
  const engine = useEngine();
  useShortcuts({ '/': () => field.current?.focus() });
  if (!data) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the events</Loading>
    );
  }
  if (data.length === 0) {
    return (
      <Empty
        what="Nothing has happened yet"
        why="New streams, views, rejects and repairs show here as they happen."
      />
    );
  }
  const needle = words.trim().toLowerCase();
  const shown = data.filter(
    (event) =>
      (level === 'all' || event.level !== 'info') &&
      `${event.kind} ${event.stream ?? ''} ${event.message}`.toLowerCase().includes(needle),
  );
  return (
    <>
      <div className="toolbar">
        <TextInput
          ref={field}
          w={240}
          aria-label="Filter the events"
          placeholder="Filter"
          value={words}
          leftSection={<IconFilter size={16} stroke={1.6} />}
          rightSection={words === '' ? <Key>/</Key> : null}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setWords('');
          }}
        />
        <SegmentedControl
          aria-label="Which events"
          value={level}
          onChange={setLevel}
          data={[
            { value: 'all', label: 'All' },
            { value: 'faults', label: 'Warnings and errors' },
          ]}
        />
        <span className="grow" />
        <span className="ink-2">
          {count(shown.length)} {shown.length === 1 ? 'event' : 'events'}
          {data.length === MOST ? `, of the newest ${count(MOST)}` : ''}
          {engine.state === 'stopped' ? ` as of ${clock(engine.at)}` : ''}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty what="No event matches" why={`${count(data.length)} events without the filter.`} />
      ) : (
        <Events events={shown} />
      )}
    </>
  );
};

const Events = ({ events }: { events: readonly CoreEvent[] }) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const at = Math.min(active, events.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = (next: number): void => {
      const within = Math.max(0, Math.min(events.length - 1, next));
      setActive(within);
      rows.scrollToIndex(within);
    };
    const stream = events[at]?.stream;
    if (event.key === 'ArrowDown' || event.key === 'j') to(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') to(at - 1);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(events.length - 1);
    else if (event.key === 'Enter' && stream)
      go({ screen: 'stream', stream, tab: 'rows', at: null });
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place.
    <div
      ref={scroller}
      className="activity-scroll events"
      role="grid"
      aria-label="Events"
      aria-rowcount={events.length}
      aria-activedescendant={`event-${events[at]?.seq}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" style={{ position: 'relative', height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          if (!event) return null;
          return (
            <EventRow
              key={event.seq}
              event={event}
              index={index}
              top={start}
              isActive={index === at}
              onChoose={() => setActive(index)}
            />
          );
        })}
      </div>
    </div>
  );
};

const EventRow = ({
  event,
  index,
  top,
  isActive,
  onChoose,
}: {
  event: CoreEvent;
  index: number;
  top: number;
  isActive: boolean;
  onChoose: () => void;
}) => {
  const { mark, word } = MARKS[event.level];
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list listens to keys.
    <div
      id={`event-${event.seq}`}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isActive}
      className="event"
      style={{ transform: `translateY(${top}px)` }}
      onClick={onChoose}
    >
      <Cell className="event-time">
        <time dateTime={event.at} title={`${fullTime(event.at)} UTC`}>
          {event.at.slice(0, 10)} {clock(event.at)}
        </time>
      </Cell>
      <Cell className="event-level">
        {event.level === 'info' ? (
          <span className="sr-only">{word}</span>
        ) : (
          <Mark name={mark} label={word} />
        )}
      </Cell>
      <Cell className="event-kind cut">{event.kind}</Cell>
      <Cell className="event-stream cut">
        {event.stream === null ? null : (
          <a
            tabIndex={-1}
            href={addressOf({ screen: 'stream', stream: event.stream, tab: 'rows', at: null })}
          >
            {event.stream}
          </a>
        )}
      </Cell>
      <Cell className="event-message cut" title={event.message}>
        {event.message}
      </Cell>
    </div>
  );
};

const Cell = ({
  className,
  title,
  children,
}: {
  className: string;
  title?: string;
  children: React.ReactNode;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: as above.
  // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus.
  <span role="gridcell" className={className} title={title}>
    {children}
  </span>
);
