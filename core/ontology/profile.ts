// Owns measuring the columns of a snapshot: counts, ranges, top values, the type with its exact failures.
// Never changes anything; it reads one table.

import { identifier, readRows } from '../lake/duckdb.ts';
import type { CastEvidence, ColumnEvidence, CountedValue, ReadAs } from '../model.ts';
import { castOf, fails, isGiven } from './casts.ts';
import { canName, kindOf } from './column-kind.ts';
import { decideType } from './decide-type.ts';
import type { Measured } from './measured.ts';
import { countShapes } from './shape-counts.ts';
import { SKETCH_SIZE } from './sketch.ts';
import { unitOf } from './words.ts';

/** How many columns one pass over the table measures. */
const COLUMNS_A_PASS = 40;
const TOP = 5;

interface Counts {
  readonly column: string;
  readonly nulls: number;
  readonly empties: number;
  readonly distinct: number;
  readonly min: string | null;
  readonly max: string | null;
  readonly minLength: number;
  readonly maxLength: number;
}

/** Measures the columns, in their order. `onColumn` hears of each that is done. */
export const profileColumns = async (
  measured: Measured,
  columns: readonly string[],
  onColumn: (done: number) => void = () => {},
): Promise<ColumnEvidence[]> => {
  const counts: Counts[] = [];
  for (let from = 0; from < columns.length; from += COLUMNS_A_PASS) {
    counts.push(...(await countColumns(measured, columns.slice(from, from + COLUMNS_A_PASS))));
  }
  const found: ColumnEvidence[] = [];
  for (const one of counts) {
    found.push(await profileColumn(measured, one));
    onColumn(found.length);
  }
  return found;
};

const countColumns = async (
  { connection, table }: Measured,
  columns: readonly string[],
): Promise<Counts[]> => {
  const each = columns.map((column) => {
    const c = identifier(column);
    return `count(*) - count(${c}), count(*) FILTER (${c} = ''), count(DISTINCT ${c}), min(${c}), max(${c}),
      coalesce(min(length(${c})), 0), coalesce(max(length(${c})), 0)`;
  });
  const [row = []] = await readRows(connection, `SELECT ${each.join(', ')} FROM ${table}`);
  return columns.map((column, at) => {
    const [nulls, empties, distinct, min, max, minLength, maxLength] = row.slice(
      at * 7,
      at * 7 + 7,
    );
    return {
      ...{ column, nulls: Number(nulls), empties: Number(empties), distinct: Number(distinct) },
      ...{ min: min ?? null, max: max ?? null },
      ...{ minLength: Number(minLength), maxLength: Number(maxLength) },
    };
  });
};

const profileColumn = async (measured: Measured, counts: Counts): Promise<ColumnEvidence> => {
  const { column } = counts;
  const { rows } = measured;
  const given = rows - counts.nulls - counts.empties;
  const shapes = await countShapes(measured, column, given);
  const decided = decideType(column, shapes);
  let { near, reason, flags } = decided;
  const asText = { type: 'VARCHAR', format: null, casts: given, fails: 0, failing: [] } as const;
  let readAs: CastEvidence = asText;
  let range = { from: counts.min, to: counts.max };
  if (decided.readAs.type !== 'VARCHAR') {
    const found = await castEvidence(measured, column, decided.readAs);
    // A day that is in no calendar looks like a date; what looks right but does not cast decides as well.
    if (found.fails > 0) {
      reason = `${found.fails} values are no ${found.type}.`;
      near = found;
      flags = [];
    } else {
      readAs = found;
      range = await rangeOf(measured, column, readAs);
      if (counts.empties > 0) flags = [...flags, `${counts.empties} empty texts are read as NULL.`];
    }
  }
  const kind = kindOf({ ...counts, rows, readAs, near });
  return {
    ...{ ...counts, kind, rows, ...range },
    ...(await valuesOf(measured, counts)),
    ...{ readAs, reason, flags, unit: unitOf(column) },
    near: near ? await castEvidence(measured, column, near) : null,
    sketch: canName(kind) ? await sketchOf(measured, column) : [],
  };
};

/** How a column's given values take to a type, exactly, with the most frequent ones that do not. */
export const castEvidence = async (
  { connection, table }: Pick<Measured, 'connection' | 'table'>,
  column: string,
  { type, format }: ReadAs,
): Promise<CastEvidence> => {
  const c = identifier(column);
  const readAs = { type, format };
  const failing = fails(c, readAs);
  const [row = []] = await readRows(
    connection,
    `SELECT count(*) FILTER (${isGiven(c)}), count(*) FILTER (${failing}) FROM ${table}`,
  );
  const [given, failed] = row.map(Number) as [number, number];
  const examples =
    failed === 0
      ? []
      : await readRows(
          connection,
          `SELECT ${c}, count(*) FROM ${table} WHERE ${failing} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${TOP}`,
        );
  return { ...readAs, casts: given - failed, fails: failed, failing: examples.map(counted) };
};

const counted = ([value, rows]: readonly (string | null)[]): CountedValue => ({
  value: value ?? '',
  rows: Number(rows),
});

/** Least and greatest value as the type compares them. */
const rangeOf = async (
  { connection, table }: Measured,
  column: string,
  { type, format }: ReadAs,
): Promise<{ from: string | null; to: string | null }> => {
  const value = castOf(identifier(column), { type, format });
  const of = type === 'JSON' ? `(${value})::VARCHAR` : value;
  const sql = `SELECT min(${of})::VARCHAR, max(${of})::VARCHAR FROM ${table}`;
  const [[from, to] = []] = await readRows(connection, sql);
  return { from: from ?? null, to: to ?? null };
};

/** The most frequent values, and how likely two rows agree. */
const valuesOf = async (
  { connection, table, rows }: Measured,
  { column, distinct, nulls }: Counts,
): Promise<{ top: CountedValue[]; agreement: number }> => {
  const c = identifier(column);
  const isUnique = distinct === rows - nulls;
  const groups = `(SELECT ${c} AS v, count(*) AS n FROM ${table} GROUP BY 1)`;
  if (isUnique) {
    const some = await readRows(
      connection,
      `SELECT ${c}, 1 FROM ${table} WHERE ${c} IS NOT NULL LIMIT 3`,
    );
    const shares = [nulls / rows, ...(distinct > 0 ? [1 / rows] : [])];
    const agreement = (shares[0] as number) ** 2 + distinct * (shares[1] ?? 0) ** 2;
    return { top: some.map(counted), agreement };
  }
  const found = await readRows(
    connection,
    `WITH g AS MATERIALIZED ${groups}
     SELECT v, n, (SELECT sum((n / ${rows}::DOUBLE) * (n / ${rows}::DOUBLE)) FROM g) FROM g
     WHERE v IS NOT NULL ORDER BY n DESC, v LIMIT ${TOP}`,
  );
  return { top: found.map(counted), agreement: Number(found[0]?.[2] ?? 1) };
};

// MD5 and not DuckDB's own hash: a model outlives a version of DuckDB.
const sketchOf = async ({ connection, table }: Measured, column: string): Promise<string[]> => {
  const c = identifier(column);
  const rows = await readRows(
    connection,
    `SELECT md5_number_lower(v) AS h FROM (SELECT DISTINCT ${c} AS v FROM ${table} WHERE ${isGiven(c)})
     ORDER BY h LIMIT ${SKETCH_SIZE}`,
  );
  return rows.map(([hash]) => hash as string);
};
