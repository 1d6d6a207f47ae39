// Owns telling a person what is wrong with their SQL, and where: line and column of what they wrote.
// Never runs SQL.

import { AppError } from '../errors.ts';
import { messageOf } from './duckdb.ts';

/** The SQL that failed, and how many bytes stood before it in what DuckDB was given. */
export interface FailedSql {
  readonly sql: string;
  readonly bytesBefore: number;
}

/** DuckDB's own description of an error, as `errors_as_json` gives it. */
interface Described {
  readonly exception_type: string;
  readonly exception_message: string;
  /** Where it is, in bytes from the start of what DuckDB was given. */
  readonly position?: string;
}

/**
 * Any error of a query as `query_failed`, with `line` and `column` in its details: both from 1, the column in
 * characters (Unicode code points); null where DuckDB does not say. An AppError is given back as it is.
 */
export const queryFault = (
  error: unknown,
  failed: FailedSql,
  unavailable: string | null,
): AppError => {
  if (error instanceof AppError) return error;
  const described = readDescription(messageOf(error));
  const words = described
    ? `${described.exception_type} Error: ${described.exception_message}`
    : messageOf(error);
  const { line, column } = placeOf(described?.position, failed);
  return new AppError('query_failed', unavailable ? `${words} (${unavailable})` : words, {
    details: { line, column, unavailable },
    cause: error,
  });
};

const readDescription = (message: string): Described | undefined => {
  const json = /\{"exception_type":[\s\S]*\}$/.exec(message)?.[0];
  try {
    return json === undefined ? undefined : (JSON.parse(json) as Described);
  } catch {
    return undefined;
  }
};

const placeOf = (
  position: string | undefined,
  { sql, bytesBefore }: FailedSql,
): { line: number | null; column: number | null } => {
  const bytes = Buffer.from(sql);
  const at = Number(position ?? Number.NaN) - bytesBefore;
  if (!(at >= 0 && at <= bytes.length)) return { line: null, column: null };
  const lines = bytes.subarray(0, at).toString().split('\n');
  return { line: lines.length, column: [...(lines.at(-1) as string)].length + 1 };
};
