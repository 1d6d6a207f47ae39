// Owns what a merge reads: files in order, in portions that fit in bounded memory, all with the same columns.
// Never writes.

import {
  type DuckDBConnection,
  globLiteral,
  identifier,
  type OpenDuckdb,
  openDuckdb,
} from '../duckdb.ts';
import type { ManifestBatch } from './manifest.ts';

/** A file to be merged. */
export interface MergeFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly rows: number;
  /** How many batches are in it. */
  readonly batchCount: number;
}

/** What a comparison knows of a batch. */
export type ComparedBatch = Pick<ManifestBatch, 'batchId' | 'rows' | 'bodyBytes'>;

/** A file with its batches, in the order of their rows. */
export interface MergeInput extends MergeFile {
  readonly batches: readonly ComparedBatch[];
}

/** Files with their batches, which follow one another in one list: so both can be told to another process in parts. */
export const inputsOf = (
  files: readonly MergeFile[],
  batches: readonly ComparedBatch[],
): MergeInput[] => {
  let at = 0;
  return files.map((file) => {
    const from = at;
    at += file.batchCount;
    return { ...file, batches: batches.slice(from, at) };
  });
};

/** The most files, columns of files, and bytes of bodies, that are open at a time. */
const PORTION_FILES = 500;
const PORTION_COLUMNS = 50_000;
const PORTION_BYTES = 64 * 1024 * 1024;

/**
 * DuckDB keeps something of every file that it has read for as long as it is open (measured: 17 kB each), so it is
 * opened anew after so many.
 */
const FILES_A_DATABASE = 2_000;

/** Cuts inputs into portions, in order. */
export const portionsOf = (inputs: readonly MergeInput[], columns: number): MergeInput[][] => {
  const most = Math.max(1, Math.min(PORTION_FILES, Math.floor(PORTION_COLUMNS / (columns + 2))));
  const portions: MergeInput[][] = [];
  let bytes = 0;
  for (const input of inputs) {
    const size = input.batches.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
    const last = portions.at(-1);
    if (last && last.length < most && bytes + size <= PORTION_BYTES) {
      last.push(input);
      bytes += size;
    } else {
      portions.push([input]);
      bytes = size;
    }
  }
  return portions;
};

/** A database in memory for merging, which is opened anew when it has read many files. */
export interface MergeDesk {
  /** The connection for the next `files` files. */
  connection(files: number): Promise<DuckDBConnection>;
  close(): void;
}

/** A desk whose `shape` table has these columns, `_batch_id` and `_line`; `spill` is a folder of its own. */
export const openMergeDesk = (
  columns: readonly string[],
  memoryBytes: number,
  spill: string,
  signal: AbortSignal,
): MergeDesk => {
  let open: OpenDuckdb | undefined;
  let read = 0;
  const onAbort = (): void => open?.connection.interrupt();
  signal.addEventListener('abort', onAbort);
  const close = (): void => {
    open?.close();
    open = undefined;
  };
  return {
    connection: async (files) => {
      signal.throwIfAborted();
      if (read > 0 && read + files > FILES_A_DATABASE) {
        close();
        read = 0;
      }
      read += files;
      if (!open) {
        open = await openDuckdb(':memory:', {
          memory_limit: `${memoryBytes}B`,
          // One, so that rows stay in order without being held back, and landing has a processor left.
          threads: '1',
          temp_directory: spill,
          autoinstall_known_extensions: 'false',
          autoload_known_extensions: 'false',
        });
        const fields = columns.map((name) => `${identifier(name)} VARCHAR, `).join('');
        await open.connection.run(`CREATE TABLE shape (${fields}_batch_id VARCHAR, _line BIGINT)`);
        await open.connection.run('CREATE TABLE places (_batch_id VARCHAR, first BIGINT)');
      }
      return open.connection;
    },
    close: () => {
      signal.removeEventListener('abort', onAbort);
      close();
    },
  };
};

/** Rows of files in their order, with every column of the shape. */
export const rowsOf = (paths: readonly string[]): string => {
  const list = paths.map((path) => globLiteral(path, '')).join(', ');
  return `(FROM shape UNION ALL BY NAME
    FROM read_parquet([${list}], union_by_name = true, hive_partitioning = false))`;
};
