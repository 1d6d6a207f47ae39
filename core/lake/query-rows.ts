// Owns running one reading statement, its rows as text as they come: a task for whichever process.
// Never writes, holds nothing open when it is over, and knows no time limit.

import { AppError } from '../errors.ts';
import { knowledgebasePaths } from '../knowledgebase/paths.ts';
import type { QueryColumn } from '../model.ts';
import {
  type DuckDBConnection,
  type DuckDBResult,
  interruptOnAbort,
  messageOf,
  READING,
  textOf,
} from './duckdb.ts';
import { type FailedSql, queryFault } from './query-fault.ts';
import { openReader, type Reader } from './reader.ts';
import { prepareReading } from './reading.ts';
import { withoutSemicolons } from './sql-text.ts';

export interface QueryInput {
  /** The knowledgebase's folder. */
  readonly root: string;
  /** Streams that have files. */
  readonly streams: readonly string[];
  readonly sql: string;
  /** Rows to skip. */
  readonly offset: number;
  /** The most rows; null for all. */
  readonly limit: number | null;
}

/** What comes before the rows. */
export interface QueryHead {
  readonly columns: readonly QueryColumn[];
  /** Why kb.duckdb was out of reach; null when it was not. */
  readonly unavailable: string | null;
}

export type TextRows = readonly (readonly (string | null)[])[];

/** First the head, then rows. Throws `query_failed`, `query_not_allowed`, and anything once the signal has aborted. */
export async function* queryRows(
  { root, streams, sql, offset, limit }: QueryInput,
  signal: AbortSignal,
): AsyncGenerator<QueryHead | TextRows, void, void> {
  let failed: FailedSql = { sql, bytesBefore: 0 };
  let reader: Reader | undefined;
  let letGo = (): void => {};
  try {
    reader = await openReader(knowledgebasePaths(root), streams, sql, { signal });
    const { connection } = reader.duckdb;
    letGo = interruptOnAbort(connection, signal);
    signal.throwIfAborted();
    const started = await start(connection, { sql, offset, limit }, (before) => {
      failed = { sql, bytesBefore: before };
    });
    yield { columns: started.columns, unavailable: reader.unavailable };
    yield* rowChunks(started, limit, signal);
  } catch (error) {
    throw queryFault(error, failed, reader?.unavailable ?? null);
  } finally {
    letGo();
    await reader?.close();
  }
}

async function* rowChunks(
  { columns, result, skip, whyItEnded }: Started,
  limit: number | null,
  signal: AbortSignal,
): AsyncGenerator<TextRows, void, void> {
  let seen = 0;
  let isOver = whyItEnded === null;
  const end = limit === null ? Number.POSITIVE_INFINITY : skip + limit;
  while (seen < end) {
    const chunk = await result.fetchChunk();
    signal.throwIfAborted();
    if (!chunk || chunk.rowCount === 0) {
      if (!isOver) throw await whyItEnded?.(seen);
      return;
    }
    const all = chunk.getRows();
    if (whyItEnded && all.at(-1)?.[columns.length] === true) {
      isOver = true;
      all.pop();
    }
    const rows = all.slice(Math.max(0, skip - seen), end - seen);
    seen += all.length;
    if (rows.length > 0) yield rows.map((row) => row.slice(0, columns.length).map(textOf));
  }
}

interface Started {
  readonly columns: QueryColumn[];
  readonly result: DuckDBResult;
  /** Rows still to be skipped here, where DuckDB could not do it. */
  readonly skip: number;
  /**
   * Where the rows are streamed, one more comes after the last, with `true` in a column of its own. Without it something
   * went wrong on the way, which DuckDB's binding gives as the end; this says what, after so many rows.
   */
  readonly whyItEnded: ((seen: number) => Promise<unknown>) | null;
}

/** How many rows are read again to learn what went wrong with one of them: more than DuckDB reads ahead. */
const AGAIN_ROWS = 500_000;

/** Starts a statement; `onWrapped` hears how many bytes stand before it when it runs inside one of ours. */
const start = async (
  connection: DuckDBConnection,
  { sql, offset, limit }: Pick<QueryInput, 'sql' | 'offset' | 'limit'>,
  onWrapped: (bytesBefore: number) => void,
): Promise<Started> => {
  const { type, prepared } = await prepareReading(connection, sql);
  const columns: QueryColumn[] = [];
  for (let index = 0; index < prepared.columnCount; index += 1) {
    columns.push({ name: prepared.columnName(index), type: String(prepared.columnType(index)) });
  }
  if (type === READING.select && columns.length > 0) {
    // DuckDB writes values as text exactly; JavaScript would not (a FLOAT of 0.1, an INTERVAL).
    const names = columns.map((_, index) => `c${index}`);
    const before = `(SELECT ${names.map((name) => `${name}::VARCHAR`).join(', ')}, false FROM (\n`;
    const own = withoutSemicolons(sql);
    const rows = (from: number, most: number | null): string =>
      `${before}${own}\n) AS q(${names.join(', ')}) ${most === null ? '' : `LIMIT ${most} `}OFFSET ${from})`;
    const last = ` UNION ALL (SELECT ${names.map(() => 'NULL').join(', ')}, true)`;
    onWrapped(before.length);
    const result = await connection.stream(rows(offset, limit) + last).catch((error: unknown) => {
      // Statements that read but cannot stand in FROM (a PRAGMA) run as they are.
      if (/"exception_type":"(Parser|Binder)"/.test(messageOf(error))) return undefined;
      throw error;
    });
    const whyItEnded = (seen: number): Promise<unknown> =>
      connection.run(rows(offset + seen, AGAIN_ROWS)).then(
        () => new AppError('query_failed', `The query broke off after ${seen} rows.`),
        (error: unknown) => error,
      );
    if (result) return { columns, result, skip: 0, whyItEnded };
    onWrapped(0);
  }
  // What is not streamed throws what goes wrong.
  return { columns, result: await connection.run(sql), skip: offset, whyItEnded: null };
};
