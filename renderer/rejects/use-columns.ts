// Owns how many characters fit in a row of a body. Never wraps one.

import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inset at the right. */
const RIGHT_PX = 16;

/** How wide the numbers of lines are, with their insets. */
export const gutterOf = (lines: number): number => Math.max(48, 20 + String(lines).length * 7);

/** The columns of a scroller beside a gutter, measured in its own face. */
export const useColumns = (scroller: RefObject<HTMLElement | null>, gutter: number): number => {
  const [columns, setColumns] = useState(80);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const context = document.createElement('canvas').getContext('2d');
      const family = getComputedStyle(document.documentElement).getPropertyValue('--s-mono');
      if (context) context.font = `12px ${family}`;
      const width = (context?.measureText('0'.repeat(100)).width ?? 720) / 100;
      setColumns(Math.max(20, Math.floor((element.clientWidth - gutter - RIGHT_PX) / width)));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, gutter]);
  return columns;
};
