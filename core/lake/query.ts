// Owns answering a person's SQL: checked to be one reading statement, run with a time limit, values as text.
// Never writes, and holds nothing open between two queries.

import { AppError } from '../errors.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { QueryColumn, QueryPage } from '../model.ts';
import {
  type DuckDBConnection,
  type DuckDBResult,
  messageOf,
  READING,
  STOP_AGAIN_MS,
  textOf,
} from './duckdb.ts';
import type { Gate } from './gate.ts';
import { type FailedSql, queryFault } from './query-fault.ts';
import { openReader } from './reader.ts';
import { prepareReading } from './reading.ts';
import { withoutSemicolons } from './sql-text.ts';

/** What a query may use. */
export interface QueryOptions {
  /** Rows to skip. */
  readonly offset?: number;
  /** The most rows to return; a page holds 1,000 unless said, and at most 10,000. */
  readonly limit?: number;
  /** After this long the query is stopped with `query_timeout`; 60,000 ms unless said. */
  readonly timeoutMs?: number;
  /** Aborting it stops the query with `query_cancelled`. */
  readonly signal?: AbortSignal;
}

/** What a query needs to know of the knowledgebase. */
export interface QueryContext {
  readonly paths: KnowledgebasePaths;
  readonly gate: Gate;
  /** Streams that have files. */
  readonly streams: () => readonly string[];
  /** Brings what the SQL names in line with the ledger, before it is read. */
  readonly refresh: (sql: string) => Promise<void>;
}

/** Rows of a query as they come, in the query's order. */
export interface RowStream {
  readonly columns: readonly QueryColumn[];
  /** Why kb.duckdb was out of reach; null when it was not. */
  readonly unavailable: string | null;
  chunks(): AsyncGenerator<(string | null)[][]>;
}

/**
 * Runs one reading statement and returns a page of its rows.
 * Throws `query_failed` (with line and column in `details`), `query_not_allowed`, `query_timeout`, `query_cancelled`.
 */
export const queryPage = async (
  context: QueryContext,
  sql: string,
  options: QueryOptions = {},
): Promise<QueryPage> => {
  const started = performance.now();
  const limit = Math.min(options.limit ?? 1_000, 10_000);
  // One row more than the page shows whether there is a next one.
  return streamRows(context, sql, { ...options, limit: limit + 1 }, async (stream) => {
    const rows: (string | null)[][] = [];
    for await (const chunk of stream.chunks()) rows.push(...chunk);
    return {
      columns: stream.columns,
      rows: rows.slice(0, limit),
      more: rows.length > limit,
      elapsedMs: Math.round(performance.now() - started),
      unavailable: stream.unavailable,
    };
  });
};

/** Runs one reading statement and hands its rows to `use` as they come. Throws as `queryPage`. */
export const streamRows = async <T>(
  context: QueryContext,
  sql: string,
  options: QueryOptions,
  use: (rows: RowStream) => Promise<T>,
): Promise<T> =>
  context.gate.read(async () => {
    const timeoutMs = options.timeoutMs ?? 60_000;
    let stopped: AppError | undefined;
    let interrupt = (): void => {};
    let again: NodeJS.Timeout | undefined;
    const stop = (why: AppError): void => {
      stopped ??= why;
      interrupt();
      again ??= setInterval(() => interrupt(), STOP_AGAIN_MS);
    };
    const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
    const onAbort = (): void => stop(cancelled());
    options.signal?.addEventListener('abort', onAbort);
    if (options.signal?.aborted) onAbort();
    let failed: FailedSql = { sql, bytesBefore: 0 };
    let unavailable: string | null = null;
    let close = (): void => {};
    try {
      await context.refresh(sql);
      const reader = await openReader(context.paths, context.streams(), sql);
      const { connection } = reader.duckdb;
      ({ unavailable } = reader);
      close = reader.duckdb.close;
      interrupt = () => connection.interrupt();
      if (stopped) throw stopped;
      const { columns, result, skip } = await start(connection, sql, options, (bytesBefore) => {
        failed = { sql, bytesBefore };
      });
      const chunks = () => rowChunks(result, skip, options.limit, () => stopped);
      return await use({ columns, unavailable, chunks });
    } catch (error) {
      throw stopped ?? queryFault(error, failed, unavailable);
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      options.signal?.removeEventListener('abort', onAbort);
      close();
    }
  });

async function* rowChunks(
  result: DuckDBResult,
  skip: number,
  limit: number | undefined,
  stopped: () => AppError | undefined,
): AsyncGenerator<(string | null)[][]> {
  let seen = 0;
  const end = limit === undefined ? Number.POSITIVE_INFINITY : skip + limit;
  while (seen < end) {
    const chunk = await result.fetchChunk();
    const why = stopped();
    if (why) throw why;
    if (!chunk || chunk.rowCount === 0) return;
    const rows = chunk.getRows().slice(Math.max(0, skip - seen), end - seen);
    seen += chunk.rowCount;
    if (rows.length > 0) yield rows.map((row) => row.map(textOf));
  }
  // A result that is not read to its end keeps kb.duckdb open until it is collected. Under LIMIT this is the end.
  await result.fetchChunk();
}

interface Started {
  readonly columns: QueryColumn[];
  readonly result: DuckDBResult;
  /** Rows still to be skipped here, where DuckDB could not do it. */
  readonly skip: number;
}

/** Starts a statement; `onWrapped` hears how many bytes stand before it when it runs inside one of ours. */
const start = async (
  connection: DuckDBConnection,
  sql: string,
  options: QueryOptions,
  onWrapped: (bytesBefore: number) => void,
): Promise<Started> => {
  const { type, prepared } = await prepareReading(connection, sql);
  const columns: QueryColumn[] = [];
  for (let index = 0; index < prepared.columnCount; index += 1) {
    columns.push({ name: prepared.columnName(index), type: String(prepared.columnType(index)) });
  }
  const offset = options.offset ?? 0;
  if (type === READING.select && columns.length > 0) {
    // DuckDB writes values as text exactly; JavaScript would not (a FLOAT of 0.1, an INTERVAL).
    const names = columns.map((_, index) => `c${index}`);
    const before = `SELECT ${names.map((name) => `${name}::VARCHAR`).join(', ')} FROM (\n`;
    const limit = options.limit === undefined ? '' : `LIMIT ${options.limit} `;
    const after = `\n) AS q(${names.join(', ')}) ${limit}OFFSET ${offset}`;
    onWrapped(before.length);
    const wrapped = before + withoutSemicolons(sql) + after;
    const result = await connection.stream(wrapped).catch((error: unknown) => {
      // Statements that read but cannot stand in FROM (a PRAGMA) run as they are.
      if (/"exception_type":"(Parser|Binder)"/.test(messageOf(error))) return undefined;
      throw error;
    });
    if (result) return { columns, result, skip: 0 };
    onWrapped(0);
  }
  return { columns, result: await connection.stream(sql), skip: offset };
};

const cancelled = (): AppError => new AppError('query_cancelled', 'The query was cancelled.');

const timedOut = (timeoutMs: number): AppError =>
  new AppError('query_timeout', `The query was stopped after ${timeoutMs / 1_000} s.`, {
    details: { timeoutMs },
  });
