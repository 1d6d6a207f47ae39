// Owns choosing what is plotted from an answer, and the values under the crosshair. Never draws.

import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { count } from '../../ui/format.ts';
import { PlotChart } from './plot-chart.tsx';
import { likelyChoice, MOST_LINES, type PlotChoice, plotData, readingOf } from './plot-data.ts';
import type { Answer } from './runs.ts';

/** Most rows that are drawn. */
export const MOST_PLOTTED = 10_000;

/** The plot of an answer. */
export const PlotPanel = ({ answer }: { answer: Answer }) => {
  const { columns } = answer;
  const rows = useMemo(() => answer.rows.slice(0, MOST_PLOTTED), [answer.rows]);
  const readings = useMemo(() => columns.map((_, at) => readingOf(rows, at)), [columns, rows]);
  const likely = useMemo(() => likelyChoice(columns, rows), [columns, rows]);
  const [picked, setPicked] = useState<Partial<PlotChoice>>({});
  const [point, setPoint] = useState<number | null>(null);
  const choice = useMemo(() => likely && { ...likely, ...picked }, [likely, picked]);
  const data = useMemo(() => choice && plotData(rows, choice), [rows, choice]);
  if (!choice || !data) {
    return (
      <p className="panel-words">
        Nothing here can be drawn: a plot needs a column of numbers over another of numbers or
        times. Cast text with TRY_CAST in the query.
      </p>
    );
  }
  const nameOf = (at: number): string => columns[at]?.name ?? '';
  const items = (wanted: (at: number) => boolean) =>
    columns.flatMap(({ name }, at) => (wanted(at) ? [{ value: String(at), label: name }] : []));
  const isNumber = (at: number): boolean => readings[at] === 'number';
  const by = choice.by;
  const words = `${nameOf(choice.y)} over ${nameOf(choice.x)}${by === null ? '' : ` by ${nameOf(by)}`}`;
  return (
    <div className="plot">
      <div className="plot-choice">
        <Pick
          label="Values"
          value={choice.y}
          items={items(isNumber)}
          onPick={(y) => setPicked({ ...picked, y: y ?? choice.y })}
        />
        <span className="ink-2">over</span>
        <Pick
          label="Over"
          value={choice.x}
          items={items((at) => readings[at] !== undefined)}
          onPick={(x) => setPicked({ ...picked, x: x ?? choice.x })}
        />
        <span className="ink-2">by</span>
        <Pick
          label="By"
          value={by}
          none="nothing"
          items={items((at) => at !== choice.x && at !== choice.y)}
          onPick={(next) => setPicked({ ...picked, by: next })}
        />
      </div>
      <PlotChart
        data={data}
        isTime={readings[choice.x] === 'time'}
        label={`${words}, ${data.lines.length === 1 ? '1 line' : `${data.lines.length} lines`}`}
        onPoint={setPoint}
      />
      <p className="plot-point mono" aria-hidden={point === null}>
        {point === null ? (
          <PlotNote answer={answer} drawn={rows.length} groups={data.groups} />
        ) : (
          <>
            <span>{textAt(answer, data.lines, point, choice.x)}</span>
            {data.lines.map(({ name, rows: at }) => {
              const row = at[point];
              if (row === undefined) return null;
              return (
                <span key={name}>
                  <span className="ink-3">{name === '' ? nameOf(choice.y) : name}</span>{' '}
                  {answer.rows[row]?.[choice.y] ?? 'null'}
                </span>
              );
            })}
          </>
        )}
      </p>
    </div>
  );
};

/** The text of x at a place: that of the first row which stands there. */
const textAt = (
  { rows }: Answer,
  lines: readonly { readonly rows: readonly (number | undefined)[] }[],
  point: number,
  x: number,
): string => {
  const row = lines.map(({ rows: at }) => at[point]).find((at) => at !== undefined);
  return row === undefined ? '' : (rows[row]?.[x] ?? '');
};

const PlotNote = ({ answer, drawn, groups }: { answer: Answer; drawn: number; groups: number }) => {
  const isPart = answer.more || drawn < answer.rows.length;
  const words = [
    ...(isPart ? [`first ${count(drawn)} rows`] : []),
    ...(groups > MOST_LINES ? [`first ${MOST_LINES} of ${count(groups)} groups`] : []),
  ];
  return <span className="plot-note">{words.join(', ')}</span>;
};

const Pick = ({
  label,
  value,
  items,
  none,
  onPick,
}: {
  label: string;
  value: number | null;
  items: { value: string; label: string }[];
  none?: string;
  onPick: (column: number | null) => void;
}) => (
  <Select
    aria-label={label}
    className="plot-pick"
    value={value === null ? '' : String(value)}
    data={none === undefined ? items : [{ value: '', label: none }, ...items]}
    allowDeselect={false}
    comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    onChange={(next) => onPick(next === null || next === '' ? null : Number(next))}
  />
);
