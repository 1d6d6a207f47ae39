// Owns how far a lake process steps back for others: landing goes first, then the window, then queries, then merges.
// Never raises anything.

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** What a lake process is for. */
export type LakeKind = 'reading' | 'merging';

const PRIORITIES: Readonly<Record<LakeKind, number>> = {
  reading: 5,
  merging: constants.priority.PRIORITY_BELOW_NORMAL,
};

/** Lowers this process's priority. Where the system does not let it, the work is done all the same. */
export const stepBack = (kind: LakeKind): void => {
  // Linux has a priority for each thread, which those that it starts inherit (setpriority(2), notes).
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) {
    try {
      setPriority(thread, PRIORITIES[kind]);
    } catch {
      // It is gone, or the system says no.
    }
  }
};
