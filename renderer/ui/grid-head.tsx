// Owns the head of the grid: names, types, dragging a column's edge, and opening its menu.
// Never decides what a menu does.

import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, type PointerEvent, type ReactNode, useCallback, useRef } from 'react';
import type { LaidColumn } from './grid-columns.ts';

interface GridHeadProps {
  readonly columns: readonly LaidColumn[];
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly width: number;
  readonly numberWidth: number;
  /** A width in px; null for the measured one. */
  readonly onResize: (name: string, width: number | null) => void;
  readonly menu: ((column: number) => ReactNode) | undefined;
  readonly opened: number | null;
  /** Where a menu stands in the page. */
  readonly portal: HTMLElement | null;
  readonly onOpened: (column: number | null) => void;
}

/** The head; it stays while rows scroll. */
export const GridHead = memo((props: GridHeadProps) => {
  const { columns, fromColumn, toColumn, width, numberWidth, onResize } = props;
  const { menu, opened, portal, onOpened } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place.
    <div role="rowgroup" className="grid-head" style={{ width }}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus. */}
      <div role="row" className="grid-head-row" aria-rowindex={1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
        <div
          role="columnheader"
          className="grid-corner"
          aria-colindex={1}
          style={{ width: numberWidth }}
        >
          Row
        </div>
        {columns.slice(fromColumn, toColumn).map((column, at) => {
          const index = fromColumn + at;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <div
              key={`${index}-${column.name}`}
              role="columnheader"
              className="grid-name"
              aria-colindex={index + 2}
              data-right={column.isRight || undefined}
              style={{ left: column.left, width: column.width }}
            >
              {menu ? (
                <Opening
                  column={column}
                  portal={portal}
                  isOpen={opened === index}
                  onOpened={(isOpen) => onOpened(isOpen ? index : null)}
                >
                  {opened === index ? menu(index) : null}
                </Opening>
              ) : (
                <span className="grid-name-text">
                  <Name column={column} />
                </span>
              )}
              <Edge column={column} onResize={onResize} />
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** A head that opens its menu; the menu is there only while it is open. */
const Opening = ({
  column,
  portal,
  isOpen,
  onOpened,
  children,
}: {
  column: LaidColumn;
  portal: HTMLElement | null;
  isOpen: boolean;
  onOpened: (isOpen: boolean) => void;
  children: ReactNode;
}) => {
  const button = (
    <button
      type="button"
      tabIndex={-1}
      className="grid-name-button"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => onOpened(!isOpen)}
    >
      <Name column={column} />
      <IconChevronDown size={14} stroke={1.6} aria-hidden="true" />
    </button>
  );
  const focusFirst = useCallback((dropdown: HTMLDivElement | null): void => {
    requestAnimationFrame(() => dropdown?.querySelector<HTMLElement>('[role="menuitem"]')?.focus());
  }, []);
  if (!isOpen) return button;
  return (
    <Menu
      opened
      position={column.isRight ? 'bottom-end' : 'bottom-start'}
      onChange={onOpened}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      {...(portal ? { portalProps: { target: portal } } : {})}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown ref={focusFirst}>{children}</Menu.Dropdown>
    </Menu>
  );
};

const Name = ({ column }: { column: LaidColumn }) => (
  <span className="cut" title={column.name}>
    {column.name}
    {column.type ? <span className="grid-type">{column.type}</span> : null}
  </span>
);

const Edge = ({
  column,
  onResize,
}: {
  column: LaidColumn;
  onResize: GridHeadProps['onResize'];
}) => {
  const from = useRef<{ x: number; width: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: column.width };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    if (from.current) onResize(column.name, from.current.width + event.clientX - from.current.x);
  };
  return (
    <span
      className="grid-edge"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null;
      }}
      onDoubleClick={() => onResize(column.name, null)}
    />
  );
};
