// Owns finding which columns fix which: refuted by a sample where that is cheap, confirmed over every row.
// Never says what follows from it; synthesise.ts does.

import { identifier, readRows } from '../lake/duckdb.ts';
import type { ColumnEvidence, Dependency } from '../model.ts';
import { isGiven } from './casts.ts';
import { chanceOf } from './chance.ts';
import { canName } from './column-kind.ts';
import { keyRank } from './keys.ts';
import type { Measured } from './measured.ts';

/** Columns that are asked what they fix, the likeliest first. */
const MOST_FROM = 40;
/** Up to this many rows all are looked at at once. */
const SAMPLED_FROM = 100_000;
const SAMPLE_ROWS = 20_000;
const SAMPLE_GROUPS = 2_000;
/** Above this share of exceptions in the sample nobody will ask for the exact number. */
const HOPELESS = 0.25;

/**
 * What each column that can name things, and repeats, fixes. Rows where it is NULL or empty are left out; in the other
 * column NULL is a value. Columns with more different values than it cannot be fixed by it and are left out, as are
 * constants: everything fixes them.
 */
export const findDependencies = async (
  measured: Measured,
  columns: readonly ColumnEvidence[],
  onFrom: (done: number, total: number) => void = () => {},
): Promise<Dependency[]> => {
  const from = columns
    .filter(({ kind, distinct, rows }) => canName(kind) && distinct > 1 && distinct <= rows * 0.95)
    .sort((one, other) => keyRank(one) - keyRank(other))
    .slice(0, MOST_FROM);
  const found: Dependency[] = [];
  for (const [at, one] of from.entries()) {
    const to = columns.filter((other) => other !== one && canDepend(other, one));
    if (to.length > 0) found.push(...(await dependenciesOf(measured, one, to)));
    onFrom(at + 1, from.length);
  }
  return found;
};

/** Whether there are few enough different values; rows without the one may have any number of the other. */
const canDepend = (other: ColumnEvidence, one: ColumnEvidence): boolean => {
  if (other.kind === 'constant' || other.kind === 'empty') return false;
  const groups = one.distinct - Math.min(1, one.empties);
  const without = one.nulls + one.empties;
  return without > 0
    ? other.distinct <= groups + without
    : other.distinct + Math.min(1, other.nulls) <= groups;
};

const dependenciesOf = async (
  measured: Measured,
  from: ColumnEvidence,
  to: readonly ColumnEvidence[],
): Promise<Dependency[]> => {
  const found: Dependency[] = [];
  let left = to;
  if (measured.rows > SAMPLED_FROM) {
    const sampled = await countExceptions(measured, from, to, sampleOf(measured, from));
    left = to.filter((_, at) => (sampled.exceptions[at] as number) <= sampled.groups * HOPELESS);
    for (const [at, { column }] of to.entries()) {
      const exceptions = sampled.exceptions[at] as number;
      if (exceptions <= sampled.groups * HOPELESS) continue;
      const { groups } = sampled;
      found.push({
        ...{ from: from.column, to: column, groups, exceptions, exact: false, chance: 0 },
      });
    }
  }
  if (left.length === 0) return found;
  const { groups, rows, exceptions } = await countExceptions(measured, from, left);
  for (const [at, { column, agreement }] of left.entries()) {
    const count = exceptions[at] as number;
    const chance = count === 0 ? Math.round(chanceOf(rows, groups, agreement) * 10) / 10 : 0;
    found.push({
      ...{ from: from.column, to: column, groups, exceptions: count, exact: true, chance },
    });
  }
  return found;
};

/**
 * Whole groups, where a column has many: rows drawn at random would hardly ever be of one group. Rows spread over the
 * table where it has few.
 */
const sampleOf = ({ rows }: Measured, { column, distinct }: ColumnEvidence): string => {
  const buckets = Math.floor(distinct / SAMPLE_GROUPS);
  if (buckets > 1) return ` AND hash(${identifier(column)}) % ${buckets} = 0`;
  return ` AND rowid % ${Math.floor(rows / SAMPLE_ROWS)} = 0`;
};

const countExceptions = async (
  { connection, table }: Measured,
  from: ColumnEvidence,
  to: readonly ColumnEvidence[],
  sample = '',
): Promise<{ groups: number; rows: number; exceptions: number[] }> => {
  const key = identifier(from.column);
  const differs = to.map(({ column }, at) => {
    const c = identifier(column);
    return `(min(${c}) IS DISTINCT FROM max(${c}) OR count(${c}) NOT IN (0, count(*))) AS d${at}`;
  });
  const counts = to.map((_, at) => `count(*) FILTER (d${at})`);
  const [row = []] = await readRows(
    connection,
    `SELECT count(*), coalesce(sum(n), 0), ${counts.join(', ')} FROM (
       SELECT count(*) AS n, ${differs.join(', ')} FROM ${table}
       WHERE ${isGiven(key)}${sample} GROUP BY ${key})`,
  );
  const [groups, rows, ...exceptions] = row.map(Number) as [number, number, ...number[]];
  return { groups, rows, exceptions };
};
