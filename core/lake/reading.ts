// Owns judging a person's SQL: one statement that only reads, and nothing else, is prepared.
// Never runs it.

import { AppError } from '../errors.ts';
import { CREATE, type DuckDBConnection, type DuckDBPreparedStatement, READING } from './duckdb.ts';
import { countStatements } from './sql-text.ts';

/** A statement that only reads, prepared. */
export interface Reading {
  readonly type: number;
  readonly prepared: DuckDBPreparedStatement;
}

/**
 * Prepares the SQL. Throws `query_not_allowed` unless it is one statement that only reads, `query_failed` when there
 * is none; what DuckDB throws where it cannot be prepared.
 *
 * DuckDB makes several statements of one PIVOT whose columns it has to look for: first types of what it finds, in the
 * connection's own temporary catalog, then the reading. Those are run, since the reading cannot be prepared without.
 */
export const prepareReading = async (
  connection: DuckDBConnection,
  sql: string,
): Promise<Reading> => {
  const written = countStatements(sql);
  if (written === 0) throw new AppError('query_failed', 'There is no statement to run.');
  const statements = await connection.extractStatements(sql);
  if (written > 1 || statements.count === 0) {
    throw new AppError(
      'query_not_allowed',
      `Run one statement at a time; this has ${Math.max(written, statements.count)}.`,
    );
  }
  for (let index = 0; index < statements.count - 1; index += 1) {
    const preparing = await statements.prepare(index);
    try {
      if ((preparing.statementType as number) !== CREATE) throw notOnlyReading();
      await preparing.run();
    } finally {
      preparing.destroySync();
    }
  }
  const prepared = await statements.prepare(statements.count - 1);
  const type = prepared.statementType as number;
  if (type === READING.select) return { type, prepared };
  // EXPLAIN ANALYZE runs what it explains.
  const explained = sql.replace(/^\s*explain\s*(\([^)]*\)\s*)?(analyze\s+)?/i, '');
  if (type === READING.explain && explained !== sql) {
    const inner = await prepareReading(connection, explained);
    inner.prepared.destroySync();
    if (inner.type === READING.select) return { type, prepared };
  }
  prepared.destroySync();
  throw notOnlyReading();
};

const notOnlyReading = (): AppError =>
  new AppError('query_not_allowed', 'The statement does not only read.');
