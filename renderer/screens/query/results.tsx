// Owns the answer of a query: the grid with its pages, the error, the panel of plot and chosen cell.
// Never runs a query but for its next page.

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useShortcuts } from '../../app/keys.ts';
import { count } from '../../ui/format.ts';
import { Grid, type GridCell } from '../../ui/grid.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MOST_PLOTTED, PlotPanel } from './plot-panel.tsx';
import { type Answer, fetchMore, type Run, type RunFault } from './runs.ts';
import { typeWord, ValuePanel } from './value-panel.tsx';

const NUMBERS = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL)\b/;

interface ResultsProps {
  readonly knowledgebase: string;
  /** The tab that the answer is of. */
  readonly name: string;
  readonly run: Run;
  readonly isPlotOpen: boolean;
  readonly onPlotClose: () => void;
  readonly onGoTo: (line: number, column: number) => void;
}

/** What a run answered. */
export const Results = (props: ResultsProps) => {
  const { run, onGoTo } = props;
  if (run.state === 'failed' && run.fault) return <Failed fault={run.fault} onGoTo={onGoTo} />;
  if (!run.answer) {
    return <div className="results-none">{run.state === 'none' ? <FirstWords /> : null}</div>;
  }
  const { columns } = run.answer;
  return (
    <Answered
      key={columns.map(({ name, type }) => `${name} ${type}`).join('\n')}
      {...props}
      answer={run.answer}
    />
  );
};

const FirstWords = () => (
  <p className="ink-2">
    Rows appear here. Each stream is a view, <span className="mono">raw_extracted."stream_…"</span>,
    with columns of text that a query casts.
  </p>
);

const Failed = ({
  fault,
  onGoTo,
}: {
  fault: RunFault;
  onGoTo: (line: number, column: number) => void;
}) => {
  const { line, column } = fault;
  return (
    <div className="results-failed" role="alert">
      <div className="grow">
        <pre>{fault.message}</pre>
        <p className="ink-2">{fault.hint}</p>
        {line !== null && column !== null ? (
          <button type="button" className="link-button" onClick={() => onGoTo(line, column)}>
            Go to line {line}, column {column}
          </button>
        ) : null}
      </div>
    </div>
  );
};

const Answered = ({
  knowledgebase,
  name,
  answer,
  isPlotOpen,
  onPlotClose,
}: ResultsProps & { answer: Answer }) => {
  const [selected, setSelected] = useState<GridCell | null>(null);
  const { rows, more, columns } = answer;
  const gridColumns = useMemo(
    () =>
      columns.map(({ name: column, type }) => ({
        name: column,
        type: typeWord(type),
        ...(NUMBERS.test(type)
          ? { align: 'right' as const }
          : type === 'VARCHAR'
            ? {}
            : { align: 'left' as const }),
      })),
    [columns],
  );
  const getRow = useCallback((index: number) => rows[index], [rows]);
  const onRange = useCallback(
    (_: number, to: number) => {
      if (more && to >= rows.length - 50) void fetchMore(name, knowledgebase);
    },
    [more, rows.length, name, knowledgebase],
  );
  useEffect(() => {
    if (isPlotOpen && more && rows.length < MOST_PLOTTED) {
      void fetchMore(name, knowledgebase, MOST_PLOTTED - rows.length);
    }
  }, [isPlotOpen, more, rows.length, name, knowledgebase]);
  const isCellKnown = selected !== null && rows[selected.row] !== undefined;
  const isPanelOpen = isPlotOpen || isCellKnown;
  const onEscape = (): void => {
    if (isPlotOpen && selected === null) onPlotClose();
  };
  useShortcuts({ Escape: onEscape });
  const close = (): void => {
    if (isPlotOpen) onPlotClose();
    setSelected(null);
  };
  return (
    <div className="results">
      {rows.length === 0 ? (
        <p className="results-none ink-2">
          No row matches. Its columns: {columns.map((one) => one.name).join(', ')}.
        </p>
      ) : (
        <Grid
          label="Answer"
          columns={gridColumns}
          rowCount={rows.length}
          rowNumber={(index) => count(index + 1)}
          getRow={getRow}
          onRange={onRange}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {isPanelOpen ? (
        <Panel
          key={isPlotOpen ? 'plot' : 'value'}
          className="results-panel"
          label={isPlotOpen ? 'Plot' : 'Value'}
          name={isPlotOpen ? 'plot' : 'value'}
          first={isPlotOpen ? 456 : 348}
        >
          <ActionIcon
            className="results-close"
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Close the panel"
            onClick={close}
          >
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
          {isPlotOpen ? <PlotPanel answer={answer} /> : null}
          {selected && isCellKnown ? (
            <ValuePanel knowledgebase={knowledgebase} answer={answer} {...selected} />
          ) : null}
        </Panel>
      ) : null}
    </div>
  );
};
