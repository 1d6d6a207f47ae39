// Owns where a body is scrolled to: the row at the top keeps its place while rows above it become taller or shorter.
// Never renders.

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type BodyRows, rowOf, rowOfLine } from './body-rows.ts';
import { heightOf, type LineLayout, rowAt, rowsIn, scaleOf, topOf } from './line-layout.ts';

const AROUND = 6;

/** Follows a scroller over rows. */
export const useLineScroll = (
  scroller: RefObject<HTMLElement | null>,
  layout: LineLayout,
  body: BodyRows,
) => {
  const [view, setView] = useState(600);
  const [native, setNative] = useState(0);
  /** The line at the top, its byte, and how far into its row. */
  const anchor = useRef({ line: 1, offset: 0, into: 0 });
  const now = useRef({ layout, body, view });
  now.current = { layout, body, view };
  const { height, factor } = scaleOf(layout, view);
  const top = native * factor;

  const keep = useCallback((place: number): void => {
    const { layout: laid, body: rows } = now.current;
    const row = rowAt(laid, place);
    const { line, piece } = rowOf(rows, row);
    anchor.current = { line, offset: piece?.offset ?? 0, into: place - topOf(laid, row) };
  }, []);

  const to = useCallback(
    (place: number): void => {
      const element = scroller.current;
      if (!element) return;
      const { layout: laid, view: seen } = now.current;
      const most = Math.max(0, laid.height + 48 - seen);
      const bounded = Math.max(0, Math.min(most, place));
      keep(bounded);
      element.scrollTop = bounded / scaleOf(laid, seen).factor;
      setNative(element.scrollTop);
    },
    [scroller, keep],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => setView(element.clientHeight);
    const onScroll = (): void => {
      const { layout: laid, view: seen } = now.current;
      keep(element.scrollTop * scaleOf(laid, seen).factor);
      setNative(element.scrollTop);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, keep]);

  // Rows above changed their height, or a line its pieces: what was at the top stays there.
  useLayoutEffect(() => {
    const { line, offset, into } = anchor.current;
    if (layout.rows === 0) return;
    const place = topOf(layout, rowOfLine(body, line, offset)) + into;
    const element = scroller.current;
    if (!element) return;
    const wanted = place / scaleOf(layout, now.current.view).factor;
    if (Math.abs(element.scrollTop - wanted) < 1) return;
    element.scrollTop = wanted;
    setNative(element.scrollTop);
  }, [layout, body, scroller]);

  /** Brings a row into view, a little below the top where it is out of it. */
  const reveal = useCallback(
    (row: number): void => {
      const { layout: laid, view: seen } = now.current;
      const element = scroller.current;
      if (!element) return;
      const at = topOf(laid, row);
      const place = element.scrollTop * scaleOf(laid, seen).factor;
      if (at >= place && at + heightOf(laid, row) + 20 <= place + seen) return;
      to(at - Math.min(seen / 3, 160));
    },
    [scroller, to],
  );

  const { from, to: end } = rowsIn(layout, top, view, AROUND);
  return { from, to: end, shift: top - native, height, reveal };
};
