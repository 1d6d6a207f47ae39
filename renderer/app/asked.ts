// Owns what was asked for from elsewhere (the palette) and a screen that may not be open yet is to do.
// Never does it.

import { useEffect, useRef } from 'react';

/** Something to do with a stream's files. */
export interface Asked {
  readonly stream: string;
  readonly what: 'compact' | 'undo';
}

let waiting: Asked | null = null;
const hearers = new Set<() => void>();

/** Asks; the stream's Files tab does it, now or when it is shown. */
export const ask = (asked: Asked): void => {
  waiting = asked;
  for (const hear of hearers) hear();
};

/** Hears what was asked of a stream, once each. */
export const useAsked = (stream: string, onAsked: (what: Asked['what']) => void): void => {
  const heard = useRef(onAsked);
  heard.current = onAsked;
  useEffect(() => {
    const take = (): void => {
      if (waiting?.stream !== stream) return;
      const { what } = waiting;
      waiting = null;
      heard.current(what);
    };
    take();
    hearers.add(take);
    return () => {
      hearers.delete(take);
    };
  }, [stream]);
};
