// Owns a chart of lines on a canvas: coloured from the tokens, as wide as its parent, its crosshair on the points of x.
// Never decides what is drawn.

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './line-chart.css';

const LABEL_PX = 11;
const LEAST_PX = 200;

/** The value of a token in the scheme of now. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--s-${name}`).trim();

/** The font of words that are drawn on the canvas, which counts in the screen's own px. */
export const canvasFont = (weight: number): string =>
  `${weight} ${LABEL_PX * devicePixelRatio}px ${token('font')}`;

/** What one chart draws. */
export interface Drawing {
  /** x, then the values of each line. */
  readonly columns: uPlot.AlignedData;
  readonly lines: readonly uPlot.Series[];
  /** Space around, in px: above, right, below, left. */
  readonly padding: [number, number, number, number];
  readonly heightOf: (width: number) => number;
  readonly scales: uPlot.Scales;
  readonly xAxis: uPlot.Axis;
  readonly yAxis: uPlot.Axis;
  /** How wide the points under the crosshair are, in px. */
  readonly pointPx: number;
  /** Charts of one group share their crosshair. */
  readonly group?: string;
  /** Draws on top of the lines. */
  readonly onDrawn: (chart: uPlot) => void;
}

interface LineChartProps {
  /** What is drawn, made with the colours of now; the chart is made anew when this is another function. */
  readonly draw: () => Drawing;
  readonly label: string;
  /** Hears the place in x under the pointer, null outside. */
  readonly onPoint: (at: number | null) => void;
}

/** The chart. */
export const LineChart = ({ draw, label, onPoint }: LineChartProps) => {
  const place = useRef<HTMLDivElement>(null);
  const hear = useRef(onPoint);
  hear.current = onPoint;
  const scheme = useComputedColorScheme('light');
  // The colours of the canvas are read from the tokens, so a change of scheme draws it anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const parent = place.current as HTMLDivElement;
    const drawing = draw();
    const size = (): { width: number; height: number } => ({
      width: Math.max(LEAST_PX, parent.clientWidth),
      height: drawing.heightOf(parent.clientWidth),
    });
    const options = { ...size(), ...optionsOf(drawing, (at) => hear.current(at)) };
    const chart = new uPlot(options, drawing.columns, parent);
    const observer = new ResizeObserver(() => chart.setSize(size()));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [draw, scheme]);
  return <div ref={place} className="line-chart" role="img" aria-label={label} />;
};

const optionsOf = (
  { lines, padding, scales, xAxis, yAxis, pointPx, group, onDrawn }: Drawing,
  onPoint: (at: number | null) => void,
): Omit<uPlot.Options, 'width' | 'height'> => {
  const axis: uPlot.Axis = {
    stroke: token('ink-3'),
    font: `500 ${LABEL_PX}px ${token('font')}`,
    ticks: { show: false },
  };
  return {
    padding,
    scales,
    legend: { show: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    axes: [
      {
        ...axis,
        grid: { show: false },
        border: { show: true, stroke: token('line-2'), width: 1 },
        ...xAxis,
      },
      { ...axis, grid: { stroke: token('line-soft'), width: 1 }, ...yAxis },
    ],
    series: [{}, ...lines.map((line) => ({ width: 1.5, ...line }))],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: pointPx },
      ...(group === undefined ? {} : { sync: { key: group } }),
      move: (chart, left, top) => {
        if (left < 0) return [left, top];
        const at = chart.data[0][chart.posToIdx(left)];
        return [at === undefined ? left : chart.valToPos(at, 'x'), top];
      },
    },
    hooks: {
      setCursor: [
        ({ cursor: { left, idx } }) =>
          onPoint(left === undefined || left < 0 ? null : (idx ?? null)),
      ],
      draw: [onDrawn],
    },
  };
};
