// Owns what a type of a plan does to the rows of a snapshot, in counts: what fails, what repeats, what disagrees.
// Never shows rows; effect.ts does.

import { createHash } from 'node:crypto';
import { identifier, readRows } from '../lake/duckdb.ts';
import type { Attribute, CountedValue, Model, ObjectType } from '../model.ts';
import { castOf, fails, isGiven } from './casts.ts';
import { queryOf } from './generate.ts';
import type { Measured } from './measured.ts';
import { castEvidence } from './profile.ts';
import { type Reading, readingsOf, sourceOf } from './readings.ts';

/** How values take to the type of their attribute. */
interface CastCount {
  readonly casts: number;
  readonly fails: number;
  readonly failing: readonly CountedValue[];
}

/** What one type does to the rows of the stream that is promoted. */
export interface TypeCheck {
  readonly type: string;
  /** Of the type as it was checked: another definition has to be checked again. */
  readonly hash: string;
  /** Rows that its view would have. */
  readonly rows: number;
  /** By attribute that the stream feeds. */
  readonly casts: Readonly<Record<string, CastCount>>;
  /** By column, where an attribute has several of the stream. */
  readonly columns?: Readonly<Record<string, CastCount>>;
  readonly withoutKey: number;
  readonly repeated: number;
  /** By attribute of a dimension: keys whose rows disagree. */
  readonly conflicts: Readonly<Record<string, number>>;
}

/** The types that a stream feeds. */
export const fedBy = ({ types }: Model, stream: string): ObjectType[] =>
  types.filter(({ streams }) => streams.includes(stream));

/** Stands for a type's definition as far as a check depends on it. */
export const checkHash = ({ kind, key, attributes }: ObjectType): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, key, attributes.map((one) => [one.name, one.type, one.sources])]))
    .digest('hex')
    .slice(0, 16);

/** The query of a type over a snapshot alone. */
export const snapshotQuery = (type: ObjectType, stream: string, table: string): string =>
  queryOf({ ...type, streams: [stream] }, () => table, [stream]);

/** How an attribute's values are read; undefined where it has no column in the reading. */
const sourceIn = (
  attribute: Attribute,
  reading: Reading,
): { column: string; readAs: { type: Attribute['type']; format: string | null } } | undefined => {
  const source = sourceOf(attribute, reading);
  const { type } = attribute;
  return source && { column: source.column, readAs: { type, format: source.format } };
};

/** Checks a type over every row of the snapshot. */
export const checkType = async (
  measured: Measured,
  type: ObjectType,
  stream: string,
): Promise<TypeCheck> => {
  const casts: Record<string, CastCount> = {};
  const columns: Record<string, CastCount> = {};
  const readings = readingsOf(type, stream);
  for (const attribute of type.attributes) {
    const counts: CastCount[] = [];
    for (const reading of readings) {
      const source = sourceIn(attribute, reading);
      if (!source) continue;
      const found = await castEvidence(measured, source.column, source.readAs);
      counts.push({ casts: found.casts, fails: found.fails, failing: found.failing });
      if (readings.length > 1) columns[source.column] = counts.at(-1) as CastCount;
    }
    if (counts.length > 0) casts[attribute.name] = together(counts);
  }
  // A row is without a key where no reading of it has one.
  const missing = readings.map((reading) => {
    const keys = keyValues(type, reading);
    return `(${keys.map((key) => `(${key}) IS NULL`).join(' OR ') || 'false'})`;
  });
  const withoutKey = await countRows(measured, `${measured.table} WHERE ${missing.join(' AND ')}`);
  const base = {
    ...{ type: type.id, hash: checkHash(type), casts, withoutKey },
    ...(readings.length > 1 ? { columns } : {}),
  };
  if (type.kind === 'fact') {
    const keys = keyValues(type, { stream, number: 0 });
    const repeated =
      keys.length === 0 ? 0 : await countRows(measured, `(${repeatedKeys(measured, keys)})`);
    return { ...base, rows: measured.rows, repeated, conflicts: {} };
  }
  return { ...base, repeated: 0, ...(await conflictsOf(measured, type, stream)) };
};

/** The counts of several columns of one attribute as one. */
const together = (counts: readonly CastCount[]): CastCount => ({
  casts: counts.reduce((sum, { casts }) => sum + casts, 0),
  fails: counts.reduce((sum, { fails: failed }) => sum + failed, 0),
  failing: counts
    .flatMap(({ failing }) => failing)
    .sort((one, other) => other.rows - one.rows)
    .slice(0, MOST_FAILING),
});

/** As many as one column has. */
const MOST_FAILING = 5;

/** The key's values as SQL, NULL where a row has none. */
export const keyValues = (type: ObjectType, reading: Reading): string[] =>
  type.attributes
    .filter(({ name }) => type.key.includes(name))
    .map((attribute) => {
      const source = sourceIn(attribute, reading);
      if (!source) return 'NULL';
      const value = castOf(identifier(source.column), source.readAs);
      return attribute.type === 'VARCHAR' ? `nullif(${value}, '')` : value;
    });

/** Keys that stand in more than one row, and in how many. */
export const repeatedKeys = ({ table }: Measured, keys: readonly string[]): string => {
  const names = keys.map((_, at) => `k${at}`);
  const columns = keys.map((key, at) => `${key} AS k${at}`).join(', ');
  const given = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  return `SELECT ${names.join(', ')}, count(*) AS n FROM (SELECT ${columns} FROM ${table})
    WHERE ${given} GROUP BY ${names.join(', ')} HAVING count(*) > 1`;
};

const countRows = async ({ connection }: Measured, from: string): Promise<number> => {
  const [[count] = []] = await readRows(connection, `SELECT count(*) FROM ${from}`);
  return Number(count);
};

/** Whether the rows of one key disagree on a value, as an aggregate over them. */
export const disagrees = ({ name, type }: Attribute): string => {
  const c = type === 'JSON' ? `${identifier(name)}::VARCHAR` : identifier(name);
  return `min(${c}) IS DISTINCT FROM max(${c})`;
};

/** The typed rows of one stream, as SQL, for aggregates over a key. */
export const typedRows = (type: ObjectType, stream: string, table: string): string =>
  readingsOf(type, stream)
    .map((reading) => rowsOfReading(type, reading, table))
    .join(' UNION ALL ');

const rowsOfReading = (type: ObjectType, reading: Reading, table: string): string => {
  const keys = keyValues(type, reading);
  let at = 0;
  const columns = type.attributes.map((attribute) => {
    const source = sourceIn(attribute, reading);
    const value = type.key.includes(attribute.name)
      ? (keys[at++] as string)
      : source
        ? castOf(identifier(source.column), source.readAs)
        : `CAST(NULL AS ${attribute.type})`;
    return `${value} AS ${identifier(attribute.name)}`;
  });
  return `SELECT ${columns.join(', ')} FROM ${table}`;
};

const conflictsOf = async (
  { connection, table }: Measured,
  type: ObjectType,
  stream: string,
): Promise<Pick<TypeCheck, 'rows' | 'conflicts'>> => {
  const others = type.attributes.filter(({ name }) => !type.key.includes(name));
  const names = type.key.map(identifier);
  const differs = others.map((one, at) => `${disagrees(one)} AS d${at}`);
  const counts = others.map((_, at) => `count(*) FILTER (d${at})`);
  const given = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const [row = []] = await readRows(
    connection,
    `SELECT ${['count(*)', ...counts].join(', ')} FROM (
       SELECT ${['1 AS one', ...differs].join(', ')} FROM (${typedRows(type, stream, table)})
       WHERE ${given} GROUP BY ${names.join(', ')})`,
  );
  const [rows, ...conflicts] = row.map(Number) as [number, ...number[]];
  return {
    rows,
    conflicts: Object.fromEntries(others.map(({ name }, at) => [name, conflicts[at] as number])),
  };
};

/** The first rows whose value does not cast, of one attribute, as SQL. */
export const failingRows = (
  type: ObjectType,
  attribute: Attribute,
  stream: string,
  table: string,
): string | undefined => {
  if (attribute.type === 'VARCHAR') return undefined;
  const failing = readingsOf(type, stream).flatMap((reading) => {
    const source = sourceIn(attribute, reading);
    if (!source) return [];
    const c = identifier(source.column);
    return [
      `SELECT ${c} AS value, _batch_id, _line FROM ${table} WHERE ${isGiven(c)} AND ${fails(c, source.readAs)}`,
    ];
  });
  return failing.length === 0 ? undefined : `SELECT * FROM (${failing.join(' UNION ALL ')})`;
};
