// Owns finding the candidate keys of a snapshot: one column, or a few together, exact.
// Never chooses one; synthesise.ts does.

import { identifier, readRows } from '../lake/duckdb.ts';
import type { CandidateKey, ColumnEvidence } from '../model.ts';
import { canName } from './column-kind.ts';
import type { Measured } from './measured.ts';
import { isIdName, isLabelName, namesThings } from './words.ts';

/** Columns that a key of several is looked for in, and the most combinations that are checked over all rows. */
const POOL = 12;
const EXACT_CHECKS = 60;
const MOST_COLUMNS = 3;
/** Rows that are enough to refute most combinations. */
const FIRST_ROWS = 20_000;

/** How well a column serves as a key, the best first: by what its name says of it. */
export const keyRank = ({ column, kind }: Pick<ColumnEvidence, 'column' | 'kind'>): number => {
  if (isIdName(column)) return 0;
  if (isLabelName(column)) return 4;
  if (namesThings(column)) return 1;
  return kind === 'time' ? 3 : 2;
};

/** In fewer rows than this, values that are all different say nothing, unless the name says that they are meant to be. */
const FEW_ROWS = 20;

/** Whether a column may be in a key: it is never missing, and that it tells rows apart is no accident. */
const mayBeKey = (column: ColumnEvidence): boolean => {
  const rank = keyRank(column);
  return isWhole(column) && (column.rows >= FEW_ROWS || rank <= 1 || rank === 3);
};

const isWhole = ({ nulls, empties, rows }: ColumnEvidence): boolean =>
  nulls === 0 && empties === 0 && rows > 0;

/**
 * Every column that alone is different in every row, the best first; where there is none, the smallest combinations of
 * two or three. A quantity is no key, even where it happens to be different in every row, nor is a point in time alone.
 */
export const findKeys = async (
  measured: Measured,
  columns: readonly ColumnEvidence[],
): Promise<CandidateKey[]> => {
  const whole = columns.filter(mayBeKey);
  const single = whole
    .filter(({ kind, distinct }) => canName(kind) && distinct === measured.rows)
    .sort((one, other) => keyRank(one) - keyRank(other));
  if (single.length > 0) return single.map(({ column }) => ({ columns: [column] }));
  const pool = whole
    .filter(({ kind, distinct }) => distinct > 1 && (canName(kind) || kind === 'time'))
    .sort((one, other) => keyRank(one) - keyRank(other));
  // A time that is different in every row needs no second column to be so; with one it is a key of last resort.
  const lasting = pool.filter(({ distinct }) => distinct < measured.rows);
  const found = await findCombinations(measured, lasting.slice(0, POOL));
  const keys =
    found.length > 0 ? found : (await findCombinations(measured, pool.slice(0, POOL))).slice(0, 1);
  return keys.map((key) => ({ columns: inOrder(columns, key) }));
};

/** The smallest combinations that are different in every row, those of the best columns first. */
const findCombinations = async (
  measured: Measured,
  pool: readonly ColumnEvidence[],
): Promise<ColumnEvidence[][]> => {
  const found: ColumnEvidence[][] = [];
  let checks = 0;
  for (const some of combinations(pool)) {
    if (checks >= EXACT_CHECKS) break;
    if (found.some((key) => key.every((column) => some.includes(column)))) continue;
    // A key of several is looked for only as long as none of fewer was found.
    if (found[0] && found[0].length < some.length) break;
    const product = some.reduce((times, { distinct }) => times * distinct, 1);
    if (product < measured.rows || !some.some(({ kind }) => canName(kind))) continue;
    if (measured.rows > FIRST_ROWS && !(await areUnique(measured, some, FIRST_ROWS))) continue;
    checks += 1;
    if (await areUnique(measured, some)) found.push(some);
  }
  const rank = (key: readonly ColumnEvidence[]): number =>
    key.reduce((sum, column) => sum + keyRank(column), 0);
  return found.sort((one, other) => rank(one) - rank(other));
};

const inOrder = (columns: readonly ColumnEvidence[], key: readonly ColumnEvidence[]): string[] =>
  columns.filter((one) => key.includes(one)).map(({ column }) => column);

/** Pairs, then threes, those of the best columns first. */
function* combinations(pool: readonly ColumnEvidence[]): Generator<ColumnEvidence[]> {
  for (let size = 2; size <= MOST_COLUMNS; size += 1) yield* ofSize(pool, size, 0);
}

function* ofSize(
  pool: readonly ColumnEvidence[],
  size: number,
  from: number,
): Generator<ColumnEvidence[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at < pool.length; at += 1) {
    for (const rest of ofSize(pool, size - 1, at + 1)) yield [pool[at] as ColumnEvidence, ...rest];
  }
}

const areUnique = async (
  { connection, table, rows }: Measured,
  columns: readonly ColumnEvidence[],
  first = rows,
): Promise<boolean> => {
  const names = columns.map(({ column }) => identifier(column)).join(', ');
  const some = first < rows ? `(SELECT ${names} FROM ${table} LIMIT ${first})` : table;
  const [[different] = []] = await readRows(
    connection,
    `SELECT count(*) FROM (SELECT DISTINCT ${names} FROM ${some})`,
  );
  return Number(different) === Math.min(first, rows);
};
