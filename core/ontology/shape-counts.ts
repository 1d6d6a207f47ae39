// Owns counting what the values of a column look like: a sample says which shapes are worth a pass over all rows.
// Never decides; decide-type.ts does.

import { identifier, readRows } from '../lake/duckdb.ts';
import { castOf, hasShape, isGiven, SHAPES } from './casts.ts';
import type { ShapeCounts } from './decide-type.ts';
import type { Measured } from './measured.ts';

/** Rows of the sample. */
const SAMPLE_ROWS = 10_000;
/** A family of shapes that fewer of the sample's values have is not what the column is. */
const WORTH = 0.5;

const BARE_EXPONENT = '[0-9]+[eE][0-9]+';
const LEADING_ZERO = '[+-]?0[0-9]+([.][0-9]+)?';
const PLUS = '[+][0-9]+([.][0-9]+)?';
const NANOSECONDS =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{7,}( ?(Z|z|[+-][0-9]{2}(:?[0-9]{2})?))?';
const PARTS = '([0-9]{1,2})([/.-])([0-9]{1,2})([/.-])([0-9]{4})( [0-9]{2}:[0-9]{2}(:[0-9]{2})?)?';
const OFFSET = '(Z|z|[+-][0-9]{2}(:?[0-9]{2})?)$';

type Counter = readonly [name: keyof ShapeCounts, condition: string];

/** Counters, by family: those of one are only worth counting together. */
const familiesOf = (v: string): Record<string, readonly Counter[]> => {
  const shaped = (shape: string): string => hasShape(v, shape);
  const casts = (type: Parameters<typeof castOf>[1]['type']): string =>
    `${castOf(v, { type, format: null })} IS NOT NULL`;
  const part = (at: number): string =>
    `TRY_CAST(regexp_extract(${v}, '${PARTS}', ${at}) AS BIGINT)`;
  // Both orders have to leave a day and a month that can be.
  const isDay = `${shaped(PARTS)} AND regexp_extract(${v}, '${PARTS}', 2) = regexp_extract(${v}, '${PARTS}', 4)
    AND least(${part(1)}, ${part(3)}) BETWEEN 1 AND 12 AND greatest(${part(1)}, ${part(3)}) BETWEEN 1 AND 31`;
  return {
    number: [
      ['integer', shaped(SHAPES.integer)],
      ['decimal', shaped(SHAPES.decimal)],
      ['scientific', shaped(SHAPES.scientific)],
      ['bareExponent', shaped(BARE_EXPONENT)],
      ['leadingZero', shaped(LEADING_ZERO)],
      ['plus', shaped(PLUS)],
      ['negative', `${shaped(SHAPES.integer)} AND ${v} LIKE '-%'`],
      ['beyondBigint', `${shaped(SHAPES.integer)} AND TRY_CAST(${v} AS BIGINT) IS NULL`],
    ],
    day: [
      ['date', casts('DATE')],
      ['timestamp', casts('TIMESTAMP')],
      ['timestamptz', casts('TIMESTAMPTZ')],
      ['nanoseconds', shaped(NANOSECONDS)],
    ],
    parts: [
      ['parts', isDay],
      ['dayFirst', `${isDay} AND ${part(1)} > 12`],
      ['monthFirst', `${isDay} AND ${part(3)} > 12`],
      ['partsWithClock', `${isDay} AND ${v} LIKE '% %'`],
    ],
    boolean: [['boolean', shaped(SHAPES.boolean)]],
    time: [['time', casts('TIME')]],
    uuid: [['uuid', shaped(SHAPES.uuid)]],
    json: [['json', casts('JSON')]],
  };
};

const NOTHING: Omit<ShapeCounts, 'given'> = {
  ...{
    integer: 0,
    decimal: 0,
    scientific: 0,
    bareExponent: 0,
    leadingZero: 0,
    plus: 0,
    negative: 0,
  },
  ...{ boolean: 0, date: 0, time: 0, timestamp: 0, timestamptz: 0, nanoseconds: 0 },
  ...{ parts: 0, dayFirst: 0, monthFirst: 0, partsWithClock: 0, uuid: 0, json: 0 },
  ...{ wholeDigits: 0, places: 0, digits: 0, fewestDigits: 0, beyondBigint: 0 },
  ...{ separator: null, seconds: false, offsets: [] },
};

/** Counts the shapes of a column's `given` values, exactly for every shape that the sample did not rule out. */
export const countShapes = async (
  measured: Measured,
  column: string,
  given: number,
): Promise<ShapeCounts> => {
  if (given === 0) return { given, ...NOTHING };
  const v = identifier(column);
  const families = familiesOf(v);
  const step = Math.max(1, Math.floor(measured.rows / SAMPLE_ROWS));
  const where = `${isGiven(v)}${step > 1 ? ` AND rowid % ${step} = 0` : ''}`;
  const sampled = await count(measured, Object.values(families).flat(), where);
  // A column that is given in few rows may have none in the sample.
  const all = sampled.given === 0;
  const worth = Object.values(families).filter(
    (counters) =>
      all ||
      (counters.some(([name]) => Number(sampled.counts[name] ?? 0) > 0) &&
        sum(sampled, counters) >= sampled.given * WORTH),
  );
  if (worth.length === 0) return { given, ...NOTHING };
  const exact = await count(measured, worth.flat(), isGiven(v));
  const counts = { given, ...NOTHING, ...exact.counts } as ShapeCounts;
  return { ...counts, ...(await detailsOf(measured, v, counts)) };
};

interface Counted {
  readonly given: number;
  readonly counts: Readonly<Partial<Record<keyof ShapeCounts, number>>>;
}

const sum = ({ counts }: Counted, counters: readonly Counter[]): number =>
  counters.reduce((total, [name]) => total + (counts[name] ?? 0), 0);

const count = async (
  { connection, table }: Measured,
  counters: readonly Counter[],
  where: string,
): Promise<Counted> => {
  const columns = counters.map(([, condition]) => `count(*) FILTER (${condition})`);
  const [row = []] = await readRows(
    connection,
    `SELECT ${['count(*)', ...columns].join(', ')} FROM ${table} WHERE ${where}`,
  );
  const [given, ...rest] = row.map(Number) as [number, ...number[]];
  return {
    given,
    counts: Object.fromEntries(counters.map(([name], at) => [name, rest[at] as number])),
  };
};

/** What the rules ask about the family that the column turned out to be. */
const detailsOf = async (
  { connection, table }: Measured,
  v: string,
  counts: ShapeCounts,
): Promise<Partial<ShapeCounts>> => {
  if (counts.integer + counts.decimal + counts.scientific > 0) {
    const number = `regexp_replace(${v}, '^-|[eE].*$', '', 'g')`;
    const shape = `-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?`;
    const [row = []] = await readRows(
      connection,
      `SELECT max(length(split_part(n, '.', 1))), max(length(split_part(n, '.', 2))),
         max(length(ltrim(replace(n, '.', ''), '0'))), min(length(replace(n, '.', '')))
       FROM (SELECT ${number} AS n FROM ${table} WHERE ${hasShape(v, shape)})`,
    );
    const [wholeDigits, places, digits, fewestDigits] = row.map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return { wholeDigits, places, digits, fewestDigits };
  }
  if (counts.timestamptz > 0) {
    const rows = await readRows(
      connection,
      `SELECT regexp_extract(${v}, '${OFFSET}', 1) AS o, count(*) FROM ${table}
       WHERE ${hasShape(v, SHAPES.timestamptz)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`,
    );
    return { offsets: rows.map(([offset, n]) => ({ offset: offset as string, rows: Number(n) })) };
  }
  if (counts.parts > 0) {
    const [row = []] = await readRows(
      connection,
      `SELECT CASE WHEN count(DISTINCT s) = 1 THEN min(s) END, bool_and(t <> '') AND true, count(DISTINCT t <> '')
       FROM (SELECT regexp_extract(${v}, '${PARTS}', 2) AS s, regexp_extract(${v}, '${PARTS}', 7) AS t
         FROM ${table} WHERE ${hasShape(v, PARTS)})`,
    );
    const [separator, seconds, kinds] = row;
    // With and without seconds are two ways of writing.
    return { separator: kinds === '1' ? (separator ?? null) : null, seconds: seconds === 'true' };
  }
  return {};
};
