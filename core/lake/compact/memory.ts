// Owns how much memory a merge may take, and what keeps writing its file within that. Never opens a database.

import { literal } from '../duckdb.ts';
import type { MergeInput } from './source.ts';

/** The most memory that DuckDB may use for a merge of bodies of usual size. */
const MERGE_MEMORY_BYTES = 256 * 1024 * 1024;
/** A body is whole in memory several times over while its row group is read and written. */
const TIMES_A_BODY = 24;
/** What a column takes while it is written, whatever is in it. */
const COLUMN_BYTES = 512 * 1024;

/** The most memory that DuckDB may use for a merge of so many columns, by its largest body. */
export const mergeMemory = (largestBody: number, columns: number): number =>
  Math.max(MERGE_MEMORY_BYTES, largestBody * TIMES_A_BODY + columns * COLUMN_BYTES);

/** The same for these inputs. */
export const memoryFor = (inputs: readonly MergeInput[], columns: number): number => {
  let largest = 0;
  for (const { batches } of inputs) {
    for (const { bodyBytes } of batches) largest = Math.max(largest, bodyBytes);
  }
  return mergeMemory(largest, columns);
};

/** Bytes of bodies that a row group may have: a whole one is in memory while it is written, and when it is read. */
const GROUP_BYTES = 64 * 1024 * 1024;
/** Rows of a row group, see docs/compaction.md for what was measured. */
const MOST_GROUP_ROWS = 122_880;
/** DuckDB counts in vectors of so many rows; where they are long, it gets fewer at a time: a file's, or a group's. */
const VECTOR_ROWS = 2_048;
/** What a value takes in DuckDB's memory beside its text, also a null. */
const VALUE_BYTES = 17;

/** What is known of rows before they are written. */
export interface RowSums {
  readonly rows: number;
  readonly bodyBytes: number;
  readonly columns: number;
}

/** What all of them take in DuckDB's memory. */
export const bytesInMemory = ({ rows, bodyBytes, columns }: RowSums): number =>
  bodyBytes + rows * (columns + 2) * VALUE_BYTES;

/** How many rows a row group of them has. */
export const groupRowsOf = ({ rows, bodyBytes, columns }: RowSums): number => {
  const ownBytes = bodyBytes / Math.max(1, rows);
  // One column may have all of it, which is there several times while it is written: in rows, as a page whose room
  // doubles as it fills, and packed.
  if (ownBytes * VECTOR_ROWS > GROUP_BYTES) {
    return Math.max(1, Math.floor(GROUP_BYTES / 4 / ownBytes));
  }
  const fitting = Math.floor(GROUP_BYTES / (ownBytes + (columns + 2) * VALUE_BYTES));
  const vectors = Math.floor(Math.min(MOST_GROUP_ROWS, fitting) / VECTOR_ROWS);
  return Math.max(1, vectors) * VECTOR_ROWS;
};

/**
 * DuckDB takes 1 MiB for the dictionary of a text column before its first value, for all columns of a row group at
 * once; a limit below that is what it takes instead. With as much as two row groups for all of them, a column whose
 * dictionary does not fit has more than twice its share of the group.
 */
const DICTIONARIES_BYTES = 2 * GROUP_BYTES;
const DICTIONARY_BYTES = 1024 * 1024;

const dictionaryOption = (columns: number): string => {
  const bytes = Math.floor(DICTIONARIES_BYTES / (columns + 1));
  return bytes < DICTIONARY_BYTES ? `, STRING_DICTIONARY_PAGE_SIZE_LIMIT ${bytes}` : '';
};

/** How rows are written into a Parquet file. */
export interface Writing {
  readonly target: string;
  /** Columns of the producer. */
  readonly columns: number;
  readonly groupRows: number;
  /** More options of COPY, each after a comma. */
  readonly more?: string;
}

/** The statement that writes rows, in memory that does not grow with them. */
export const copyOf = (rows: string, { target, columns, groupRows, more = '' }: Writing): string =>
  `COPY (${rows}) TO ${literal(target.replaceAll('\\', '/'))}
     (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows}${dictionaryOption(columns)}${more})`;
