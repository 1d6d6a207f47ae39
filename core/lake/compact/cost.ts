// Owns timing three queries over files: a group-by, a count, the rows of one batch. Never knows a stream.

import type { QueryCost } from '../../model.ts';
import { emitting } from '../apart/emitting.ts';
import {
  globLiteral,
  identifier,
  interruptOnAbort,
  literal,
  type OpenDuckdb,
  openDuckdb,
  readRows,
} from '../duckdb.ts';
import { bytesInMemory, copyOf, groupRowsOf, mergeMemory, type RowSums } from './memory.ts';

/** What is asked of the files. */
export interface CostQuestion {
  readonly paths: readonly string[];
  /** The column that is grouped by. */
  readonly column: string;
  /** A batch that is in one of them. */
  readonly batchId: string;
}

/** Each query once, through a database that has read nothing yet, as an application's is: a task for whichever process. */
export const timeQueries = (question: CostQuestion): AsyncGenerator<never, QueryCost, void> =>
  emitting(() => timeEach(question));

const timeEach = async ({ paths, column, batchId }: CostQuestion): Promise<QueryCost> => {
  const list = paths.map((path) => globLiteral(path, '')).join(', ');
  const from = `FROM read_parquet([${list}], union_by_name = true, filename = true, hive_partitioning = false)`;
  const time = async (sql: string): Promise<number> => {
    const duckdb = await openDuckdb(':memory:');
    try {
      const started = performance.now();
      await duckdb.connection.runAndReadAll(sql);
      return performance.now() - started;
    } finally {
      duckdb.close();
    }
  };
  return {
    groupByMs: await time(
      `SELECT ${identifier(column)}, count(*) FROM (${withColumn(column, from)}) GROUP BY 1`,
    ),
    countMs: await time(`SELECT count(*) ${from}`),
    batchMs: await time(`SELECT * ${from} WHERE _batch_id = ${literal(batchId)}`),
  };
};

/** Rows that a merged sample is brought up to, so that what a row costs stands out from what opening a file costs. */
const TIMED_ROWS = 500_000;
/** The most bytes of rows that it is brought up to: long rows cost something each, and would fill the disk. */
const TIMED_BYTES = 256 * 1024 * 1024;
/** The same where a row has very many values, which take their time each. */
const TIMED_WIDE_BYTES = 64 * 1024 * 1024;
/** The same where a row is long: DuckDB takes 2,048 rows at a time, and holds them several times over. */
const TIMED_LONG_BYTES = 16 * 1024 * 1024;
const LONG_ROW_BYTES = 8 * 1024;

/** Whether rows are so long that few of them fill the memory of a merge. */
export const areLong = ({ rows, bodyBytes }: Pick<RowSums, 'rows' | 'bodyBytes'>): boolean =>
  bodyBytes / Math.max(1, rows) > LONG_ROW_BYTES;

/** How often a sample is taken to time it: twice in any case, so that the difference is known. */
export const timesOf = (sums: RowSums): number => {
  const forRows = Math.ceil(TIMED_ROWS / Math.max(1, sums.rows));
  const bytes = Math.max(1, bytesInMemory(sums));
  const isWide = bytes / Math.max(1, sums.rows) > LONG_ROW_BYTES;
  const most = areLong(sums) ? TIMED_LONG_BYTES : isWide ? TIMED_WIDE_BYTES : TIMED_BYTES;
  return Math.max(2, Math.min(forRows, Math.floor(most / bytes)));
};

/** What is merged for timing alone. */
export interface TimedMerge {
  readonly paths: readonly string[];
  /** How often the files are taken. */
  readonly times: number;
  readonly target: string;
  /** The column that is grouped by. */
  readonly column: string;
  /** What is in the files, once. */
  readonly sums: RowSums;
  readonly largestBody: number;
}

/** The same rows, with the column as NULL where no file has it. */
const withColumn = (column: string, from: string): string =>
  `SELECT NULL::VARCHAR AS ${identifier(column)} WHERE false UNION ALL BY NAME ${from}`;

/**
 * Merges files into one as large as `times` of them would make it: a task for whichever process. Where most values of
 * `column` are there once, they stay so: grouping by what repeats takes much less.
 */
export const mergeForTiming = (
  merge: TimedMerge,
  signal: AbortSignal,
): AsyncGenerator<never, void, void> => emitting(() => mergeAgain(merge, signal));

const mergeAgain = async (
  { paths, times, target, column, sums, largestBody }: TimedMerge,
  signal: AbortSignal,
): Promise<void> => {
  const list = paths.map((path) => globLiteral(path, '')).join(', ');
  const from = `FROM read_parquet([${list}], union_by_name = true, hive_partitioning = false)`;
  const { columns } = sums;
  const duckdb = await openDuckdb(':memory:', {
    memory_limit: `${mergeMemory(largestBody, columns)}B`,
    threads: '1',
    temp_directory: `${target}.spill`,
  });
  const letGo = interruptOnAbort(duckdb.connection, signal);
  try {
    const rows = times === 1 ? from : await repeated(duckdb, from, times, column);
    await duckdb.connection.run(copyOf(rows, { target, columns, groupRows: groupRowsOf(sums) }));
  } finally {
    letGo();
    duckdb.close();
  }
};

const repeated = async (
  { connection }: OpenDuckdb,
  from: string,
  times: number,
  column: string,
): Promise<string> => {
  const value = identifier(column);
  const all = withColumn(column, from);
  const [isOnce] = await readRows(
    connection,
    `SELECT 2 * approx_count_distinct(${value}) > count(*) FROM (${all})`,
  );
  const others = isOnce?.[0] === 'true' ? `REPLACE (${value} || again AS ${value})` : '';
  return `SELECT files.* ${others}
    FROM (SELECT range::VARCHAR AS again FROM range(${times})) AS times, (${all}) AS files`;
};
