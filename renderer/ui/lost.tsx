// Owns how lost time is drawn: hatched, never as zero. Knows nothing of what was lost.

import { useId } from 'react';

/** A hatched stretch within a drawing. */
export const LostStretch = ({
  x = 0,
  width,
  height,
}: {
  x?: number;
  width: number;
  height: number;
}) => {
  const id = useId();
  return (
    <>
      <defs>
        <pattern
          id={id}
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="1" height="4" fill="var(--s-line-2)" />
        </pattern>
      </defs>
      <rect x={x} width={Math.max(0, width)} height={height} fill={`url(#${id})`} />
    </>
  );
};

/** A stretch of time in which nothing is known, as a drawing of its own. */
export const Lost = ({ width, height }: { width: number; height: number }) => (
  <svg width={width} height={height} aria-hidden="true">
    <LostStretch x={2} width={width - 2} height={height} />
  </svg>
);
