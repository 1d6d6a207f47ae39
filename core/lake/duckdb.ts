// Owns the only import of @duckdb/node-api: opening, closing, and what DuckDB's errors mean.
// Never knows a stream.

import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AppError } from '../errors.ts';

export type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';

/** An open DuckDB with one connection. */
export interface OpenDuckdb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Statement types of DuckDB's C API that only read: SELECT and EXPLAIN. */
export const READING = { select: 1, explain: 4 } as const;

/** The statement types of CREATE and of COPY. */
export const CREATE = 7;
export const COPYING = 11;

/**
 * Opens a DuckDB file, or one in memory. The library (about 60 MB) is loaded at the first call, not at start.
 * It keeps no copy of what it has read of other files: each is read once or twice, the system keeps it too, and what is
 * kept has to be given back when it closes (measured over 2,000 small files: a third of the time, half of the memory).
 * Throws `duckdb_locked` with the holder when another process has the file, `not_a_database` style faults as
 * DuckDB gives them (see `isBrokenFile`).
 */
export const openDuckdb = async (
  path: string,
  options: Readonly<Record<string, string>> = {},
): Promise<OpenDuckdb> => {
  const { DuckDBInstance: Instance } = await import('@duckdb/node-api');
  let instance: DuckDBInstance | undefined;
  try {
    instance = await Instance.create(path, { enable_external_file_cache: 'false', ...options });
    const connection = await instance.connect();
    const opened = instance;
    return {
      connection,
      close: () => {
        connection.closeSync();
        opened.closeSync();
      },
    };
  } catch (error) {
    instance?.closeSync();
    throw lockFault(error);
  }
};

/** Runs one statement and gives its rows as text or null, read by column so that no name can be lost. */
export const readRows = async (
  connection: DuckDBConnection,
  sql: string,
): Promise<(string | null)[][]> => {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => row.map(textOf));
};

/** How often a connection that is to stop is told so: between two of DuckDB's calls there is nothing to interrupt. */
const STOP_AGAIN_MS = 50;

/** Interrupts what the connection runs, from when the signal aborts until the returned function is called. */
export const interruptOnAbort = (
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
): (() => void) => {
  let again: NodeJS.Timeout | undefined;
  const stop = (): void => {
    connection.interrupt();
    again ??= setInterval(() => connection.interrupt(), STOP_AGAIN_MS);
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return () => {
    signal?.removeEventListener('abort', stop);
    clearInterval(again);
  };
};

/** A value as text; NULL stays null. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

/** A string as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as an SQL identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A path as DuckDB's glob reads it: characters that would match others stand in brackets, slashes lean forward. */
export const globLiteral = (folder: string, pattern: string): string => {
  const slashed = folder.replaceAll('\\', '/');
  return literal(`${slashed.replace(/[[*?]/g, (character) => `[${character}]`)}${pattern}`);
};

/** Whether DuckDB refused a file because it is not one of its own (damaged, or something else). */
export const isBrokenFile = (error: unknown): boolean =>
  /not a valid DuckDB database file|Could not read enough bytes|Corrupt|checksum|deserializ|Serialization Error/i.test(
    messageOf(error),
  );

/**
 * Turns DuckDB's lock message into `duckdb_locked`; gives back any other error as it is. The holder is named as a person
 * knows it; `details` has its `name`, the whole path of its `program`, and its `pid`, as far as DuckDB says them.
 */
export const lockFault = (error: unknown): unknown => {
  const message = messageOf(error);
  // Windows says the second in its own language, DuckDB the third after it.
  const isLock =
    /Could not set lock on file|being used by another process|File is already open in/i;
  if (!isLock.test(message)) return error;
  const holder = /(?:held|already open) in\s+(?:(.+?) \()?PID ([1-9]\d*)/.exec(message);
  const name = nameOf(holder?.[1]);
  const who = holder ? `${name} (pid ${holder[2]})` : name;
  const program = holder?.[1] === undefined ? {} : { name, program: holder[1] };
  return new AppError('duckdb_locked', `kb.duckdb is open in ${who}.`, {
    details: holder ? { ...program, pid: Number(holder[2]) } : {},
    cause: error,
  });
};

/** What a program is called: the name of its file. One that was replaced while it runs is "(deleted)" on Linux. */
const nameOf = (program: string | undefined): string => {
  const file = program
    ?.replace(/ \(deleted\)$/, '')
    .split(/[\\/]/)
    .at(-1);
  return file?.replace(/\.exe$/i, '') || 'another program';
};

/** Whether DuckDB, or the system for it, had no memory left for what it was to do. */
export const isMemoryFault = (error: unknown): boolean =>
  /^Out of Memory Error|std::bad_alloc/.test(messageOf(error));

/** The message of any error. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
