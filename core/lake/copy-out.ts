// Owns writing a query's rows to one Parquet file outside the knowledgebase, with DuckDB's own types.
// Never runs what is not one reading statement.

import { AppError } from '../errors.ts';
import { literal } from './duckdb.ts';
import { type QueryContext, readingType } from './query.ts';
import { queryFault } from './query-fault.ts';
import { openReader } from './reader.ts';
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
    const onAbort = (): void => connection.interrupt();
    signal.addEventListener('abort', onAbort);
    const timer = setInterval(() => {
      // Between two of DuckDB's calls there is nothing to interrupt.
      if (signal.aborted) connection.interrupt();
      else onProgress(Math.max(0, connection.progress.percentage));
    }, 250);
    try {
      await readingType(connection, sql);
      signal.throwIfAborted();
      const result = await connection.runAndReadAll(
        `${COPY}${withoutSemicolons(sql)}\n) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      return Number(result.getRows()[0]?.[0] ?? 0);
    } catch (error) {
      if (signal.aborted) throw new AppError('query_cancelled', 'The export was cancelled.');
      throw queryFault(error, { sql, bytesBefore: COPY.length }, unavailable);
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      duckdb.close();
    }
  });
