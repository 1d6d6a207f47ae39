// Owns the list of a stream's files inside the tab's own scroll: virtual, one tab stop, arrows inside it.
// Never fetches; it says when its end comes near.

import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { StreamFile } from '../../../../core/model.ts';
import { bytes, count, fullTime } from '../../../ui/format.ts';
import { kindOf, momentOf } from './run-words.ts';
import { nameOf } from './use-files.ts';

const ROW = 28;
const NEAR_END = 30;

/** The list; `scroller` is what scrolls it, with what stands above it. */
export const FilesList = ({
  stream,
  files,
  chosen,
  now,
  scroller,
  onChoose,
  onOpen,
  onEnd,
}: {
  stream: string;
  files: readonly StreamFile[];
  chosen: string | null;
  now: number;
  scroller: RefObject<HTMLDivElement | null>;
  onChoose: (at: string | null) => void;
  onOpen: (file: StreamFile) => void;
  onEnd: () => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [margin, setMargin] = useState(0);
  // What stands above may grow and shrink.
  useLayoutEffect(() => {
    const top = list.current?.offsetTop ?? 0;
    if (top !== margin) setMargin(top);
  });
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    scrollMargin: margin,
    overscan: 10,
  });
  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown > files.length - NEAR_END) onEnd();
  }, [lastShown, files.length, onEnd]);

  const at = chosen === null ? -1 : files.findIndex((file) => nameOf(file) === chosen);
  // Only what keys chose is brought into view: what was pointed at is there.
  const choose = (index: number): void => {
    const to = Math.min(files.length - 1, Math.max(0, index));
    const file = files[to];
    if (!file) return;
    onChoose(nameOf(file));
    virtual.scrollToIndex(to, { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 1);
    const file = files[at];
    if (event.key === 'ArrowDown' || event.key === 'j') choose(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') choose(at - 1);
    else if (event.key === 'PageDown') choose(at + page);
    else if (event.key === 'PageUp') choose(at - page);
    else if (event.key === 'Home') choose(0);
    else if (event.key === 'End') choose(files.length - 1);
    else if (event.key === 'Enter' && file) onOpen(file);
    else if (event.key === 'Escape' && chosen !== null) onChoose(null);
    else return;
    event.preventDefault();
  };
  const isDrawn = rows.some(({ index }) => index === at);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place.
    <div
      ref={list}
      className="files-list"
      role="grid"
      aria-label={`Files of ${stream}`}
      aria-rowcount={files.length}
      aria-activedescendant={isDrawn ? `${id}-${at}` : undefined}
      tabIndex={0}
      style={{ height: virtual.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {rows.map(({ index, start }) => {
        const file = files[index] as StreamFile;
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys.
          <div
            key={file.file}
            id={`${id}-${index}`}
            role="row"
            aria-rowindex={index + 1}
            aria-selected={index === at}
            className="files-row"
            style={{ top: start - margin }}
            onClick={() => onChoose(nameOf(file))}
            onDoubleClick={() => onOpen(file)}
          >
            <Cell>
              <span className={`files-bed ${file.kind}`} aria-hidden="true" />
              <span className="mono cut" title={`data/${file.file}`}>
                {file.file}
              </span>
            </Cell>
            <Cell>{kindOf(file)}</Cell>
            <Cell isRight>{count(file.rows)}</Cell>
            <Cell isRight title={`${count(file.sizeBytes)} bytes`}>
              {bytes(file.sizeBytes)}
            </Cell>
            <Cell isRight title={datesOf(file)}>
              {momentOf(file.lastLandedAt, now)}
            </Cell>
          </div>
        );
      })}
    </div>
  );
};

const Cell = ({
  isRight,
  title,
  children,
}: {
  isRight?: boolean;
  title?: string;
  children: React.ReactNode;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: see the list.
  // biome-ignore lint/a11y/useFocusableInteractive: see the list.
  <span role="gridcell" className="files-cell" data-right={isRight || undefined} title={title}>
    {children}
  </span>
);

const datesOf = ({ firstLandedAt, lastLandedAt }: StreamFile): string =>
  firstLandedAt === lastLandedAt
    ? `${fullTime(lastLandedAt)} UTC`
    : `${fullTime(firstLandedAt)} to ${fullTime(lastLandedAt)} UTC`;
