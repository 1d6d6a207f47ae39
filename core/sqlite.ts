// Owns the only import of better-sqlite3: how a SQLite file is opened, here and nowhere else.
// Never knows a table.

import Database from 'better-sqlite3';

export type SqliteDatabase = Database.Database;

export interface SqliteOptions {
  readonly readonly?: boolean;
  /** How long a call waits for another process's lock, in ms. */
  readonly timeoutMs?: number;
}

/**
 * Opens a SQLite file, creating it unless `readonly`.
 * The native part comes from STRATA_SQLITE_BINDING where the set-up had to build it (Node-API below 10).
 * Throws SqliteError as better-sqlite3 gives it; callers turn it into an AppError.
 */
export const openSqlite = (path: string, options: SqliteOptions = {}): SqliteDatabase => {
  const binding = process.env.STRATA_SQLITE_BINDING;
  return new Database(path, {
    readonly: options.readonly ?? false,
    fileMustExist: options.readonly ?? false,
    timeout: options.timeoutMs ?? 5_000,
    ...(binding ? { nativeBinding: binding } : {}),
  });
};

/** Whether an error is SQLite's own, and which: `SQLITE_BUSY`, `SQLITE_CORRUPT` ...; undefined otherwise. */
export const sqliteCode = (error: unknown): string | undefined =>
  error instanceof Database.SqliteError ? error.code : undefined;
