// Owns sparklines: a quiet line over its fill, only the last point in a status colour. Never has an axis.

import { LostStretch } from './lost.tsx';

interface SparkProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** How many of the oldest are not known; they are hatched, whatever stands in `values`. */
  readonly lost?: number;
  readonly width: number;
  readonly height: number;
  /** The token of the last point's colour; none for a line that has stopped. */
  readonly end?: string | undefined;
}

/** A sparkline from zero to its own highest value. */
export const Spark = ({ values, lost = 0, width, height, end }: SparkProps) => {
  const known = values.slice(lost);
  const most = Math.max(...known, 0);
  const top = 3;
  const usable = width - 4;
  const xOf = (index: number): number => (index / Math.max(1, values.length - 1)) * usable;
  const stretch =
    lost > 0 && values.length > 1 ? (
      <LostStretch width={known.length === 0 ? usable : xOf(lost) - 1} height={height} />
    ) : null;
  if (known.length < 2 || most === 0) {
    return (
      <svg width={width} height={height} aria-hidden="true">
        {stretch}
      </svg>
    );
  }
  const points = known.map((value, index): [number, number] => [
    xOf(index + lost),
    height - 1 - (value / most) * (height - top - 1),
  ]);
  const path = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
  const [first] = points[0] as [number, number];
  const [x, y] = points.at(-1) as [number, number];
  return (
    <svg width={width} height={height} aria-hidden="true">
      {stretch}
      <path
        d={`M${first.toFixed(1)} ${height}L${path}L${usable} ${height}Z`}
        fill="var(--s-spark-fill)"
      />
      <path d={`M${path}`} fill="none" stroke="var(--s-spark)" strokeWidth="1.2" />
      {end ? <circle cx={x} cy={y} r="2" fill={`var(--s-${end})`} /> : null}
    </svg>
  );
};
