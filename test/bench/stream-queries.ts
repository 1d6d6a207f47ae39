// Owns timing queries of a stream as another program asks them: through kb.duckdb, opened for each. Never lands a row.

import { DuckDBInstance } from '@duckdb/node-api';
import { median } from './measure.ts';

/** Times in ms. */
export interface QueryTimes {
  readonly groupBy: number;
  readonly count: number;
  readonly batch: number;
}

const GROUP_BY = 'SELECT sensor_id, count(*), avg(reading_celsius::DOUBLE)';

/** Opens kb.duckdb for reading; the server may have it for the moment of a view or a swap. */
const openForReading = async (file: string): Promise<DuckDBInstance> => {
  for (const giveUpAt = Date.now() + 30_000; ; ) {
    try {
      return await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    } catch (error) {
      if (!/Could not set lock/.test((error as Error).message) || Date.now() > giveUpAt)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};

/** Opens a file, asks once, closes it; waiting for somebody else's lock is not counted. */
const time = async (file: string, sql: string): Promise<number> => {
  if (file !== ':memory:') (await openForReading(file)).closeSync();
  const started = performance.now();
  const instance =
    file === ':memory:' ? await DuckDBInstance.create(file) : await openForReading(file);
  const connection = await instance.connect();
  await connection.runAndReadAll(sql);
  connection.closeSync();
  instance.closeSync();
  return performance.now() - started;
};

const medianOf = async (rounds: number, file: string, sql: string): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await time(file, sql));
  return median(times);
};

/** The three queries of a stream, each the median of a few. */
export const timeStream = async (
  file: string,
  stream: string,
  rounds: number,
): Promise<QueryTimes> => {
  const view = `raw_extracted."stream_${stream}"`;
  const instance = await openForReading(file);
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`SELECT _batch_id FROM ${view} LIMIT 1`);
  connection.closeSync();
  instance.closeSync();
  const batchId = String(found.getRows()[0]?.[0]);
  return {
    groupBy: await medianOf(rounds, file, `${GROUP_BY} FROM ${view} GROUP BY 1`),
    count: await medianOf(rounds, file, `SELECT count(*) FROM ${view}`),
    batch: await medianOf(rounds, file, `SELECT * FROM ${view} WHERE _batch_id = '${batchId}'`),
  };
};

/** The group-by over one Parquet file. */
export const timeFile = (path: string, rounds: number): Promise<number> =>
  medianOf(
    rounds,
    ':memory:',
    `${GROUP_BY} FROM read_parquet('${path}', union_by_name = true, filename = true, hive_partitioning = false) GROUP BY 1`,
  );

/** Writes the rows of a stream's view into one file, at once. */
export const writeAtOnce = async (file: string, stream: string, path: string): Promise<void> => {
  const instance = await openForReading(file);
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT * EXCLUDE filename FROM raw_extracted."stream_${stream}") TO '${path}' (FORMAT parquet, COMPRESSION zstd)`,
  );
  connection.closeSync();
  instance.closeSync();
};
