// Owns reading rows of a stream by their place: straight from the files they are in, nothing else is opened.
// Never filters; a filter needs the view, and query.ts.

import { AppError } from '../errors.ts';
import type { GridRow } from '../model.ts';
import {
  type DuckDBConnection,
  globLiteral,
  interruptOnAbort,
  openDuckdb,
  textOf,
} from './duckdb.ts';

/** A piece of a file that is wanted. */
export interface RowRange {
  readonly path: string;
  /** The number in the stream of the first row that is wanted. */
  readonly firstRow: number;
  /** Rows of the file from 0, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Whether that is all of the file. */
  readonly isWhole: boolean;
}

/**
 * The rows of the ranges, which follow each other in the stream, with the given columns; a column that a file does
 * not have is NULL. A page of 100 rows takes as long at row ten million as at row 0: only the files that it lies in
 * are opened. Throws `query_cancelled` when `signal` aborts.
 */
export const readRowRanges = async (
  ranges: readonly RowRange[],
  columns: readonly string[],
  signal?: AbortSignal,
): Promise<GridRow[]> => {
  const [first] = ranges;
  if (!first) return [];
  const duckdb = await openDuckdb(':memory:');
  const letGo = interruptOnAbort(duckdb.connection, signal);
  try {
    const found: GridRow[] = [];
    for (const group of groupsOf(ranges)) {
      signal?.throwIfAborted();
      found.push(...(await readGroup(duckdb.connection, group, columns)));
    }
    signal?.throwIfAborted();
    return found;
  } catch (error) {
    if (signal?.aborted) throw new AppError('query_cancelled', 'The reading was cancelled.');
    throw error;
  } finally {
    letGo();
    duckdb.close();
  }
};

/** Files that are wanted whole are read together; one that is not, by itself. DuckDB keeps their order. */
const groupsOf = (ranges: readonly RowRange[]): RowRange[][] => {
  const groups: RowRange[][] = [];
  for (const range of ranges) {
    const last = groups.at(-1);
    if (range.isWhole && last?.every(({ isWhole }) => isWhole)) last.push(range);
    else groups.push([range]);
  }
  return groups;
};

const readGroup = async (
  connection: DuckDBConnection,
  group: readonly RowRange[],
  columns: readonly string[],
): Promise<GridRow[]> => {
  const paths = group.map(({ path }) => globLiteral(path, ''));
  const { from, firstRow } = group[0] as RowRange;
  const count = group.reduce((sum, range) => sum + range.to - range.from, 0);
  const reader = await connection.runAndReadAll(
    `FROM read_parquet([${paths.join(', ')}], union_by_name = true, hive_partitioning = false)
     LIMIT ${count} OFFSET ${from}`,
  );
  const at = new Map(reader.columnNames().map((name, index) => [name.toLowerCase(), index]));
  const places = columns.map((name) => at.get(name.toLowerCase()) ?? -1);
  const batchAt = at.get('_batch_id') as number;
  const lineAt = at.get('_line') as number;
  return reader.getRows().map((row, index) => ({
    row: firstRow + index,
    batchId: String(row[batchAt]),
    line: Number(row[lineAt]),
    values: places.map((place) => (place < 0 ? null : textOf(row[place]))),
  }));
};
