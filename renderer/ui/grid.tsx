// Owns the data grid: any number of rows, only those in view in the page, one tab stop, exact values.
// Knows nothing of what the rows are; never formats a value, never shows one row's value in another's place.

import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useBriefly } from './briefly.ts';
import './grid.css';
import { type GridColumn, useGridColumns } from './grid-columns.ts';
import { GridHead } from './grid-head.tsx';
import { useGridKeys } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import { useScaledScroll } from './scaled-scroll.ts';
import { type Strata, StrataScroll } from './strata-scroll.tsx';

export interface GridProps {
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /** When it changes these are other rows: the grid goes back to the first. */
  readonly startKey?: string;
  /** What stands in the row-number column. */
  readonly rowNumber: (index: number) => string;
  /** The values of a row in column order; undefined while it is not loaded. A new function when rows were loaded. */
  readonly getRow: (index: number) => readonly (string | null)[] | undefined;
  /** Hears of the rows in view, `to` not included. */
  readonly onRange: (from: number, to: number) => void;
  readonly selected: GridCell | null;
  readonly onSelect: (cell: GridCell | null) => void;
  /** Enter or a double click on the selected cell. */
  readonly onOpen?: () => void;
  /** The layer that a row belongs to, drawn at the left. */
  readonly gutter?: (index: number) => 'a' | 'b' | 'vein' | null;
  /** The layers of the rows: the scrollbar is then drawn as them. */
  readonly strata?: Strata | undefined;
  /** The items of a column's menu (of Mantine's Menu); without it heads have none. */
  readonly headMenu?: (column: number) => ReactNode;
}

export interface GridCell {
  readonly row: number;
  readonly column: number;
}

const ROW_PX = 28;
const HEAD_PX = 28;
const SPARE_ROWS = 6;
const SPARE_PX = 240;

/** The grid. It fills its parent. */
export const Grid = (props: GridProps) => {
  const { label, columns, rowCount, rowNumber, getRow, onRange, selected, onSelect } = props;
  const { onOpen, gutter, headMenu, startKey, strata } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const pointed = useRef(false);
  const id = useId();
  const { shown, height, view, reveal, goTo } = useScaledScroll(
    scroller,
    rowCount,
    ROW_PX,
    HEAD_PX,
    startKey,
  );
  const { left, width } = useWindow(scroller);
  const last = Math.max(0, rowCount - 1);
  const digits = Math.max(rowNumber(0).length, rowNumber(last).length);
  const numberWidth = Math.max(72, digits * 7 + 30);
  const { laid, resize } = useGridColumns(
    columns,
    getRow,
    shown.first,
    numberWidth,
    width,
    startKey,
  );
  const [opened, setOpened] = useState<number | null>(null);
  const [copied, tell] = useBriefly();

  const from = Math.max(0, shown.first - SPARE_ROWS);
  const to = Math.min(rowCount, shown.first + shown.fit + SPARE_ROWS);
  useEffect(() => {
    if (shown.fit > 1) onRange(from, to);
  }, [onRange, from, to, shown.fit]);

  // Widths are kept while a person goes through the columns: only those near the window are in the page.
  const fromColumn = Math.max(
    0,
    laid.findIndex((one) => one.left + one.width > left - SPARE_PX),
  );
  const beyond = laid.findIndex((one) => one.left > left + width + SPARE_PX);
  const toColumn = beyond === -1 ? laid.length : beyond;
  const rightmost = laid.at(-1);
  const total = rightmost ? rightmost.left + rightmost.width : numberWidth;

  const bringColumn = (at: number): void => {
    const column = laid[at];
    const element = scroller.current;
    if (!column || !element) return;
    const rightEdge = column.left + column.width - element.clientWidth;
    if (column.left - numberWidth < element.scrollLeft) {
      element.scrollLeft = column.left - numberWidth;
    } else if (rightEdge > element.scrollLeft) element.scrollLeft = rightEdge;
  };
  const bring = (cell: GridCell): void => {
    reveal(cell.row);
    bringColumn(cell.column);
  };
  // Follows the selection alone: a person may scroll away from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    // What was pointed at is in view, and stays where it is.
    const isPointed = pointed.current;
    pointed.current = false;
    if (selected !== null && view !== 0 && !isPointed) bring(selected);
  }, [selected?.row, selected?.column, view === 0, reveal]);

  // What comes beside the grid, as the panel that explains a cell, does not take the cell out of view.
  const wide = useRef(width);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a person may scroll away from it.
  useEffect(() => {
    const before = wide.current;
    wide.current = width;
    const column = selected === null ? undefined : laid[selected.column];
    const seenFrom = scroller.current?.scrollLeft ?? 0;
    if (selected === null || !column || width >= before) return;
    const isSeen = column.left < seenFrom + before && column.left + column.width > seenFrom;
    if (isSeen) bringColumn(selected.column);
  }, [width]);

  const onKeyDown = useGridKeys({
    ...props,
    first: Math.ceil(shown.first),
    page: Math.max(1, shown.fit - 2),
    onCopied: tell,
    onMenu: headMenu ? setOpened : undefined,
    onStay: bring,
  });
  const choose = useCallback(
    (row: number, column: number): void => {
      pointed.current = true;
      onSelect({ row, column });
    },
    [onSelect],
  );

  const opener = useRef(onOpen);
  opener.current = onOpen;
  const open = useCallback((): void => opener.current?.(), []);
  const openMenu = useCallback((column: number | null): void => {
    setOpened(column);
    if (column === null) scroller.current?.focus({ preventScroll: true });
  }, []);

  const cellId = (row: number, column: number): string => `${id}-${row}-${column}`;
  const isDrawn =
    selected !== null &&
    selected.row >= from &&
    selected.row < to &&
    selected.column >= fromColumn &&
    selected.column < toColumn;
  const pool = shown.fit + 2 * SPARE_ROWS;
  const rows = [];
  for (let index = from; index < to; index += 1) {
    rows.push(
      <GridRow
        key={index % pool}
        id={id}
        index={index}
        top={index * ROW_PX + shown.shift}
        number={rowNumber(index)}
        numberWidth={numberWidth}
        values={getRow(index)}
        columns={laid}
        fromColumn={fromColumn}
        toColumn={toColumn}
        chosen={selected?.row === index ? selected.column : null}
        layer={gutter?.(index) ?? null}
        onChoose={choose}
        onOpen={open}
      />,
    );
  }
  return (
    <div ref={setFrame} className="grid-frame" data-strata={strata ? true : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place. */}
      <div
        ref={scroller}
        className="grid"
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isDrawn ? cellId(selected.row, selected.column) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <GridHead
          columns={laid}
          fromColumn={fromColumn}
          toColumn={toColumn}
          width={total}
          numberWidth={numberWidth}
          onResize={resize}
          menu={headMenu}
          opened={opened}
          portal={frame}
          onOpened={openMenu}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div className="grid-body" role="rowgroup" style={{ height, width: total }}>
          {rows}
        </div>
      </div>
      {strata && view > 0 ? (
        <StrataScroll
          strata={strata}
          height={view}
          rows={rowCount}
          first={shown.first}
          fit={Math.floor(view / ROW_PX)}
          onGoTo={goTo}
        />
      ) : null}
      <span className="grid-copied" role="status">
        {copied}
      </span>
    </div>
  );
};

/** Where the element is scrolled to from side to side, in steps, and how wide it is. */
const useWindow = (scroller: React.RefObject<HTMLElement | null>) => {
  const [seen, setSeen] = useState({ left: 0, width: 0 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const left = Math.floor(element.scrollLeft / 200) * 200;
      const width = element.clientWidth;
      setSeen((before) =>
        before.left === left && before.width === width ? before : { left, width },
      );
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller]);
  return seen;
};
