// Owns one row of the grid: its number, its layer, its cells in view. Never asks for a value.

import { memo } from 'react';
import { CellValue } from './cell.tsx';
import type { LaidColumn } from './grid-columns.ts';

interface GridRowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly number: string;
  readonly numberWidth: number;
  readonly values: readonly (string | null)[] | undefined;
  readonly columns: readonly LaidColumn[];
  readonly fromColumn: number;
  readonly toColumn: number;
  /** The selected column of this row; null when another row is selected. */
  readonly chosen: number | null;
  readonly layer: 'a' | 'b' | 'vein' | null;
  readonly onChoose: (row: number, column: number) => void;
  readonly onOpen: () => void;
}

/** A row; drawn again only when something of it changed. */
export const GridRow = memo((props: GridRowProps) => {
  const { id, index, top, number, numberWidth, values, columns, chosen, layer } = props;
  const { fromColumn, toColumn, onChoose, onOpen } = props;
  const cells = [];
  for (let at = fromColumn; at < toColumn; at += 1) {
    const column = columns[at] as LaidColumn;
    const value = values?.[at];
    cells.push(
      // biome-ignore lint/a11y/useSemanticElements: a table cannot hold rows by place.
      // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus and names the active cell.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys.
      <div
        key={at}
        id={chosen === at ? `${id}-${index}-${at}` : undefined}
        role="gridcell"
        className="grid-cell"
        aria-colindex={at + 2}
        aria-selected={chosen === at || undefined}
        data-right={column.isRight || undefined}
        style={{ left: column.left, width: column.width }}
        onClick={() => onChoose(index, at)}
        onDoubleClick={onOpen}
      >
        {values === undefined ? (
          at === fromColumn ? (
            <span className="grid-waiting">…</span>
          ) : null
        ) : (
          <CellValue value={value ?? null} />
        )}
      </div>,
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      role="row"
      className="grid-row"
      aria-rowindex={index + 2}
      aria-selected={chosen !== null || undefined}
      style={{ top }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <div
        role="rowheader"
        className="grid-number"
        aria-colindex={1}
        data-layer={layer ?? undefined}
        style={{ width: numberWidth }}
        onClick={() => onChoose(index, chosen ?? 0)}
      >
        {number}
      </div>
      {cells}
    </div>
  );
});
