// Owns the list of the inbox: groups by cause and the rejects of the open one, or what a search found. Virtual, one
// tab stop, arrows inside it. Never fetches and never changes a reject.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import type { RejectState } from '../../core/model.ts';
import './inbox.css';
import { between, type InboxItem } from './inbox-items.ts';
import { inboxAct } from './inbox-keys.ts';
import { InboxLine } from './inbox-line.tsx';

const HEIGHTS = { group: 56, reject: 24, found: 44, more: 24, waiting: 24 } as const;
/** Below the last reject of the open group. */
const GAP = 6;

interface InboxProps {
  readonly knowledgebase: string;
  readonly items: readonly InboxItem[];
  readonly tab: RejectState;
  /** The key of the open group. */
  readonly open: string | null;
  /** The key of the reject that is shown. */
  readonly chosen: string | null;
  readonly selected: ReadonlySet<string>;
  readonly onChoose: (key: string) => void;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
  readonly onOpen: (group: string | null) => void;
  readonly onMore: () => void;
  /** Enter on a reject: the keyboard goes on to its body. */
  readonly onInto: () => void;
  /** Called when the end of what is fetched comes near. */
  readonly onEnd: () => void;
}

/** The list. */
export const Inbox = (props: InboxProps) => {
  const { knowledgebase, items, tab, open, chosen, selected } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [cursor, setCursor] = useState<string | null>(null);
  const anchor = useRef<string | null>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => {
      const item = items[at] as InboxItem;
      const isLast = item.kind !== 'group' && items[at + 1]?.kind === 'group';
      return HEIGHTS[item.kind] + (isLast ? GAP : 0) + (item.kind === 'group' ? 1 : 0);
    },
    getItemKey: (at) => (items[at] as InboxItem).key,
    overscan: 12,
  });
  // Lines of another height came or went.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the lines are others.
  useEffect(() => virtual.measure(), [items]);
  const lines = virtual.getVirtualItems();
  const lastShown = lines.at(-1)?.index ?? 0;
  const { onEnd } = props;
  useEffect(() => {
    if (lastShown > items.length - 40) onEnd();
  }, [lastShown, items.length, onEnd]);

  // A group that opens is shown with its first rejects.
  const opened = useRef(open);
  useEffect(() => {
    if (opened.current === open || open === null) return;
    const head = items.findIndex(({ key }) => key === open);
    if (head < 0 || items[head + 1]?.kind === 'group' || items[head + 1]?.kind === 'waiting')
      return;
    opened.current = open;
    const element = scroller.current;
    const places = virtual.measurementsCache;
    const start = places[head]?.start ?? 0;
    const end = places[Math.min(items.length - 1, head + 8)]?.end ?? start;
    if (element && (start < element.scrollTop || end > element.scrollTop + element.clientHeight)) {
      element.scrollTop = Math.min(start, end - element.clientHeight);
    }
  }, [open, items, virtual]);

  const active = cursor !== null && items.some(({ key }) => key === cursor) ? cursor : chosen;
  const at = items.findIndex(({ key }) => key === active);
  const step = (to: number, extend: boolean): void => {
    const item = items[to];
    if (!item) return;
    setCursor(item.key);
    virtual.scrollToIndex(to, { align: 'auto' });
    if (item.kind !== 'reject' && item.kind !== 'found') return;
    if (extend && chosen !== null) {
      anchor.current ??= chosen;
      props.onSelect(new Set(between(items, anchor.current, item.key)));
    } else {
      anchor.current = item.key;
      if (selected.size > 0) props.onSelect(new Set());
    }
    props.onChoose(item.key);
  };
  const toggle = (key: string): void => {
    const next = new Set(
      selected.size === 0 && chosen !== null && chosen !== key ? [chosen] : selected,
    );
    if (!next.delete(key)) next.add(key);
    anchor.current = key;
    props.onSelect(next);
    if (next.has(key)) props.onChoose(key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 24) - 2);
    const act = inboxAct(event, { items, at, page, isOpen: (key) => key === open });
    const item = items[at];
    if (!act || (act.act === 'none' && selected.size === 0)) return;
    event.preventDefault();
    event.stopPropagation();
    switch (act.act) {
      case 'move':
        step(act.to, act.extends);
        break;
      case 'open':
        if (item) props.onOpen(item.key);
        break;
      case 'close':
        props.onOpen(null);
        break;
      case 'more':
        props.onMore();
        break;
      case 'toggle':
        if (item) toggle(item.key);
        break;
      case 'all':
        props.onSelect(new Set(items.flatMap(({ kind, key }) => (isRow(kind) ? key : []))));
        break;
      case 'none':
        props.onSelect(new Set());
        break;
      case 'into':
        props.onInto();
        break;
    }
  };
  const onClick = (item: InboxItem, event: MouseEvent): void => {
    scroller.current?.focus();
    setCursor(item.key);
    if (item.kind === 'group') props.onOpen(item.key === open ? null : item.key);
    else if (item.kind === 'more') props.onMore();
    else if (item.kind === 'waiting') return;
    else if (event.shiftKey) {
      anchor.current ??= chosen;
      props.onSelect(new Set(between(items, anchor.current ?? item.key, item.key)));
      props.onChoose(item.key);
    } else if (event.ctrlKey || event.metaKey) toggle(item.key);
    else step(items.indexOf(item), false);
  };
  const isDrawn = lines.some(({ index }) => index === at);
  return (
    <div
      ref={scroller}
      id="rejects-inbox"
      className="inbox-list"
      role="tree"
      aria-label="Rejects by cause"
      aria-multiselectable="true"
      aria-activedescendant={isDrawn ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="inbox-body" style={{ height: virtual.getTotalSize() }}>
        {lines.map(({ index, start, size }) => {
          const item = items[index] as InboxItem;
          return (
            <InboxLine
              key={item.key}
              id={`${id}-${index}`}
              knowledgebase={knowledgebase}
              item={item}
              tab={tab}
              top={start}
              height={item.kind === 'group' ? size : HEIGHTS[item.kind]}
              isOpen={item.key === open}
              isChosen={item.key === chosen}
              isSelected={selected.has(item.key)}
              isActive={item.key === active}
              onClick={(event) => onClick(item, event)}
            />
          );
        })}
      </div>
    </div>
  );
};

const isRow = (kind: InboxItem['kind']): boolean => kind === 'reject' || kind === 'found';
