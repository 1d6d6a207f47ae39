// Owns the Rows tab: the grid on the rows, and the panel on the chosen cell.
// Never formats a value, and never pushes in rows by itself.

import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { client, faultOf } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useEngine } from '../../app/live.ts';
import { go } from '../../app/router.ts';
import { count } from '../../ui/format.ts';
import { Grid } from '../../ui/grid.tsx';
import { Empty, Loading, Strip } from '../../ui/parts.tsx';
import { CellPanel } from './cell-panel.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { type Draft, withFilter } from './filters.ts';
import { rowOfLine } from './row-of-line.ts';
import { RowsToolbar } from './rows-toolbar.tsx';
import type { RowsView } from './use-rows-view.ts';
import { useStrata } from './use-strata.ts';

interface RowsTabProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  readonly view: RowsView;
  readonly at: string | null;
}

/** The rows of a stream. */
export const RowsTab = ({ knowledgebase, summary, view, at }: RowsTabProps) => {
  const { pages, seen, order, filters, isFiltered, asOf, selected, select } = view;
  const isReady = useEngine().state === 'ready';
  const panel = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [missing, setMissing] = useShownRow(knowledgebase, summary.stream, at, view);

  // A new function whenever rows arrived, so that the grid looks again.
  const getRow = useCallback((index: number) => seen.row(index)?.values, [seen]);
  const columns = useColumns(seen.columns);
  const before = asOf?.rows ?? 0;
  const rowNumber = useCallback(
    (index: number): string => {
      if (isFiltered) {
        const match = seen.row(index);
        return match ? count(match.row) : '';
      }
      return count(order === 'newest' ? before - 1 - index : index);
    },
    [isFiltered, order, before, seen],
  );
  const row = selected === null ? undefined : seen.row(selected.row);
  const chosenBatch = row?.batchId;
  const gutter = useCallback(
    (index: number) => {
      const batchId = seen.row(index)?.batchId;
      if (batchId === undefined) return null;
      return batchId === chosenBatch ? 'vein' : seen.bed(batchId);
    },
    [seen, chosenBatch],
  );
  useShortcuts({
    p: () => {
      panel.current?.focus();
      panel.current?.querySelector('.where-zoom')?.scrollIntoView({ block: 'nearest' });
    },
  });
  const strata = useStrata(knowledgebase, summary, view);
  const total = view.total;
  const column = selected === null ? undefined : columns[selected.column]?.name;
  const value = selected === null ? undefined : row?.values[selected.column];
  return (
    <>
      <RowsToolbar summary={summary} view={view} draft={draft} onDraft={setDraft} />
      {seen.fault !== null && isReady ? (
        <Strip
          tone="bad"
          what={faultOf(seen.fault).message}
          actions={
            <Button variant="default" onClick={() => pages.retry()}>
              Try again
            </Button>
          }
        >
          {faultOf(seen.fault).hint}
        </Strip>
      ) : null}
      {missing === null ? null : (
        <Strip
          tone="warn"
          what={missing}
          actions={
            <Button
              variant="default"
              onClick={() => {
                setMissing(null);
                go({ screen: 'stream', stream: summary.stream, tab: 'rows', at: null });
              }}
            >
              Close
            </Button>
          }
        >
          The address names it. All rows are below.
        </Strip>
      )}
      <div className="split stream-split">
        <div className="rows-frame">
          {columns.length === 0 ? (
            <FirstPage view={view} />
          ) : (
            <Grid
              label={`Rows of ${summary.stream}`}
              columns={columns}
              rowCount={total ?? 0}
              startKey={`${order} ${before} ${JSON.stringify(filters)} ${view.find}`}
              rowNumber={rowNumber}
              getRow={getRow}
              onRange={pages.want}
              selected={selected}
              onSelect={select}
              onOpen={() => panel.current?.focus()}
              gutter={gutter}
              strata={strata.scrollbar}
              headMenu={(index) => (
                <ColumnMenu
                  column={columns[index]?.name ?? ''}
                  value={index === selected?.column ? value : undefined}
                  onFilter={(filter) => view.setFilters(withFilter(filters, filter))}
                  onDraft={setDraft}
                />
              )}
            />
          )}
          {total === 0 || ((total === null || columns.length === 0) && seen.fault === null) ? (
            <div className="rows-over">
              {total === 0 ? (
                <NoMatch summary={summary} view={view} />
              ) : (
                <Loading>
                  {isFiltered ? `Looking through ${count(summary.rows)} rows` : 'Reading rows'}
                </Loading>
              )}
            </div>
          ) : null}
        </div>
        {row && column !== undefined && value !== undefined ? (
          <CellPanel
            ref={panel}
            knowledgebase={knowledgebase}
            summary={summary}
            column={column}
            row={row}
            number={row.row}
            files={strata.files}
            value={value}
            onClose={() => select(null)}
            onShowRow={view.showRow}
          />
        ) : null}
      </div>
    </>
  );
};

/** Asks for the first page, from which the grid learns its columns. */
const FirstPage = ({ view: { pages } }: { view: RowsView }) => {
  useEffect(() => pages.want(0, 100), [pages]);
  return null;
};

const NoMatch = ({ summary, view }: { summary: StreamSummary; view: RowsView }) => (
  <Empty
    what="No row matches"
    why={`${count(summary.rows)} rows without the ${view.filters.length > 0 ? 'filter' : 'search'}.`}
  >
    <Button
      variant="default"
      onClick={() => {
        view.setFilters([]);
        view.setFind('');
      }}
    >
      Show all rows
    </Button>
  </Empty>
);

/** The columns; those of the view before while a new one has not answered, so that the grid stays. */
const useColumns = (names: readonly string[]) => {
  const [kept, keep] = useState<readonly { readonly name: string }[]>([]);
  const isOther =
    names.length > 0 &&
    (names.length !== kept.length || names.some((name, at) => name !== kept[at]?.name));
  if (isOther) keep(names.map((name) => ({ name })));
  return kept;
};

/** Goes to the row or the batch that the address names, once; then the address is that of the rows. */
const useShownRow = (
  knowledgebase: string,
  stream: string,
  at: string | null,
  { asOf, showRow }: RowsView,
) => {
  const isOpen = asOf !== null;
  const [missing, setMissing] = useState<string | null>(null);
  const show = useRef(showRow);
  show.current = showRow;
  useEffect(() => {
    if (at === null || !isOpen) return;
    const none = (error: unknown): void => setMissing(faultOf(error).message);
    const done = async (row: number): Promise<void> => {
      setMissing(null);
      if (!show.current(row)) {
        // It may have landed since the rows were counted.
        show.current(row, (await client.streams.get({ knowledgebase, stream })).rows);
      }
      go({ screen: 'stream', stream, tab: 'rows', at: null });
    };
    const lineAt = async (offset: number): Promise<number | undefined> =>
      (await client.streams.rows({ knowledgebase, stream, offset, limit: 1 })).rows[0]?.line;
    const row = /^row:(\d+)$/.exec(at);
    if (row) {
      done(Number(row[1])).catch(none);
      return;
    }
    const line = /^line:([^:]+):(\d+)$/.exec(at);
    if (line) {
      client.streams
        .batch({ knowledgebase, stream, batchId: line[1] as string })
        .then((batch) => rowOfLine(batch, Number(line[2]), lineAt))
        .then(done)
        .catch(none);
      return;
    }
    client.streams
      .batch({ knowledgebase, stream, batchId: at })
      .then(({ firstRow }) => done(firstRow))
      .catch((error) => (/^\d+$/.test(at) ? done(Number(at)) : none(error)))
      .catch(none);
  }, [at, isOpen, knowledgebase, stream]);
  return [missing, setMissing] as const;
};
