// Owns the scrollbar that is a strata band: what is scrolled through, drawn as its layers, the part in view framed.
// For the pointer alone: the grid has the keys, and says in words where it is.

import { memo, type PointerEvent, useRef, useState } from 'react';
import { Band, type Layer } from './band.tsx';
import './strata-scroll.css';

const WIDE = 8;
const LEAST_THUMB = 14;

/** What a grid's scrollbar shows of the rows. */
export interface Strata {
  /** From the bottom to the top. */
  readonly layers: readonly Layer[];
  /** What is under the pointer, in words; null while it is not known. */
  readonly words: string | null;
  /** Hears which row the pointer is at; null when it left. */
  readonly onPoint: (row: number | null) => void;
}

interface StrataScrollProps {
  readonly strata: Strata;
  readonly height: number;
  readonly rows: number;
  /** The first row in view, and how many fit. */
  readonly first: number;
  readonly fit: number;
  readonly onGoTo: (row: number) => void;
}

const Layers = memo(({ layers, height }: { layers: readonly Layer[]; height: number }) => (
  <Band layers={layers} width={WIDE} height={height} direction="vertical" />
));

/** Where the thumb stands for what is in view, in px. */
export const thumbOf = (
  { rows, first, fit }: { rows: number; first: number; fit: number },
  height: number,
): { top: number; high: number } => {
  const high = Math.min(height, Math.max(LEAST_THUMB, (fit / Math.max(1, rows)) * height));
  const last = Math.max(0, rows - fit);
  return { high, top: last === 0 ? 0 : Math.min(1, first / last) * (height - high) };
};

/** The row that is first in view when the thumb stands at `top`. */
export const rowAt = (
  { rows, fit }: { rows: number; fit: number },
  height: number,
  top: number,
  high: number,
): number => {
  const share = Math.min(1, Math.max(0, top / Math.max(1, height - high)));
  return Math.round(share * Math.max(0, rows - fit));
};

/** The scrollbar. A press beside the thumb brings it there; from then on it is dragged. */
export const StrataScroll = (props: StrataScrollProps) => {
  const { strata, height, rows, onGoTo } = props;
  const grip = useRef<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const { top, high } = thumbOf(props, height);
  const placeOf = (event: PointerEvent<HTMLElement>): number =>
    event.clientY - event.currentTarget.getBoundingClientRect().top;
  const point = (y: number | null): void => {
    setPointed(y);
    const row = y === null ? null : Math.floor((y / height) * rows);
    strata.onPoint(row === null ? null : Math.max(0, Math.min(rows - 1, row)));
  };
  const drag = (y: number, gripped: number): void =>
    onGoTo(rowAt(props, height, y - gripped, high));
  return (
    <div
      className="strata-scroll"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const y = placeOf(event);
        const isOnThumb = y >= top && y <= top + high;
        grip.current = isOnThumb ? y - top : high / 2;
        if (!isOnThumb) drag(y, grip.current);
      }}
      onPointerMove={(event) => {
        const y = placeOf(event);
        if (grip.current !== null) drag(y, grip.current);
        point(Math.max(0, Math.min(height - 1, y)));
      }}
      onPointerUp={() => {
        grip.current = null;
      }}
      onPointerCancel={() => {
        grip.current = null;
      }}
      onPointerLeave={() => point(null)}
    >
      <Layers layers={strata.layers} height={height} />
      {high < height ? <span className="strata-thumb" style={{ height: high, top }} /> : null}
      {pointed === null || strata.words === null ? null : (
        <span
          className="strata-words"
          style={{ top: Math.max(0, Math.min(height - 48, pointed - 20)) }}
        >
          {strata.words}
        </span>
      )}
    </div>
  );
};
