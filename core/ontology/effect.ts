// Owns what a type of a plan does to the rows of a snapshot, in rows: a sample, those that fail, keys that repeat.
// Never changes anything.

import { identifier, readRows } from '../lake/duckdb.ts';
import type { FailingRow, ObjectType, TypeEffect } from '../model.ts';
import {
  disagrees,
  failingRows,
  keyValues,
  repeatedKeys,
  snapshotQuery,
  type TypeCheck,
  typedRows,
} from './check.ts';
import { queryOf } from './generate.ts';
import type { Measured } from './measured.ts';

const SHOWN_ROWS = 20;
const SHOWN_KEYS = 5;

/** What the type does, beside what its check counted. */
export const effectOf = async (
  measured: Measured,
  type: ObjectType,
  stream: string,
  check: TypeCheck,
): Promise<TypeEffect> => {
  const { connection, table } = measured;
  const sample = await readSample(measured, snapshotQuery(type, stream, table));
  const failing: FailingRow[] = [];
  for (const attribute of type.attributes) {
    const sql = failingRows(type, attribute, stream, table);
    if (!sql || !check.casts[attribute.name]?.fails || failing.length >= SHOWN_ROWS) continue;
    const rows = await readRows(connection, `${sql} LIMIT ${SHOWN_ROWS - failing.length}`);
    for (const [value, batchId, line] of rows) {
      failing.push({
        ...{ attribute: attribute.name, value: value ?? '' },
        ...{ batchId: batchId ?? '', line: Number(line) },
      });
    }
  }
  const repeated =
    check.repeated === 0
      ? []
      : await readRows(
          connection,
          `${repeatedKeys(measured, keyValues(type, { stream, number: 0 }))} ORDER BY n DESC LIMIT ${SHOWN_KEYS}`,
        );
  return {
    ...{ type: type.id, rows: check.rows, columns: sample.columns, sample: sample.rows },
    fails: Object.values(check.casts).reduce((sum, { fails }) => sum + fails, 0),
    ...{ failing, withoutKey: check.withoutKey, repeated: check.repeated },
    repeatedKeys: repeated.map((row) => row.slice(0, -1)),
    conflicts: await conflictExamples(measured, type, stream, check),
    sql: queryOf(type),
  };
};

const readSample = async (
  { connection }: Measured,
  query: string,
): Promise<{ columns: string[]; rows: (string | null)[][] }> => {
  const described = await readRows(connection, `DESCRIBE (${query})`);
  const columns = described.map(([name]) => name as string);
  // DuckDB writes values as text exactly; JavaScript would not.
  const texts = columns.map((name) => `${identifier(name)}::VARCHAR`);
  const rows = await readRows(
    connection,
    `SELECT ${texts.join(', ')} FROM (${query}) LIMIT ${SHOWN_ROWS}`,
  );
  return { columns, rows };
};

const conflictExamples = async (
  { connection, table }: Measured,
  type: ObjectType,
  stream: string,
  { conflicts }: TypeCheck,
): Promise<TypeEffect['conflicts']> => {
  const found: TypeEffect['conflicts'][number][] = [];
  const names = type.key.map(identifier);
  for (const attribute of type.attributes) {
    const keys = conflicts[attribute.name] ?? 0;
    if (keys === 0) continue;
    const shown = names.map((name) => `${name}::VARCHAR`).join(` || ' · ' || `);
    const rows = await readRows(
      connection,
      `SELECT ${shown} FROM (${typedRows(type, stream, table)})
       WHERE ${names.map((name) => `${name} IS NOT NULL`).join(' AND ')}
       GROUP BY ${names.join(', ')} HAVING ${disagrees(attribute)} ORDER BY 1 LIMIT ${SHOWN_KEYS}`,
    );
    found.push({ attribute: attribute.name, keys, examples: rows.map(([key]) => key ?? null) });
  }
  return found;
};
