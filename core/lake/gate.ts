// Owns the gate between this process's own readers and its writer of kb.duckdb.
// Never looks at other processes: DuckDB's file lock does that, but it does not work within one process.

/** Lets many readers through, or one writer alone. A waiting writer holds new readers back for a bounded time. */
export interface Gate {
  /** Runs `work` as a reader. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` alone, or returns undefined when running readers did not end within `patienceMs`;
   * the readers that were held back meanwhile go on.
   */
  write<T>(work: () => Promise<T>, patienceMs: number): Promise<T | undefined>;
}

/** A gate with nobody inside. */
export const openGate = (): Gate => {
  let readers = 0;
  let writerInside = false;
  let writersWaiting = 0;
  let wakers: (() => void)[] = [];
  const wake = (): void => {
    const woken = wakers;
    wakers = [];
    for (const waker of woken) waker();
  };
  const changed = (): Promise<void> => new Promise((resolve) => wakers.push(resolve));

  return {
    read: async (work) => {
      while (writerInside || writersWaiting > 0) await changed();
      readers += 1;
      try {
        return await work();
      } finally {
        readers -= 1;
        wake();
      }
    },
    write: async (work, patienceMs) => {
      writersWaiting += 1;
      let patient = true;
      const timer = setTimeout(() => {
        patient = false;
        wake();
      }, patienceMs);
      try {
        while (patient && (writerInside || readers > 0)) await changed();
        if (writerInside || readers > 0) return undefined;
        writerInside = true;
      } finally {
        clearTimeout(timer);
        writersWaiting -= 1;
        wake();
      }
      try {
        return await work();
      } finally {
        writerInside = false;
        wake();
      }
    },
  };
};
