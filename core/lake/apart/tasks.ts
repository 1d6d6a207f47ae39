// Owns the list of what is done with DuckDB that may take long: each a function of plain data, of which any process can
// run any. Never holds a task's work.

import { mergeForTiming, timeQueries } from '../compact/cost.ts';
import { mergeFiles } from '../compact/merge.ts';
import { proveMerge } from '../compact/prove.ts';
import { copyRows } from '../copy-rows.ts';
import { queryRows } from '../query-rows.ts';

export const TASKS = {
  /** Runs one reading statement: first its columns, then its rows. */
  query: queryRows,
  /** Writes the rows of one reading statement to a Parquet file. */
  copy: copyRows,
  /** Merges files into one. */
  merge: mergeFiles,
  /** Compares a merged file with its originals. */
  prove: proveMerge,
  /** Times three queries over files. */
  time: timeQueries,
  /** Merges files for timing alone. */
  sample: mergeForTiming,
};

export type Tasks = typeof TASKS;
