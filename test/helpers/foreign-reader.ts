// Owns reading kb.duckdb as a program that is not Strata does: its own DuckDB, opened for reading only.
// Never writes, and knows nothing of the folder but the one file.

import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** A table's content, cells by column position: duplicate or odd names cannot be lost. */
export interface TableContent {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface ForeignReader {
  read(sql: string): Promise<TableContent>;
  close(): void;
}

/** Opens the kb.duckdb of a knowledgebase for reading. */
export const openForeignReader = async (knowledgebase: string): Promise<ForeignReader> => {
  const instance = await DuckDBInstance.create(join(knowledgebase, 'kb.duckdb'), {
    access_mode: 'READ_ONLY',
  });
  const connection = await instance.connect();
  return {
    read: async (sql) => {
      const result = await connection.runAndReadAll(sql);
      const columns = Array.from({ length: result.columnCount }, (_, at) => result.columnName(at));
      return { columns, rows: result.getRows() };
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

const OWN = new Set(['_batch_id', '_line', 'filename']);

/** What a stream's view has without Strata's own columns. */
export const readProducerColumns = async (
  reader: ForeignReader,
  stream: string,
): Promise<TableContent> => {
  const { columns, rows } = await reader.read(`SELECT * FROM raw_extracted."stream_${stream}"`);
  const kept = columns.flatMap((name, at) => (OWN.has(name) ? [] : [at]));
  return {
    columns: kept.map((at) => columns[at] as string),
    rows: rows.map((row) => kept.map((at) => row[at])),
  };
};
