// Owns how many characters fit in a row of a body. Never wraps one.

import { type RefObject, useLayoutEffect, useState } from 'react';

/** What stands beside the text: the line's number and the insets. */
const BESIDE_PX = 48 + 16;

/** The columns of a scroller, measured in its own face. */
export const useColumns = (scroller: RefObject<HTMLElement | null>): number => {
  const [columns, setColumns] = useState(80);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      const family = getComputedStyle(document.documentElement).getPropertyValue('--s-mono');
      if (context) context.font = `12px ${family}`;
      const width = (context?.measureText('0'.repeat(100)).width ?? 720) / 100;
      setColumns(Math.max(20, Math.floor((element.clientWidth - BESIDE_PX) / width)));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return columns;
};
