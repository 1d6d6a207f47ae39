// Owns what is said for a moment: each time it is said it stands for the whole of it. Never shows it.

import { useCallback, useEffect, useRef, useState } from 'react';

const SAID_MS = 1_500;

/** What is said now, null for nothing, and saying it. What was said before does not cut it short. */
export const useBriefly = (): readonly [string | null, (words: string) => void] => {
  const [said, setSaid] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = useCallback((words: string): void => {
    clearTimeout(timer.current);
    setSaid(words);
    timer.current = setTimeout(() => setSaid(null), SAID_MS);
  }, []);
  return [said, say];
};
