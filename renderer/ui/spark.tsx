// Owns sparklines: a quiet line over its fill, only the last point in a status colour. Never has an axis.

interface SparkProps {
  /** Oldest first. */
  readonly values: readonly number[];
  readonly width: number;
  readonly height: number;
  /** The token of the last point's colour; none for a line that has stopped. */
  readonly end?: string | undefined;
}

/** A sparkline from zero to its own highest value. */
export const Spark = ({ values, width, height, end }: SparkProps) => {
  const most = Math.max(...values, 0);
  if (values.length < 2 || most === 0)
    return <svg width={width} height={height} aria-hidden="true" />;
  const top = 3;
  const usable = width - 4;
  const points = values.map((value, index): [number, number] => [
    (index / (values.length - 1)) * usable,
    height - 1 - (value / most) * (height - top - 1),
  ]);
  const path = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
  const [x, y] = points.at(-1) as [number, number];
  return (
    <svg width={width} height={height} aria-hidden="true">
      <path d={`M0 ${height}L${path}L${usable} ${height}Z`} fill="var(--s-spark-fill)" />
      <path d={`M${path}`} fill="none" stroke="var(--s-spark)" strokeWidth="1.2" />
      {end ? <circle cx={x} cy={y} r="2" fill={`var(--s-${end})`} /> : null}
    </svg>
  );
};
