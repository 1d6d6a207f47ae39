// Owns the head of the streams: what there is in all, filter, segments, the button for a new one.
// Never filters itself.

import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconFilter, IconPlus } from '@tabler/icons-react';
import type { StreamSummary } from '../../../core/model.ts';
import { bytes, count, shortCount } from '../../ui/format.ts';
import { Head, Key } from '../../ui/parts.tsx';
import './streams-head.css';
import type { Segment } from './streams-order.ts';
import type { StreamsListState } from './use-streams-list.ts';

/** The head; of an empty knowledgebase only the title and the button. */
export const StreamsHead = ({
  streams,
  list,
  isEmpty,
  isAway,
  asOf,
  onNew,
}: {
  streams: readonly StreamSummary[];
  list: StreamsListState;
  isEmpty: boolean;
  isAway: boolean;
  asOf: string | null;
  onNew: () => void;
}) => (
  <div className="streams-head">
    <Head title="Streams" facts={isEmpty ? null : <Facts streams={streams} asOf={asOf} />}>
      {isEmpty ? null : (
        <>
          <Filter list={list} />
          <Segments list={list} />
        </>
      )}
      <Button
        variant={isEmpty ? 'default' : 'filled'}
        onClick={onNew}
        disabled={isAway}
        leftSection={<IconPlus size={14} stroke={1.6} />}
        title="N"
      >
        New stream
      </Button>
    </Head>
  </div>
);

const Facts = ({ streams, asOf }: { streams: readonly StreamSummary[]; asOf: string | null }) => {
  const rows = streams.reduce((sum, stream) => sum + stream.rows, 0);
  const size = streams.reduce((sum, stream) => sum + stream.sizeBytes, 0);
  return (
    <span className="streams-facts">
      <span>
        {count(streams.length)} {streams.length === 1 ? 'stream' : 'streams'}
      </span>
      <span title={`${count(rows)} rows`}>
        {shortCount(rows)} {rows === 1 ? 'row' : 'rows'}
      </span>
      <span title={`${count(size)} bytes`}>{bytes(size)}</span>
      {asOf === null ? null : <span>as of {asOf}</span>}
    </span>
  );
};

const Filter = ({ list }: { list: StreamsListState }) => (
  <TextInput
    id="streams-filter"
    className="streams-filter"
    aria-label="Filter streams by name"
    placeholder="Filter"
    value={list.filter}
    onChange={(event) => list.change({ filter: event.currentTarget.value })}
    onKeyDown={(event) => {
      if (event.key === 'Escape') list.change({ filter: '' });
      if (['Escape', 'ArrowDown', 'Enter'].includes(event.key)) {
        event.preventDefault();
        document.querySelector<HTMLElement>('#streams-list')?.focus();
      }
    }}
    leftSection={<IconFilter size={14} stroke={1.6} />}
    leftSectionWidth={28}
    rightSection={<Key>/</Key>}
    rightSectionWidth={30}
    rightSectionPointerEvents="none"
  />
);

const Segments = ({ list }: { list: StreamsListState }) => {
  const { landing, look } = list.counts;
  return (
    <SegmentedControl
      aria-label="Which streams"
      value={list.segment}
      onChange={(segment) => list.change({ segment: segment as Segment })}
      data={[
        { value: 'all', label: 'All' },
        { value: 'landing', label: landing > 0 ? `Landing ${count(landing)}` : 'Landing' },
        { value: 'look', label: look > 0 ? `Needs a look ${count(look)}` : 'Needs a look' },
      ]}
      transitionDuration={0}
    />
  );
};
