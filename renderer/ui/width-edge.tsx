// Owns the left edge of a panel: dragged or moved by keys, the panel's width kept. Knows nothing of what the panel shows.

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import './width-edge.css';

const LEAST = 300;
const MOST = 640;
const STEP = 20;

const within = (width: number): number => Math.round(Math.max(LEAST, Math.min(MOST, width)));

/** The width of the panels of this name, kept from one time to the next. */
export const usePanelWidth = (name: string, first: number) => {
  const place = `panel-width:${name}`;
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(place)) || first));
  const change = (next: number): void => {
    localStorage.setItem(place, String(within(next)));
    setWidth(within(next));
  };
  return [width, change] as const;
};

/** The edge; it stands in the panel, which is positioned. Left widens, Home and End go to the ends. */
export const WidthEdge = ({
  width,
  onWidth,
}: {
  width: number;
  onWidth: (width: number) => void;
}) => {
  const from = useRef<{ x: number; width: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: LEAST,
      End: MOST,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onWidth(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  };
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (from.current) onWidth(from.current.width + from.current.x - clientX);
  };
  const release = (): void => {
    from.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      className="width-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
    />
  );
};
