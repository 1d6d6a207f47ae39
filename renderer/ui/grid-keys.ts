// Owns the grid's keys: moving, copying, opening. Never scrolls; the grid follows the selection.

import type { KeyboardEvent } from 'react';
import type { GridCell, GridProps } from './grid.tsx';

interface GridKeys extends GridProps {
  /** The first row in view. */
  readonly first: number;
  /** Rows that fit in view. */
  readonly page: number;
  readonly onCopied: (words: string) => void;
  readonly onMenu: ((column: number) => void) | undefined;
  /** A key led to the cell that is selected already; it may have been scrolled away from. */
  readonly onStay: (cell: GridCell) => void;
}

/** A row as JSON, every value as it is; names that stand twice are kept. */
export const jsonOf = (
  columns: readonly { readonly name: string }[],
  values: readonly (string | null)[],
): string =>
  `{${columns.map(({ name }, at) => `${JSON.stringify(name)}:${JSON.stringify(values[at] ?? null)}`).join(',')}}`;

/** Where a key leads from a cell; undefined for a key that does not move. */
export const cellAfter = (
  { row, column }: GridCell,
  key: string,
  isHeld: boolean,
  size: { readonly rows: number; readonly columns: number; readonly page: number },
): GridCell | undefined => {
  const last = size.rows - 1;
  const lastColumn = size.columns - 1;
  const at = (toRow: number, toColumn: number): GridCell => ({
    row: Math.min(last, Math.max(0, toRow)),
    column: Math.min(lastColumn, Math.max(0, toColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return isHeld ? at(last, column) : at(row + 1, column);
    case 'ArrowUp':
      return isHeld ? at(0, column) : at(row - 1, column);
    case 'ArrowRight':
      return isHeld ? at(row, lastColumn) : at(row, column + 1);
    case 'ArrowLeft':
      return isHeld ? at(row, 0) : at(row, column - 1);
    case 'j':
      return isHeld ? undefined : at(row + 1, column);
    case 'k':
      return isHeld ? undefined : at(row - 1, column);
    case 'PageDown':
      return at(row + size.page, column);
    case 'PageUp':
      return at(row - size.page, column);
    case 'Home':
      return isHeld ? at(0, 0) : at(row, 0);
    case 'End':
      return isHeld ? at(last, lastColumn) : at(row, lastColumn);
    default:
      return undefined;
  }
};

/** The grid's key handler. */
export const useGridKeys = (keys: GridKeys) => {
  const { columns, rowCount, getRow, selected, onSelect, onOpen } = keys;
  const copy = (text: string, words: string): void => {
    void navigator.clipboard.writeText(text).then(() => keys.onCopied(words));
  };
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || columns.length === 0) return;
    const isHeld = event.ctrlKey || event.metaKey;
    const row = selected ? getRow(selected.row) : undefined;
    if (event.altKey && event.key === 'ArrowDown') {
      // After this key press: the menu would take it for its own.
      setTimeout(() => keys.onMenu?.(selected?.column ?? 0));
    } else if (isHeld && event.key.toLowerCase() === 'c' && selected && row) {
      if (event.shiftKey) copy(jsonOf(columns, row), 'Row copied as JSON');
      else copy(row[selected.column] ?? '', 'Copied');
    } else if (event.key === 'Enter' && !isHeld && selected) {
      onOpen?.();
    } else if (event.key === 'Escape' && selected) {
      onSelect(null);
    } else if (event.altKey || rowCount === 0) {
      return;
    } else {
      const size = { rows: rowCount, columns: columns.length, page: keys.page };
      const start = selected ?? { row: keys.first, column: 0 };
      const next = cellAfter(start, event.key, isHeld, size);
      if (!next) return;
      const isFirstStep = selected === null && /^Arrow|^[jk]$/.test(event.key) && !isHeld;
      const chosen = isFirstStep ? start : next;
      if (selected?.row === chosen.row && selected.column === chosen.column) keys.onStay(chosen);
      else onSelect(chosen);
    }
    event.preventDefault();
  };
};
