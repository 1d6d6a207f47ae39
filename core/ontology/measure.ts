// Owns measuring a whole snapshot: columns, keys, dependencies, in that order.
// Never says what follows from it.

import type { Profile } from '../model.ts';
import { findDependencies } from './dependencies.ts';
import { findKeys } from './keys.ts';
import type { Measured } from './measured.ts';
import { profileColumns } from './profile.ts';

/** What a measuring tells while it runs. */
export type MeasureReport = (done: number, total: number, words: string) => void;

/** The profile of a table's columns (the producer's, without Strata's own). Exact over every row. */
export const measure = async (
  measured: Measured,
  stream: string,
  columns: readonly string[],
  report: MeasureReport = () => {},
): Promise<Profile> => {
  const started = performance.now();
  const found = await profileColumns(measured, columns, (done) =>
    report(done, columns.length, 'Measuring columns'),
  );
  report(0, 1, 'Looking for keys');
  const keys = await findKeys(measured, found);
  const dependencies = await findDependencies(measured, found, (done, total) =>
    report(done, total, 'Looking which column fixes which'),
  );
  const elapsedMs = Math.round(performance.now() - started);
  return { stream, rows: measured.rows, columns: found, keys, dependencies, elapsedMs };
};
