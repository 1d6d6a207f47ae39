// Owns writing a query's rows to one Parquet file outside the knowledgebase, with DuckDB's own types.
// Never runs what is not one reading statement.

import { AppError } from '../errors.ts';
import { COPYING, type DuckDBConnection, interruptOnAbort, literal } from './duckdb.ts';
import type { QueryContext } from './query.ts';
import { queryFault } from './query-fault.ts';
import { openReader } from './reader.ts';
import { prepareReading } from './reading.ts';
import { withoutSemicolons } from './sql-text.ts';

const COPY = 'COPY (\n';

/** Copies the rows to `path` and returns how many they were; `onProgress` hears per cent. Throws as queryPage. */
export const copyToParquet = (
  context: QueryContext,
  sql: string,
  path: string,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<number> =>
  context.gate.read(async () => {
    await context.refresh(sql);
    const { duckdb, unavailable } = await openReader(context.paths, context.streams(), sql, path);
    const { connection } = duckdb;
    const letGo = interruptOnAbort(connection, signal);
    const timer = setInterval(() => {
      if (!signal.aborted) onProgress(Math.max(0, connection.progress.percentage));
    }, 250);
    try {
      (await prepareReading(connection, sql)).prepared.destroySync();
      signal.throwIfAborted();
      return await runCopy(
        connection,
        `${COPY}${withoutSemicolons(sql)}\n) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`,
      );
    } catch (error) {
      if (signal.aborted) throw new AppError('query_cancelled', 'The export was cancelled.');
      throw queryFault(error, { sql, bytesBefore: COPY.length }, unavailable);
    } finally {
      clearInterval(timer);
      letGo();
      duckdb.close();
    }
  });

/** Runs a COPY and returns how many rows it wrote. DuckDB puts statements of its own around one of a PIVOT. */
const runCopy = async (connection: DuckDBConnection, sql: string): Promise<number> => {
  const statements = await connection.extractStatements(sql);
  let rows = 0;
  for (let index = 0; index < statements.count; index += 1) {
    const prepared = await statements.prepare(index);
    try {
      const result = await prepared.runAndReadAll();
      if ((prepared.statementType as number) === COPYING) rows = Number(result.getRows()[0]?.[0]);
    } finally {
      prepared.destroySync();
    }
  }
  return rows;
};
