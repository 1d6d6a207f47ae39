// Owns the edge between editor and answer: dragged or moved by keys, its place kept.
// Never lays anything else out.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const PLACE = 'query-editor-height';
const LEAST = 72;
const MOST = 560;

const within = (height: number): number => Math.round(Math.max(LEAST, Math.min(MOST, height)));

/** The editor's height, kept from one time to the next. */
export const useEditorHeight = () => {
  const [height, setHeight] = useState(() => within(Number(localStorage.getItem(PLACE) ?? 196)));
  useEffect(() => localStorage.setItem(PLACE, String(height)), [height]);
  return [height, setHeight] as const;
};

/** The edge. */
export const HeightEdge = ({
  height,
  onHeight,
}: {
  height: number;
  onHeight: (height: number) => void;
}) => {
  const from = useRef<{ y: number; height: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -20 : event.key === 'ArrowDown' ? 20 : 0;
    if (step === 0) return;
    event.preventDefault();
    onHeight(within(height + step));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { y: event.clientY, height };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (from.current) onHeight(within(from.current.height + event.clientY - from.current.y));
  };
  const release = (): void => {
    from.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      className="height-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the editor"
      aria-valuenow={height}
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
