// Owns drawing the plot: lines with colour and dash from the tokens, names at their ends, a crosshair on rows.
// Never decides what is plotted.

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { shortCount } from '../../ui/format.ts';
import { isCount, type PlotData, timeLabels } from './plot-data.ts';

const DASHES = [[], [6, 3], [], [2, 2], [8, 2, 2, 2], [4, 4]];
const LABEL_PX = 14;
const LABEL_FONT = '500 11px';

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--s-${name}`).trim();

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
  const place = useRef<HTMLDivElement>(null);
  const hear = useRef(onPoint);
  hear.current = onPoint;
  const scheme = useComputedColorScheme('light');
  // The colours of the canvas are read from the tokens, so a change of scheme draws it anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const parent = place.current as HTMLDivElement;
    const size = (): { width: number; height: number } => ({
      width: Math.max(200, parent.clientWidth),
      height: Math.max(180, Math.min(320, Math.round(parent.clientWidth * 0.72))),
    });
    const columns = [data.x, ...data.lines.map(({ values }) => values)] as uPlot.AlignedData;
    const plot = new uPlot(
      options(data, isTime, size(), (at) => hear.current(at)),
      columns,
      parent,
    );
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, isTime, scheme]);
  return <div ref={place} className="plot-chart" role="img" aria-label={label} />;
};

const options = (
  data: PlotData,
  isTime: boolean,
  size: { width: number; height: number },
  onPoint: (at: number | null) => void,
): uPlot.Options => {
  const font = `500 11px ${token('font')}`;
  const axis = { stroke: token('ink-3'), font, ticks: { show: false } };
  const named = data.lines.filter(({ name }) => name !== '');
  const widest = Math.max(0, ...named.map(({ name }) => shortName(name).length));
  const fromZero = isCount(data);
  return {
    ...size,
    padding: [12, widest === 0 ? 16 : Math.min(104, widest * 6.4 + 14), 0, 0],
    legend: { show: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    scales: {
      x: { time: isTime },
      ...(fromZero
        ? { y: { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1 } } } }
        : {}),
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 64,
        grid: { show: false },
        border: { show: true, stroke: token('line-2'), width: 1 },
        ...(isTime ? { values: (_: uPlot, splits: number[]) => timeLabels(splits) } : {}),
      },
      {
        ...axis,
        size: 46,
        space: 36,
        grid: { stroke: token('line-soft'), width: 1 },
        values: (_, splits) =>
          splits.map((at) => (Math.abs(at) >= 10_000 ? shortCount(at) : String(at))),
      },
    ],
    series: [
      {},
      ...data.lines.map(({ name }, at) => ({
        label: name,
        stroke: token(`series-${at + 1}`),
        width: 1.5,
        dash: DASHES[at] ?? [],
        points: { show: data.x.length < 2 },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      move: (plot, left, top) => {
        if (left < 0) return [left, top];
        const at = plot.data[0][plot.posToIdx(left)];
        return [at === undefined ? left : plot.valToPos(at, 'x'), top];
      },
    },
    hooks: {
      setCursor: [
        (plot) =>
          onPoint(
            plot.cursor.left === undefined || plot.cursor.left < 0
              ? null
              : (plot.cursor.idx ?? null),
          ),
      ],
      draw: [drawNames],
    },
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
    if (before) name.y = Math.max(name.y, before.y + LABEL_PX * ratio);
  }
  const below = (names.at(-1)?.y ?? 0) - (bbox.top + bbox.height);
  if (below > 0) for (const name of names) name.y -= below;
  ctx.save();
  ctx.font = `${LABEL_FONT.replace('11px', `${11 * ratio}px`)} ${token('font')}`;
  ctx.fillStyle = token('ink-2');
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { name, y } of names) ctx.fillText(name, bbox.left + bbox.width + 6 * ratio, y);
  ctx.restore();
};
