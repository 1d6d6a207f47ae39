// Owns small bars of counts over time: a bar where there is something, a dash where there is nothing. Never has an axis.

interface SparkBarsProps {
  /** Oldest first. */
  readonly values: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The bars, from zero to their own highest value. */
export const SparkBars = ({ values, width, height }: SparkBarsProps) => {
  const most = Math.max(...values, 1);
  const step = width / Math.max(1, values.length);
  return (
    <svg width={width} height={height} aria-hidden="true">
      {values.map((value, at) => {
        const high = value === 0 ? 1 : Math.max(2, Math.round((value / most) * height));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no name but its place.
            key={at}
            x={at * step + 0.5}
            y={height - high}
            width={step - 1}
            height={high}
            fill={value === 0 ? 'var(--s-line-2)' : 'var(--s-spark)'}
          />
        );
      })}
    </svg>
  );
};
