// Owns a virtual list of rows with columns: one tab stop, arrows inside it, more asked for near its end.
// Knows nothing of what it lists.

import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import './list.css';

/** A column of a list. */
export interface ListColumn<Item> {
  readonly head: string;
  /** Width as CSS grid takes it: `96px`, `minmax(0, 2fr)`. */
  readonly width: string;
  readonly isRight?: boolean;
  /** Left out where the list is narrow. */
  readonly isWideOnly?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface ListProps<Item> {
  readonly label: string;
  readonly columns: readonly ListColumn<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** The key of the chosen item. */
  readonly chosen: string | null;
  readonly onChoose: (key: string | null) => void;
  /** Enter or a double click. */
  readonly onOpen?: (item: Item) => void;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
}

const ROW = 36;
const WIDE_PX = 760;

/** The list. It fills its parent. */
export const List = <Item,>(props: ListProps<Item>) => {
  const { label, columns: all, items, keyOf, chosen, onChoose, onOpen, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const isWide = useIsWide(scroller);
  const columns = isWide ? all : all.filter(({ isWideOnly }) => !isWideOnly);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown > items.length - 30) onEnd?.();
  }, [lastShown, items.length, onEnd]);

  const at = chosen === null ? -1 : items.findIndex((item) => keyOf(item) === chosen);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);

  const choose = (index: number): void => {
    const item = items[Math.min(items.length - 1, Math.max(0, index))];
    if (item !== undefined) onChoose(keyOf(item));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 1);
    const chosenItem = items[at];
    if (event.key === 'ArrowDown' || event.key === 'j') choose(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') choose(at - 1);
    else if (event.key === 'PageDown') choose(at + page);
    else if (event.key === 'PageUp') choose(at - page);
    else if (event.key === 'Home') choose(0);
    else if (event.key === 'End') choose(items.length - 1);
    else if (event.key === 'Enter' && chosenItem !== undefined) onOpen?.(chosenItem);
    else if (event.key === 'Escape' && chosen !== null) onChoose(null);
    else return;
    event.preventDefault();
  };
  const template = columns.map(({ width }) => width).join(' ');
  const isDrawn = rows.some(({ index }) => index === at);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place.
    <div
      ref={scroller}
      className="stream-list"
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={isDrawn ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className="stream-list-head">
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus. */}
        <div
          role="row"
          aria-rowindex={1}
          className="stream-list-line"
          style={{ gridTemplateColumns: template }}
        >
          {columns.map(({ head, isRight }) => (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <span key={head} role="columnheader" data-right={isRight || undefined}>
              {head}
            </span>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className="stream-list-body" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index] as Item;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys.
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === at}
              className="stream-list-line stream-list-row"
              style={{ top: start, gridTemplateColumns: template }}
              onClick={() => onChoose(keyOf(item))}
              onDoubleClick={() => onOpen?.(item)}
            >
              {columns.map(({ head, isRight, cell }) => (
                // biome-ignore lint/a11y/useSemanticElements: as above.
                // biome-ignore lint/a11y/useFocusableInteractive: as above.
                <span key={head} role="gridcell" className="cut" data-right={isRight || undefined}>
                  {cell(item)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
};

const useIsWide = (element: RefObject<HTMLElement | null>): boolean => {
  const [isWide, setWide] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const look = (): void => setWide(current.clientWidth >= WIDE_PX);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isWide;
};
