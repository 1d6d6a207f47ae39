// Owns drawing one line over time with marks at compactions; its charts share their crosshair.
// Never decides what is drawn.

import { useCallback } from 'react';
import type uPlot from 'uplot';
import { shortCount } from '../../../ui/format.ts';
import { canvasFont, type Drawing, LineChart, token } from '../../../ui/line-chart.tsx';
import { type CostPlot, momentLabels, mostOf, wordPlaces } from './cost-data.ts';

const HIGH = { files: 112, groupBy: 116 } as const;
const AXIS = 42;
/** Between a mark and its word. */
const WORD_PX = 5;

/** The chart; it fills its parent's width. `onPoint` hears the place in x under the pointer, null outside. */
export const CostChart = ({
  plot,
  of,
  label,
  onPoint,
}: {
  plot: CostPlot;
  of: 'files' | 'groupBy';
  label: string;
  onPoint: (at: number | null) => void;
}) => {
  const draw = useCallback(() => drawingOf(plot, of), [plot, of]);
  return <LineChart draw={draw} label={label} onPoint={onPoint} />;
};

const drawingOf = (plot: CostPlot, of: 'files' | 'groupBy'): Drawing => {
  const isLast = of === 'groupBy';
  const isFiles = of === 'files';
  const most = mostOf(plot, of);
  return {
    columns: [[...plot.x], [...plot[of]]],
    lines: [
      {
        stroke: token(isFiles ? 'bed-3' : 'ink-2'),
        ...(isFiles ? { fill: `${token('bed-1')}99` } : {}),
        spanGaps: true,
        points: { show: plot[of].filter((value) => value !== null).length < 2, size: 5 },
      },
    ],
    heightOf: () => HIGH[of],
    padding: [8, 24, isLast ? 0 : 6, 0],
    scales: {
      x: { time: true, range: [plot.from, plot.to] },
      y: {
        range: () => [0, (isFiles ? Math.max(2, most) : most > 0 ? most : 1) * 1.12],
      },
    },
    xAxis: {
      size: isLast ? 26 : 0,
      space: 72,
      values: (_, splits) => (isLast ? momentLabels(splits, plot.to - plot.from) : []),
    },
    yAxis: {
      size: AXIS,
      space: 32,
      ...(isFiles ? { incrs: WHOLE } : {}),
      values: (_, splits) =>
        splits.map((at) => (Number.isInteger(at) ? shortCount(at) : String(at))),
    },
    pointPx: 6,
    group: 'files',
    onDrawn: (drawn) => drawMarks(drawn, plot, isFiles),
  };
};

/** Files are whole. */
const WHOLE = [1, 2, 5]
  .flatMap((one) => [0, 1, 2, 3, 4, 5, 6].map((power) => one * 10 ** power))
  .sort((one, other) => one - other);

/** A dotted line at each compaction, with its word in the upper chart. */
const drawMarks = (drawn: uPlot, { marks }: CostPlot, hasWords: boolean): void => {
  const { ctx, bbox } = drawn;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = token('accent-mark');
  ctx.fillStyle = token('accent-text');
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.font = canvasFont(400);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const lines = marks.map(({ at, word }) => ({
    word,
    x: Math.round(drawn.valToPos(at, 'x', true)) + 0.5,
    wide: ctx.measureText(word).width,
  }));
  for (const { x } of lines) {
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - (hasWords ? 6 * ratio : 8 * ratio));
    ctx.lineTo(x, bbox.top + bbox.height + (hasWords ? 6 * ratio : 0));
    ctx.stroke();
  }
  if (hasWords) {
    const room = { from: bbox.left, to: bbox.left + bbox.width, gap: WORD_PX * ratio };
    for (const [at, left] of wordPlaces(lines, room).entries()) {
      if (left !== null) ctx.fillText(lines[at]?.word ?? '', left, bbox.top - WORD_PX * ratio);
    }
  }
  ctx.restore();
};
