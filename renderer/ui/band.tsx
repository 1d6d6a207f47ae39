// Owns the strata band: files drawn as layers, always to scale. Never drawn without its facts in words beside it.

import { useId } from 'react';

/** A layer: how many rows it has, and whether it is solid (compacted), quiet (the same, in a scrollbar), loose, or chosen. */
export interface Layer {
  readonly rows: number;
  readonly kind: 'loose' | 'solid' | 'quiet' | 'chosen';
}

interface BandProps {
  /** Oldest first. */
  readonly layers: readonly Layer[];
  readonly width: number;
  readonly height: number;
  readonly direction?: 'horizontal' | 'vertical';
}

/** Positions of the layers along `length` px; more than one a px are gathered into a hatch. */
const layOut = (layers: readonly Layer[], length: number) => {
  const total = layers.reduce((sum, { rows }) => sum + rows, 0);
  if (total === 0) return [];
  const beds: { at: number; size: number; kind: Layer['kind']; hatched: boolean }[] = [];
  let at = 0;
  for (const { rows, kind } of layers) {
    const size = (rows / total) * length;
    const last = beds.at(-1);
    if (size < 2 && last?.kind === kind && (last.hatched || last.size < 2)) {
      last.size += size;
      last.hatched = true;
    } else beds.push({ at, size, kind, hatched: false });
    at += size;
  }
  return beds;
};

/** The band. One px stands between layers, and a layer is at least one px. */
export const Band = ({ layers, width, height, direction = 'horizontal' }: BandProps) => {
  // An id of its own: a pattern in a band that is not displayed would draw nothing in the others.
  const hatch = useId();
  const isFlat = direction === 'horizontal';
  const length = isFlat ? width : height;
  const beds = layOut(layers, length);
  return (
    <svg className="band" width={width} height={height} aria-hidden="true">
      {beds.map(({ at, size, kind, hatched }, index) => {
        const long = Math.max(1, size - (size > 2 ? 1 : 0));
        // Newest on the right, or on top.
        const place = isFlat
          ? { x: at, y: 0, width: long, height }
          : { x: 0, y: length - at - long, width, height: long };
        return (
          <rect
            key={`${at}-${kind}`}
            {...place}
            rx={size > 3 ? 1 : 0}
            fill={fillOf(kind, index, hatched ? hatch : null)}
          />
        );
      })}
      <defs>
        {isFlat ? (
          <pattern id={hatch} width="2" height="4" patternUnits="userSpaceOnUse">
            <rect width="1" height="4" fill="var(--s-bed-2)" />
            <rect x="1" width="1" height="4" fill="var(--s-bed-1)" />
          </pattern>
        ) : (
          <pattern id={hatch} width="4" height="2" patternUnits="userSpaceOnUse">
            <rect width="4" height="1" fill="var(--s-bed-2)" />
            <rect y="1" width="4" height="1" fill="var(--s-bed-1)" />
          </pattern>
        )}
      </defs>
    </svg>
  );
};

const fillOf = (kind: Layer['kind'], index: number, hatch: string | null): string => {
  if (kind === 'chosen') return 'var(--s-vein)';
  if (kind === 'solid') return 'var(--s-bed-3)';
  if (kind === 'quiet') return 'var(--s-bed-2)';
  if (hatch !== null) return `url(#${hatch})`;
  return index % 2 === 0 ? 'var(--s-bed-2)' : 'var(--s-bed-1)';
};
