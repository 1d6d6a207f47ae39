// Owns the list of streams: heads, virtual rows, and moving through them by keyboard. One stop for Tab.
// Never decides the order.

import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { StreamRates } from '../../../core/model.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useNow } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { count } from '../../ui/format.ts';
import { actOf } from './list-keys.ts';
import { HEADS, StreamsListHead } from './streams-list-head.tsx';
import { sortedNext } from './streams-order.ts';
import { StreamsRow } from './streams-row.tsx';
import type { StreamsListState } from './use-streams-list.ts';

const ROW = 36;
const HEAD = 28;

/** The list. Arrows move and choose, Enter opens, Space peeks; up from the first row are the heads. */
export const StreamsList = ({
  knowledgebase,
  list,
  total,
  rates,
  isAway,
}: {
  knowledgebase: string;
  list: StreamsListState;
  total: number;
  rates: StreamRates | undefined;
  isAway: boolean;
}) => {
  const { listed, chosen, change, sort } = list;
  const box = useRef<HTMLDivElement>(null);
  const now = useNow();
  const [head, setHead] = useState<number | null>(null);
  // The ring shows to those who use the keyboard; a click says well enough where it was.
  const [isByKeys, setByKeys] = useState(false);
  const rows = useVirtualizer({
    count: listed.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (index) => listed[index]?.stream ?? index,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
    overscan: 8,
  });
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);

  const at = listed.findIndex(({ stream }) => stream === chosen?.stream);
  const moveTo = (to: number): void => {
    const stream = listed[to];
    if (!stream) return;
    setHead(null);
    change({ chosen: stream.stream });
    rows.scrollToIndex(to);
  };
  const open = (stream: string): void => go({ screen: 'stream', stream, tab: 'rows', at: null });
  const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - HEAD) / ROW) - 1);

  const sortBy = (index: number): void => {
    const by = HEADS[index]?.by;
    if (by) change({ sort: sortedNext(sort, by) });
  };
  const press = (key: string): boolean => {
    const act = actOf(key, { row: at, head, rows: listed.length, heads: HEADS.length, page });
    if (!act) return false;
    if (act.act === 'row') moveTo(act.to);
    else if (act.act === 'head') setHead(act.to);
    else if (act.act === 'sort') sortBy(head ?? 0);
    else if (act.act === 'peek') change({ isOpen: !list.isOpen });
    else if (chosen) open(chosen.stream);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.shiftKey) return;
    const isHeld = event.ctrlKey || event.metaKey;
    if (isHeld && event.key !== 'Home' && event.key !== 'End') return;
    if (!press(event.key)) return;
    event.preventDefault();
    setByKeys(true);
  };
  const pressFromAfar = (key: string): void => {
    box.current?.focus();
    setByKeys(true);
    press(key);
  };
  useShortcuts({ j: () => pressFromAfar('j'), k: () => pressFromAfar('k') });

  return (
    <div className="streams-list">
      {/* biome-ignore lint/a11y/useSemanticElements: rows are virtual, so they are placed, not laid out as a table. */}
      <div
        ref={box}
        id="streams-list"
        className="streams-box"
        role="grid"
        tabIndex={0}
        aria-label="Streams"
        aria-rowcount={listed.length + 1}
        aria-activedescendant={
          head !== null ? `streams-head-${head}` : at >= 0 ? `streams-row-${at}` : undefined
        }
        data-keys={isByKeys ? (head === null ? 'row' : 'head') : undefined}
        onKeyDown={onKeyDown}
        onPointerDown={() => setByKeys(false)}
        onKeyUp={(event) => event.key === 'Tab' && setByKeys(true)}
        onBlur={() => setHead(null)}
        onPointerEnter={() => list.setPointerIn(true)}
        onPointerLeave={() => list.setPointerIn(false)}
      >
        <StreamsListHead sort={sort} active={head} onSort={sortBy} />
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        <div className="streams-rows" role="rowgroup" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const stream = listed[index];
            return stream ? (
              <StreamsRow
                key={key}
                knowledgebase={knowledgebase}
                stream={stream}
                index={index}
                top={start - HEAD}
                rates={rates}
                now={now}
                isAway={isAway}
                isChosen={index === at}
                onChoose={() => change({ chosen: stream.stream, isOpen: true })}
                onOpen={() => open(stream.stream)}
              />
            ) : null;
          })}
        </div>
      </div>
      {listed.length === 0 ? <NoMatch list={list} total={total} /> : null}
    </div>
  );
};

const NoMatch = ({ list, total }: { list: StreamsListState; total: number }) => (
  <div className="streams-none" role="status">
    <span>
      {list.filter.trim() !== ''
        ? `No stream has “${list.filter.trim()}” in its name.`
        : list.segment === 'look'
          ? 'No stream needs a look.'
          : 'No stream is landing now.'}
    </span>{' '}
    <span className="ink-2">
      {count(total)} {total === 1 ? 'stream' : 'streams'} in all.
    </span>
    <Button variant="default" onClick={() => list.change({ filter: '', segment: 'all' })}>
      Show all
    </Button>
  </div>
);
