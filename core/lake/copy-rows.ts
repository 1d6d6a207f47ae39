// Owns writing one reading statement's rows to one Parquet file outside the knowledgebase, with DuckDB's own types: a
// task for whichever process. Never runs what is not one reading statement.

import { knowledgebasePaths } from '../knowledgebase/paths.ts';
import { emitting } from './apart/emitting.ts';
import { COPYING, type DuckDBConnection, interruptOnAbort, literal } from './duckdb.ts';
import { queryFault } from './query-fault.ts';
import { openReader } from './reader.ts';
import { prepareReading } from './reading.ts';
import { withoutSemicolons } from './sql-text.ts';

export interface CopyInput {
  /** The knowledgebase's folder. */
  readonly root: string;
  /** Streams that have files. */
  readonly streams: readonly string[];
  readonly sql: string;
  readonly path: string;
}

const COPY = 'COPY (\n';
const TELL_MS = 250;

/** Tells per cent; ends with how many rows they were. Throws as `queryRows`. */
export const copyRows = (
  input: CopyInput,
  signal: AbortSignal,
): AsyncGenerator<number, number, void> => emitting((emit) => copyRowsTelling(input, signal, emit));

const copyRowsTelling = async (
  { root, streams, sql, path }: CopyInput,
  signal: AbortSignal,
  tell: (percent: number) => void,
): Promise<number> => {
  const reader = await openReader(knowledgebasePaths(root), streams, sql, { output: path, signal });
  const { connection } = reader.duckdb;
  const letGo = interruptOnAbort(connection, signal);
  const timer = setInterval(() => {
    if (!signal.aborted) tell(Math.max(0, connection.progress.percentage));
  }, TELL_MS);
  try {
    (await prepareReading(connection, sql)).prepared.destroySync();
    signal.throwIfAborted();
    return await runCopy(
      connection,
      `${COPY}${withoutSemicolons(sql)}\n) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } catch (error) {
    throw queryFault(error, { sql, bytesBefore: COPY.length }, reader.unavailable);
  } finally {
    clearInterval(timer);
    letGo();
    await reader.close();
  }
};

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
