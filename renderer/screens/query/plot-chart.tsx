// Owns drawing the plot: lines with colour and dash from the tokens, names at their ends.
// Never decides what is plotted.

import { useCallback } from 'react';
import type uPlot from 'uplot';
import { shortCount } from '../../ui/format.ts';
import { canvasFont, type Drawing, LineChart, token } from '../../ui/line-chart.tsx';
import { isCount, type PlotData, timeLabels } from './plot-data.ts';

const DASHES = [[], [6, 3], [], [2, 2], [8, 2, 2, 2], [4, 4]];
const NAME_PX = 14;

/** The plot; it fills its parent's width. `onPoint` hears the place in x under the pointer, null outside. */
export const PlotChart = ({
  data,
  isTime,
  label,
  onPoint,
}: {
  data: PlotData;
  isTime: boolean;
  label: string;
  onPoint: (at: number | null) => void;
}) => {
  const draw = useCallback(() => drawingOf(data, isTime), [data, isTime]);
  return <LineChart draw={draw} label={label} onPoint={onPoint} />;
};

const drawingOf = (data: PlotData, isTime: boolean): Drawing => {
  const widest = Math.max(0, ...data.lines.map(({ name }) => shortName(name).length));
  return {
    columns: [data.x, ...data.lines.map(({ values }) => values)] as uPlot.AlignedData,
    lines: data.lines.map(({ name }, at) => ({
      label: name,
      stroke: token(`series-${at + 1}`),
      dash: DASHES[at] ?? [],
      points: { show: data.x.length < 2 },
    })),
    heightOf: (width) => Math.max(180, Math.min(320, Math.round(width * 0.72))),
    padding: [12, widest === 0 ? 16 : Math.min(104, widest * 6.4 + 14), 0, 0],
    scales: {
      x: { time: isTime },
      ...(isCount(data)
        ? { y: { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1 } } } }
        : {}),
    },
    xAxis: {
      size: 28,
      space: 64,
      ...(isTime ? { values: (_: uPlot, splits: number[]) => timeLabels(splits) } : {}),
    },
    yAxis: {
      size: 46,
      space: 36,
      values: (_, splits) =>
        splits.map((at) => (Math.abs(at) >= 10_000 ? shortCount(at) : String(at))),
    },
    pointPx: 7,
    onDrawn: drawNames,
  };
};

const shortName = (name: string): string => (name.length > 15 ? `${name.slice(0, 14)}…` : name);

/** Writes each line's name at its end; names that would touch are moved apart. */
const drawNames = (plot: uPlot): void => {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const names = plot.series.slice(1).flatMap((series, at) => {
    const values = plot.data[at + 1] ?? [];
    const last = values.findLastIndex((value) => typeof value === 'number');
    if (last === -1 || !series.label) return [];
    const y = plot.valToPos(values[last] as number, 'y', true);
    return [{ name: shortName(String(series.label)), y }];
  });
  names.sort((one, other) => one.y - other.y);
  for (const [at, name] of names.entries()) {
    const before = names[at - 1];
    if (before) name.y = Math.max(name.y, before.y + NAME_PX * ratio);
  }
  const below = (names.at(-1)?.y ?? 0) - (bbox.top + bbox.height);
  if (below > 0) for (const name of names) name.y -= below;
  ctx.save();
  ctx.font = canvasFont(500);
  ctx.fillStyle = token('ink-2');
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { name, y } of names) ctx.fillText(name, bbox.left + bbox.width + 6 * ratio, y);
  ctx.restore();
};
