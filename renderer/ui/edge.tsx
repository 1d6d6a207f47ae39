// Owns an edge that is dragged or moved by keys, and the size it gives what lies beside it, kept. Knows nothing of that.

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import './edge.css';

const STEP = 20;

/** An edge makes what lies right of it wider, or what lies above it higher. */
const AXES = {
  width: { lies: 'vertical', more: 'ArrowLeft', less: 'ArrowRight' },
  height: { lies: 'horizontal', more: 'ArrowDown', less: 'ArrowUp' },
} as const;

/** Where a size is kept, the ends it stays between, and what it is until it is changed; in px. */
interface Kept {
  readonly place: string;
  readonly least: number;
  readonly most: number;
  readonly first: number;
}

export interface Size {
  readonly size: number;
  readonly least: number;
  readonly most: number;
  /** Changes it, as far as its ends. */
  readonly onSize: (size: number) => void;
}

/** A size that is kept from one time to the next. */
export const useKeptSize = ({ place, least, most, first }: Kept): Size => {
  const within = (size: number): number => Math.round(Math.max(least, Math.min(most, size)));
  const [size, setSize] = useState(() => within(Number(localStorage.getItem(place)) || first));
  const onSize = (next: number): void => {
    localStorage.setItem(place, String(within(next)));
    setSize(within(next));
  };
  return { size, least, most, onSize };
};

interface EdgeProps extends Size {
  readonly axis: keyof typeof AXES;
  readonly label: string;
}

/** The edge. Arrows move it, Home and End bring it to its ends. */
export const Edge = ({ axis, label, size, least, most, onSize }: EdgeProps) => {
  const { lies, more, less } = AXES[axis];
  const from = useRef<{ at: number; size: number } | null>(null);
  /** Where the pointer is, so that further is larger. */
  const atOf = ({ clientX, clientY }: PointerEvent): number =>
    axis === 'width' ? -clientX : clientY;
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { [more]: size + STEP, [less]: size - STEP, Home: least, End: most }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onSize(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { at: atOf(event), size };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (from.current) onSize(from.current.size + atOf(event) - from.current.at);
  };
  const release = (): void => {
    from.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      className="edge"
      role="separator"
      aria-orientation={lies}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
    />
  );
};
