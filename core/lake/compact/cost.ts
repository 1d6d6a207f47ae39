// Owns timing three queries over files: a group-by, a count, the rows of one batch. Never knows a stream.

import type { QueryCost } from '../../model.ts';
import { emitting } from '../apart/emitting.ts';
import { globLiteral, identifier, interruptOnAbort, literal, openDuckdb } from '../duckdb.ts';

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
    groupByMs: await time(`SELECT ${identifier(column)}, count(*) ${from} GROUP BY 1`),
    countMs: await time(`SELECT count(*) ${from}`),
    batchMs: await time(`SELECT * ${from} WHERE _batch_id = ${literal(batchId)}`),
  };
};

/** What is merged for timing alone. */
export interface TimedMerge {
  readonly paths: readonly string[];
  /** How often the files are taken. */
  readonly times: number;
  readonly target: string;
}

/** Merges files into one as large as `times` of them would make it: a task for whichever process. */
export const mergeForTiming = (
  merge: TimedMerge,
  signal: AbortSignal,
): AsyncGenerator<never, void, void> => emitting(() => mergeAgain(merge, signal));

const mergeAgain = async (
  { paths, times, target }: TimedMerge,
  signal: AbortSignal,
): Promise<void> => {
  const list = paths.map((path) => globLiteral(path, '')).join(', ');
  const duckdb = await openDuckdb(':memory:', { memory_limit: '256MB', threads: '1' });
  const letGo = interruptOnAbort(duckdb.connection, signal);
  try {
    await duckdb.connection.run(
      `COPY (SELECT files.* FROM range(${times}) AS again,
         read_parquet([${list}], union_by_name = true, hive_partitioning = false) AS files)
       TO ${literal(target.replaceAll('\\', '/'))} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    letGo();
    duckdb.close();
  }
};
