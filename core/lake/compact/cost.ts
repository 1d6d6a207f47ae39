// Owns timing three queries over files: a group-by, a count, the rows of one batch. Never knows a stream.

import type { QueryCost } from '../../model.ts';
import { globLiteral, identifier, literal, type OpenDuckdb, openDuckdb } from '../duckdb.ts';

/** What is asked of the files. */
export interface CostQuestion {
  readonly paths: readonly string[];
  /** The column that is grouped by. */
  readonly column: string;
  /** A batch that is in one of them. */
  readonly batchId: string;
}

/** Each query once, through a database that has read nothing yet, as an application's is. */
export const timeQueries = async ({ paths, column, batchId }: CostQuestion): Promise<QueryCost> => {
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

/** Merges files into one as large as `rows` would make it, by taking them again and again; for timing alone. */
export const mergeForTiming = async (
  paths: readonly string[],
  times: number,
  target: string,
): Promise<void> => {
  const list = paths.map((path) => globLiteral(path, '')).join(', ');
  let duckdb: OpenDuckdb | undefined;
  try {
    duckdb = await openDuckdb(':memory:', { memory_limit: '256MB', threads: '1' });
    await duckdb.connection.run(
      `COPY (SELECT files.* FROM range(${times}) AS again,
         read_parquet([${list}], union_by_name = true, hive_partitioning = false) AS files)
       TO ${literal(target.replaceAll('\\', '/'))} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    duckdb?.close();
  }
};
