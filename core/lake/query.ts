// Owns answering a person's SQL: run with a time limit, in whichever process reads, values as text.
// Never runs it itself; query-rows.ts does.

import { AppError } from '../errors.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { QueryPage } from '../model.ts';
import type { Lake } from './apart/lake.ts';
import type { Gate } from './gate.ts';
import type { QueryHead, TextRows } from './query-rows.ts';

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
  /** Where it is run. */
  readonly lake: Lake;
  /** Streams that have files. */
  readonly streams: () => readonly string[];
  /** Brings what the SQL names in line with the ledger, before it is read. */
  readonly refresh: (sql: string) => Promise<void>;
}

/** Rows of a query as they come, in the query's order. */
export interface RowStream extends QueryHead {
  chunks(): AsyncGenerator<TextRows, void, void>;
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
    const rows: TextRows[number][] = [];
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
    const abort = new AbortController();
    let stopped: AppError | undefined;
    const stop = (why: AppError): void => {
      stopped ??= why;
      abort.abort(stopped);
    };
    const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
    const onAbort = (): void => stop(cancelled());
    options.signal?.addEventListener('abort', onAbort);
    if (options.signal?.aborted) onAbort();
    const { paths, lake } = context;
    try {
      await context.refresh(sql);
      const { offset = 0, limit = null } = options;
      const input = { root: paths.root, streams: context.streams(), sql, offset, limit };
      const running = lake.run('query', input, abort.signal);
      try {
        const head = await running.next();
        const chunks = () => running as AsyncGenerator<TextRows, void, void>;
        return await use({ ...(head.value as QueryHead), chunks });
      } finally {
        // What it had open is closed before the next change of kb.duckdb.
        await running.return();
      }
    } catch (error) {
      throw stopped ?? error;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    }
  });

const cancelled = (): AppError => new AppError('query_cancelled', 'The query was cancelled.');

const timedOut = (timeoutMs: number): AppError =>
  new AppError('query_timeout', `The query was stopped after ${timeoutMs / 1_000} s.`, {
    details: { timeoutMs },
  });
