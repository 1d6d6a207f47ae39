// Owns looking at the graph with pointer and wheel: drag and wheel move, Ctrl and wheel zoom, fitting until a person moves.
// Never moves a node.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Camera, fitted, panned, type Size, zoomed } from './camera.ts';
import type { Layout } from './layout.ts';

const STILL: Camera = { scale: 1, x: 0, y: 0 };
/** A press that moves less than this is a click. */
const DRAG_PX = 3;

/** The camera over a layout in an element; `below` px at its foot are kept free when fitting. */
export const useCamera = (
  frame: RefObject<HTMLElement | null>,
  layout: Layout | undefined,
  below: number,
) => {
  const [view, setView] = useState<Size>({ width: 0, height: 0 });
  const [moved, setMoved] = useState<Camera | null>(null);
  const fit = layout && view.width > 0 ? fitted(layout, free(view, below)) : STILL;
  const camera = moved ?? fit;
  const now = useRef(camera);
  now.current = camera;
  const move = useCallback((change: (camera: Camera) => Camera): void => {
    now.current = change(now.current);
    setMoved(now.current);
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = (): void => setView({ width: element.clientWidth, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const about = { x: event.clientX - left, y: event.clientY - top };
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        move((before) => zoomed(before, Math.exp(-event.deltaY * lines * 0.004), about));
      } else {
        const [x, y] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        move((before) => panned(before, { x: -x * lines, y: -y * lines }));
      }
    };
    // React listens passively, and the page would scroll or zoom.
    element.addEventListener('wheel', onWheel, { passive: false });
    const stop = dragging(element, (by) => move((before) => panned(before, by)));
    return () => {
      element.removeEventListener('wheel', onWheel);
      stop();
    };
  }, [frame, move]);
  return { camera, view, move, refit: () => setMoved(null) };
};

const free = ({ width, height }: Size, below: number): Size => ({
  width,
  height: height > 3 * below ? height - below : height,
});

const dragging = (element: HTMLElement, onMove: (by: { x: number; y: number }) => void) => {
  const onDown = ({ button, pointerId, clientX, clientY }: PointerEvent): void => {
    if (button !== 0) return;
    let [x, y] = [clientX, clientY];
    let isDrag = false;
    const onDrag = (event: PointerEvent): void => {
      if (event.pointerId !== pointerId) return;
      const by = { x: event.clientX - x, y: event.clientY - y };
      if (!isDrag && Math.hypot(by.x, by.y) < DRAG_PX) return;
      isDrag = true;
      [x, y] = [event.clientX, event.clientY];
      onMove(by);
    };
    const onEnd = (): void => {
      window.removeEventListener('pointermove', onDrag);
      window.removeEventListener('pointerup', onEnd);
      window.removeEventListener('pointercancel', onEnd);
    };
    window.addEventListener('pointermove', onDrag);
    window.addEventListener('pointerup', onEnd);
    window.addEventListener('pointercancel', onEnd);
  };
  element.addEventListener('pointerdown', onDown);
  return () => element.removeEventListener('pointerdown', onDown);
};
