// Owns how a person looks at a stream's rows: order, conditions, and the moment the rows are frozen at.
// Never lets rows move by themselves: new ones are taken in when asked for.

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { client } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import type { GridCell } from '../../ui/grid.tsx';
import type { Filter } from './filters.ts';
import { rowPages } from './row-pages.ts';

export interface AsOf {
  readonly rows: number;
  readonly at: string;
}

/** The view on the rows of a stream; kept while the person is in another tab of it. */
export const useRowsView = (knowledgebase: string, summary: StreamSummary | undefined) => {
  const stream = summary?.stream ?? '';
  const isReady = useEngine().state === 'ready';
  const [order, setOrder] = useState<'oldest' | 'newest'>('newest');
  const [filters, setFilters] = useState<readonly Filter[]>([]);
  const [find, setFind] = useState('');
  const [asOf, setAsOf] = useState<AsOf | null>(null);
  const [selected, setSelected] = useState<GridCell | null>(null);

  const rowsNow = summary?.rows;
  useEffect(() => {
    if (rowsNow === undefined || rowsNow === 0) return;
    setAsOf((before) => before ?? { rows: rowsNow, at: new Date().toISOString() });
  }, [rowsNow]);

  const before = asOf?.rows ?? 0;
  const pages = useMemo(
    () =>
      rowPages((offset, limit, signal) =>
        client.streams.rows(
          {
            knowledgebase,
            stream,
            order,
            offset,
            limit,
            before,
            filters: [...filters],
            ...(find === '' ? {} : { find }),
          },
          { signal },
        ),
      ),
    [knowledgebase, stream, order, filters, find, before],
  );
  useEffect(() => () => pages.stop(), [pages]);
  const seen = useSyncExternalStore(pages.watch, pages.seen);
  useEffect(() => {
    if (isReady && pages.seen().fault !== null) pages.retry();
  }, [isReady, pages]);

  const isFiltered = filters.length > 0 || find !== '';
  const total = isFiltered ? seen.total : before;

  /** Takes in what landed since; the selected row stays the selected one. */
  const takeIn = useCallback((): void => {
    if (rowsNow === undefined) return;
    const added = rowsNow - before;
    setAsOf({ rows: rowsNow, at: new Date().toISOString() });
    if (isFiltered) setSelected(null);
    else if (order === 'newest') {
      setSelected((cell) => (cell === null ? null : { ...cell, row: cell.row + added }));
    }
  }, [rowsNow, before, order, isFiltered]);

  /**
   * Shows the row of this number, in landing order, without conditions; false where no row has it. `known` is how many
   * rows there are at least.
   */
  const showRow = useCallback(
    (row: number, known = 0): boolean => {
      const rows = Math.max(before, rowsNow ?? 0, known);
      if (row < 0 || row >= rows) return false;
      setFilters((now) => (now.length === 0 ? now : []));
      setFind('');
      const all = row >= before ? rows : before;
      if (all !== before) setAsOf({ rows: all, at: new Date().toISOString() });
      const index = order === 'oldest' ? row : all - 1 - row;
      setSelected((cell) => ({ row: index, column: cell?.column ?? 0 }));
      return true;
    },
    [before, rowsNow, order],
  );

  const changing = <Value>(set: (value: Value) => void) => {
    return (value: Value): void => {
      setSelected(null);
      set(value);
    };
  };

  return {
    order,
    setOrder: changing(setOrder),
    filters,
    setFilters: changing(setFilters),
    find,
    setFind: changing(setFind),
    isFiltered,
    asOf,
    pages,
    seen,
    total,
    newRows: Math.max(0, (rowsNow ?? 0) - before),
    takeIn,
    showRow,
    selected,
    select: setSelected,
  };
};

export type RowsView = ReturnType<typeof useRowsView>;
