// Owns how lost time is drawn: hatched, never as zero.

import { useId } from 'react';

/** A stretch of time in which nothing is known. */
export const Lost = ({ width, height }: { width: number; height: number }) => {
  const id = useId();
  return (
    <svg width={width} height={height} aria-hidden="true">
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
      <rect x="2" width={width - 2} height={height} fill={`url(#${id})`} />
    </svg>
  );
};
