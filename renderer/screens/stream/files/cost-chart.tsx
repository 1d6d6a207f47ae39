// Owns drawing one line over time with marks at compactions, from the tokens; charts share their crosshair.
// Never decides what is drawn.

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { shortCount } from '../../../ui/format.ts';
import { type CostPlot, momentLabels } from './cost-data.ts';

const HIGH = { files: 112, groupBy: 116 } as const;
const AXIS = 42;
/** Between a mark and its word. */
const WORD_PX = 5;
const crosshair = uPlot.sync('files');

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--s-${name}`).trim();

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
      height: HIGH[of],
    });
    const drawn = new uPlot(
      options(plot, of, size(), (at) => hear.current(at)),
      [[...plot.x], [...plot[of]]],
      parent,
    );
    crosshair.sub(drawn);
    const observer = new ResizeObserver(() => drawn.setSize(size()));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      crosshair.unsub(drawn);
      drawn.destroy();
    };
  }, [plot, of, scheme]);
  return <div ref={place} className="cost-chart" role="img" aria-label={label} />;
};

const options = (
  plot: CostPlot,
  of: 'files' | 'groupBy',
  size: { width: number; height: number },
  onPoint: (at: number | null) => void,
): uPlot.Options => {
  const axis = {
    stroke: token('ink-3'),
    font: `500 11px ${token('font')}`,
    ticks: { show: false },
  };
  const isLast = of === 'groupBy';
  const isFiles = of === 'files';
  return {
    ...size,
    padding: [8, 24, isLast ? 0 : 6, 0],
    legend: { show: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    scales: {
      x: { time: true, range: [plot.from, plot.to] },
      y: {
        range: (_, __, most) => [0, (isFiles ? Math.max(2, most) : most > 0 ? most : 1) * 1.12],
      },
    },
    axes: [
      {
        ...axis,
        size: isLast ? 26 : 0,
        space: 72,
        grid: { show: false },
        border: { show: true, stroke: token('line-2'), width: 1 },
        values: (_, splits) => (isLast ? momentLabels(splits, plot.to - plot.from) : []),
      },
      {
        ...axis,
        size: AXIS,
        space: 32,
        grid: { stroke: token('line-soft'), width: 1 },
        ...(isFiles ? { incrs: WHOLE } : {}),
        values: (_, splits) => splits.map((at) => (isFiles ? shortCount(at) : String(at))),
      },
    ],
    series: [
      {},
      {
        stroke: token(isFiles ? 'bed-3' : 'ink-2'),
        ...(isFiles ? { fill: `${token('bed-1')}99` } : {}),
        width: 1.5,
        spanGaps: true,
        points: { show: plot[of].filter((value) => value !== null).length < 2, size: 5 },
      },
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 6 },
      sync: { key: crosshair.key },
      move: (drawn, left, top) => {
        if (left < 0) return [left, top];
        const at = drawn.data[0][drawn.posToIdx(left)];
        return [at === undefined ? left : drawn.valToPos(at, 'x'), top];
      },
    },
    hooks: {
      setCursor: [
        ({ cursor: { left, idx } }) =>
          onPoint(left === undefined || left < 0 ? null : (idx ?? null)),
      ],
      draw: [(drawn) => drawMarks(drawn, plot, isFiles)],
    },
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
  ctx.font = `400 ${11 * ratio}px ${token('font')}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  let free = Number.NEGATIVE_INFINITY;
  for (const { at, word } of marks) {
    const x = Math.round(drawn.valToPos(at, 'x', true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - (hasWords ? 6 * ratio : 8 * ratio));
    ctx.lineTo(x, bbox.top + bbox.height + (hasWords ? 6 * ratio : 0));
    ctx.stroke();
    if (!hasWords) continue;
    const wide = ctx.measureText(word).width;
    const isRight = x + wide + WORD_PX * ratio < bbox.left + bbox.width;
    const left = isRight ? x + WORD_PX * ratio : x - WORD_PX * ratio - wide;
    // Words that would touch the one before are left out; the line stands for itself.
    if (left < free) continue;
    ctx.fillText(word, left, bbox.top - WORD_PX * ratio);
    free = left + wide + 2 * WORD_PX * ratio;
  }
  ctx.restore();
};
