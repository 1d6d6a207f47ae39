// Owns measuring records in a test as a promotion measures a stream: a table of text in a DuckDB of its own.
// Never lands anything.

import { DuckDBInstance } from '@duckdb/node-api';
import type { Profile } from '../../core/model.ts';
import { measure } from '../../core/ontology/measure.ts';
import type { Measured } from '../../core/ontology/measured.ts';

/** A record as a producer sends it; a number is its own text. */
export type Sent = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A table with the records, columns in order of first sight, and `_batch_id` and `_line`. */
const tableOf = async (records: readonly Sent[]): Promise<Measured & { columns: string[] }> => {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const names = [...columns.map((name) => `"${name.replaceAll('"', '""')}" VARCHAR`)];
  await connection.run(
    `CREATE TABLE t (${[...names, '_batch_id VARCHAR', '_line BIGINT'].join(', ')})`,
  );
  const appender = await connection.createAppender('t');
  for (const [at, record] of records.entries()) {
    for (const column of columns) {
      const value = record[column];
      if (value === null || value === undefined) appender.appendNull();
      else appender.appendVarchar(String(value));
    }
    appender.appendVarchar('b');
    appender.appendBigInt(BigInt(at + 1));
    appender.endRow();
  }
  appender.closeSync();
  return { connection, table: 't', rows: records.length, columns };
};

/** The profile of the records as those of a stream. */
export const profileOf = async (stream: string, records: readonly Sent[]): Promise<Profile> => {
  const table = await tableOf(records);
  return measure(table, stream, table.columns);
};
