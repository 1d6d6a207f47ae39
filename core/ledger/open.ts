// Owns opening the ledger: its file, its pragmas, its schema's version.
// Never knows what a table means; each table's file does.

import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { openSqlite, type SqliteDatabase, sqliteCode } from '../sqlite.ts';
import { type AlertTable, alertTable } from './alerts.ts';
import { type AttemptTable, attemptTable } from './attempts.ts';
import { type BatchTable, batchTable } from './batches.ts';
import { type ColumnTable, columnTable } from './columns.ts';
import { type CompactedFileTable, compactedFileTable } from './compacted-files.ts';
import { type CompactionTable, compactionTable } from './compactions.ts';
import { type EventTable, eventTable } from './events.ts';
import { landedLately, type ReadLandedLately } from './landed-lately.ts';
import { type LedgerMarks, ledgerMarks } from './marks.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { type ModelVersionTable, modelVersionTable } from './model-versions.ts';
import { type PromotionTable, promotionTable } from './promotions.ts';
import { type QueryTable, queryTable } from './queries.ts';
import { type QueryCostTable, queryCostTable } from './query-costs.ts';
import { forgetFolder, type LedgerMemory, rememberFolder, salvageMemory } from './rebuild.ts';
import { type RefusalTable, refusalTable } from './refusals.ts';
import { type ChunkTable, chunkTable } from './reject-chunks.ts';
import { type RejectLists, rejectLists } from './reject-lists.ts';
import { type RejectTable, rejectTable } from './rejects.ts';
import { type StreamTable, streamTable } from './streams.ts';

/** An open ledger: its tables, and transactions over them. */
export interface Ledger {
  readonly path: string;
  readonly streams: StreamTable;
  readonly batches: BatchTable;
  readonly landedLately: ReadLandedLately;
  readonly columns: ColumnTable;
  readonly compactedFiles: CompactedFileTable;
  readonly compactions: CompactionTable;
  readonly queryCosts: QueryCostTable;
  readonly rejects: RejectTable;
  readonly rejectLists: RejectLists;
  readonly rejectChunks: ChunkTable;
  readonly attempts: AttemptTable;
  readonly refusals: RefusalTable;
  readonly events: EventTable;
  readonly queries: QueryTable;
  readonly alerts: AlertTable;
  readonly modelVersions: ModelVersionTable;
  readonly promotions: PromotionTable;
  /** For telling what others have changed. */
  readonly marks: LedgerMarks;
  /** Runs `work` in one immediate transaction: all of it is in the ledger afterwards, or none. */
  transaction<T>(work: () => T): T;
  /** As `transaction`, and it survives a power cut from then on. */
  durably<T>(work: () => T): T;
  /** Whether the file this handle writes is still the one at its path; false when it was removed or replaced. */
  inPlace(): boolean;
  /** SQLite's own check; an empty list when the file is sound. */
  faults(): string[];
  /** Empties what the folder can fill again; returns what it cannot. Only a rebuild may. */
  forget(): LedgerMemory;
  /** What `forget` would return, as far as a damaged file can be read; changes nothing. */
  salvage(): LedgerMemory;
  /** Puts back what `forget` or `salvage` returned, after the folder was read. */
  remember(memory: LedgerMemory): void;
  close(): void;
}

/**
 * Opens a ledger and brings its schema up to date, creating the file where there is none.
 *
 * Write-ahead logging without a sync per commit is enough: the Parquet folder is the truth, and what a power
 * cut takes from the log is recorded again when the knowledgebase opens (SQLite: Write-Ahead Logging, 3.2).
 *
 * Throws `ledger_broken` when the file is not a sound database, `format_too_new` when a newer Strata made it,
 * `folder_not_writable` when it cannot be written.
 */
export const openLedger = (path: string): Ledger => {
  for (const giveUpAtMs = Date.now() + PATIENCE_MS; ; ) {
    try {
      return openOnce(path);
    } catch (error) {
      if (!isContended(error) || Date.now() > giveUpAtMs) throw ledgerFault(error, path);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
};

/** How long opening waits for other processes that open, make or replace the same ledger. */
const PATIENCE_MS = 5_000;

/** SQLite does not wait by itself while a file turns to write-ahead logging, nor for one that was moved meanwhile. */
const isContended = (error: unknown): boolean =>
  /^SQLITE_(BUSY|PROTOCOL|READONLY_DBMOVED|IOERR_SHORT_READ)/.test(sqliteCode(error) ?? '');

const openOnce = (path: string): Ledger => {
  const db = openSqlite(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('temp_store = MEMORY');
    // 4 MB: better-sqlite3 is built with 16, which a ledger fills as it grows; what is asked for often is less.
    db.pragma('cache_size = -4000');
    migrate(db, path);
    return tables(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
};

/** The version a ledger's schema has after all migrations. */
const LEDGER_VERSION = MIGRATIONS.length;

const migrate = (db: SqliteDatabase, path: string): void => {
  const current = (): number => db.pragma('user_version', { simple: true }) as number;
  if (current() > LEDGER_VERSION) {
    throw new AppError(
      'format_too_new',
      `The ledger has version ${current()}; this Strata knows ${LEDGER_VERSION}: ${path}.`,
    );
  }
  if (current() === LEDGER_VERSION) return;
  // Immediate, and the version is read again inside: two processes may open a new ledger at once.
  db.transaction(() => {
    for (let version = current(); version < LEDGER_VERSION; version += 1) {
      db.exec(MIGRATIONS[version] as string);
      db.pragma(`user_version = ${version + 1}`);
    }
  }).immediate();
};

const tables = (db: SqliteDatabase, path: string): Ledger => {
  const inode = statSync(path).ino;
  let isClosed = false;
  const streams = streamTable(db);
  // Made once: making a transaction function costs as much as a statement.
  const run = db.transaction((work: () => unknown) => work()).immediate;
  return {
    path,
    streams,
    batches: batchTable(db),
    landedLately: landedLately(db),
    columns: columnTable(db),
    compactedFiles: compactedFileTable(db),
    compactions: compactionTable(db),
    queryCosts: queryCostTable(db),
    rejects: rejectTable(db),
    rejectLists: rejectLists(db),
    rejectChunks: chunkTable(db),
    attempts: attemptTable(db),
    refusals: refusalTable(db),
    events: eventTable(db),
    queries: queryTable(db),
    alerts: alertTable(db),
    modelVersions: modelVersionTable(db),
    promotions: promotionTable(db),
    marks: ledgerMarks(db),
    transaction: <T>(work: () => T) => run(work) as T,
    durably: <T>(work: () => T) => {
      // In write-ahead logging FULL syncs the log at each commit (SQLite: PRAGMA synchronous).
      db.pragma('synchronous = FULL');
      try {
        return run(work) as T;
      } finally {
        db.pragma('synchronous = NORMAL');
      }
    },
    // Once this handle lets go of its file, the file system may give its number to the next one.
    inPlace: () => !isClosed && statSync(path, { throwIfNoEntry: false })?.ino === inode,
    faults: () => faultsOf(db),
    forget: () => forgetFolder(db),
    salvage: () => salvageMemory(db),
    remember: (memory) => rememberFolder(db, memory, streams.settle),
    close: () => {
      isClosed = true;
      db.close();
    },
  };
};

const faultsOf = (db: SqliteDatabase): string[] => {
  try {
    const lines = db.pragma('quick_check(20)') as { quick_check: string }[];
    // One answer may have several lines, the first of which only names the database.
    return lines
      .flatMap((line) => line.quick_check.split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***'));
  } catch (error) {
    // Some damage ends the check itself.
    if (!isDamage(sqliteCode(error))) throw error;
    return [(error as Error).message];
  }
};

const isDamage = (code: string | undefined): boolean =>
  code === 'SQLITE_NOTADB' || (code?.startsWith('SQLITE_CORRUPT') ?? false);

/** Turns SQLite's errors that a person can do something about into AppErrors; gives back any other as it is. */
export const ledgerFault = (error: unknown, path: string): unknown => {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (isDamage(code)) {
    return new AppError('ledger_broken', `The ledger is damaged: ${path}.`, { cause: error });
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) {
    return new AppError(
      'folder_not_writable',
      `The ledger cannot be opened for writing: ${path}.`,
      {
        cause: error,
      },
    );
  }
  if (code === 'SQLITE_FULL') {
    return new AppError('disk_full', `The disk is full: ${path} could not be opened.`, {
      cause: error,
    });
  }
  return error;
};
