// Owns where a list of any length is scrolled to. Browsers cap the height of an element, so a long list's
// scroll height is scaled: small moves are exact, large ones (the thumb) are proportional. Never renders.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Below every browser's cap, at every pixel density. */
const MOST_PX = 8_000_000;
const SETTLE_MS = 140;
const WHEEL_MS = 400;

/** The size of the list and of the window on it. */
export interface Extent {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of the window on the rows. */
  readonly view: number;
}

/** Height of the element that is scrolled. */
export const heightOf = ({ rows, rowHeight }: Extent): number =>
  Math.min(rows * rowHeight, MOST_PX);

/** The furthest the list goes, in px of its true height. */
export const lastTopOf = ({ rows, rowHeight, view }: Extent): number =>
  Math.max(0, rows * rowHeight - view);

/** Where the element is scrolled to when the list's true place is `top`. */
export const nativeOf = (extent: Extent, top: number): number => {
  const last = lastTopOf(extent);
  return last === 0 ? 0 : (top / last) * Math.max(0, heightOf(extent) - extent.view);
};

/** The list's true place after the element went from `before` to `now`. */
export const topAfter = (
  extent: Extent,
  top: number,
  before: number,
  now: number,
  isWheel: boolean,
): number => {
  const last = lastTopOf(extent);
  const height = heightOf(extent);
  if (height === extent.rows * extent.rowHeight) return Math.min(last, Math.max(0, now));
  const moved = now - before;
  // One px of the thumb moves the element by its height over the track's.
  if (isWheel || Math.abs(moved) < height / extent.view / 4) {
    return Math.min(last, Math.max(0, top + moved));
  }
  const share = now / Math.max(1, height - extent.view);
  if (share >= 1) return last;
  return Math.min(last, Math.round((share * last) / extent.rowHeight) * extent.rowHeight);
};

/** What of the list is in view. */
export interface Shown {
  readonly first: number;
  /** How many rows fit, the cut ones too. */
  readonly fit: number;
  /** What a row's true place is moved by to stand in the scaled element. */
  readonly shift: number;
}

/** Follows an element that scrolls `rows` rows under a head of `headHeight`. */
export const useScaledScroll = (
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
  headHeight: number,
  startKey?: string,
) => {
  const place = useRef({ top: 0, native: 0, wheelAt: 0 });
  const [view, setView] = useState(0);
  const [shown, setShown] = useState<Shown>({ first: 0, fit: 0, shift: 0 });
  const extent: Extent = { rows, rowHeight, view };
  const current = useRef(extent);
  current.current = extent;

  const show = useCallback((): void => {
    const { top, native } = place.current;
    const { rowHeight: high, view: seen } = current.current;
    const next = {
      first: Math.floor(top / high),
      fit: Math.ceil(seen / high) + 1,
      shift: native - top,
    };
    setShown((before) =>
      before.first === next.first && before.fit === next.fit && before.shift === next.shift
        ? before
        : next,
    );
  }, []);

  const settle = useCallback((): void => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = nativeOf(current.current, place.current.top);
    place.current.native = element.scrollTop;
    show();
  }, [scroller, show]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => setView(Math.max(0, element.clientHeight - headHeight));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, headHeight]);

  // The list or the window changed: the place is kept as far as it exists.
  useLayoutEffect(() => {
    place.current.top = Math.min(place.current.top, lastTopOf({ rows, rowHeight, view }));
    settle();
  }, [rows, rowHeight, view, settle]);

  // Other rows: back to the first.
  const startedWith = useRef(startKey);
  useLayoutEffect(() => {
    if (startedWith.current === startKey) return;
    startedWith.current = startKey;
    place.current.top = 0;
    settle();
  }, [startKey, settle]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const onScroll = (): void => {
      const now = element.scrollTop;
      const { top, native, wheelAt } = place.current;
      if (now === native) return;
      const isWheel = performance.now() - wheelAt < WHEEL_MS;
      const next = topAfter(current.current, top, native, now, isWheel);
      place.current.top = next;
      place.current.native = now;
      clearTimeout(settling);
      const furthest = heightOf(current.current) - current.current.view;
      const isAtAnEnd = now <= 0 || now >= furthest - 1;
      const isTrulyThere = next <= 0 || next >= lastTopOf(current.current);
      if (isAtAnEnd && !isTrulyThere) settle();
      else settling = setTimeout(settle, SETTLE_MS);
      show();
    };
    const onWheel = (): void => {
      place.current.wheelAt = performance.now();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      clearTimeout(settling);
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, settle, show]);

  /** Brings a row into view: at the nearest edge, or in the middle when it is far away. */
  const reveal = useCallback(
    (row: number): void => {
      const { rowHeight: high, view: seen } = current.current;
      const { top } = place.current;
      const above = row * high;
      const below = above + high - seen;
      if (above >= top && below <= top) return;
      const isFar = above < top - seen || below > top + seen;
      const wanted = isFar
        ? above - Math.floor(seen / 2 / high) * high
        : above < top
          ? above
          : below;
      place.current.top = Math.min(lastTopOf(current.current), Math.max(0, wanted));
      settle();
    },
    [settle],
  );

  /** Goes to where this row, or part of one, is the first in view; as far as the list goes. */
  const goTo = useCallback(
    (row: number): void => {
      const wanted = row * current.current.rowHeight;
      place.current.top = Math.min(lastTopOf(current.current), Math.max(0, wanted));
      settle();
    },
    [settle],
  );

  return { shown, height: heightOf(extent), view, reveal, goTo };
};
