// Owns how far a merge or its proof is: how much of a statement DuckDB has done, and of how many files.
// Never decides what runs, and never says less than it has said before.

import type { DuckDBConnection } from '../duckdb.ts';

/** How far the merge of some files, or the proof of it, is. */
export interface StepProgress {
  /** Files that are read to their end. */
  readonly files: number;
  /** Of the whole work, 0 to 1. */
  readonly share: number;
  /** Whether every file is read, and what was read is written into the one that stays. */
  readonly isWriting: boolean;
}

/** Hears how far it is, more than once. */
export type OnProgress = (progress: StepProgress) => void;

const LOOK_MS = 200;

/** Runs a statement; `onPart` hears how much of it is done, 0 to 1, while it runs. */
export const runWatched = async <T>(
  connection: DuckDBConnection,
  run: () => Promise<T>,
  onPart: (part: number) => void,
): Promise<T> => {
  // Without it DuckDB does not count; it prints nothing.
  await connection.run('SET enable_progress_bar = true');
  await connection.run('SET enable_progress_bar_print = false');
  let most = 0;
  const look = setInterval(() => {
    const part = Math.min(1, connection.progress.percentage / 100);
    if (part <= most) return;
    most = part;
    onPart(part);
  }, LOOK_MS);
  try {
    return await run();
  } finally {
    clearInterval(look);
  }
};

/** Rows of inputs. */
export const rowsIn = (inputs: readonly { readonly rows: number }[]): number =>
  inputs.reduce((sum, { rows }) => sum + rows, 0);
