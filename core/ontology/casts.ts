// Owns how a column of text is read as a type: one expression, the same in a profile, a plan and a view.
// Never alters a value: what a type would round, cut or guess is NULL instead, and is counted as failing.

import { AppError } from '../errors.ts';
import { literal } from '../lake/duckdb.ts';
import type { ReadAs, SqlType } from '../model.ts';

const INTEGER = '-?(0|[1-9][0-9]*)';
const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const CLOCK = '[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?';
const OFFSET = '(Z|z|[+-][0-9]{2}(:?[0-9]{2})?)';

/** What the text of each type looks like, beside that it casts. DuckDB alone would take `1.5` for the BIGINT 2, `yes`
 * for true, and cut an offset from a TIMESTAMP. */
export const SHAPES = {
  integer: INTEGER,
  decimal: `${INTEGER}[.][0-9]+`,
  /** A number with an exponent that cannot be taken for a part number such as 12E4. */
  scientific: `${INTEGER}([.][0-9]+[eE][+-]?|[eE][+-])[0-9]+`,
  boolean: '(?i:true|false)',
  date: DAY,
  time: CLOCK,
  timestamp: `${DAY}[T ]${CLOCK}`,
  timestamptz: `${DAY}[T ]${CLOCK} ?${OFFSET}`,
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  json: '(?s:\\s*[\\[{].*)',
} as const;

/** `text` has this shape from end to end. */
export const hasShape = (text: string, shape: string): string =>
  `regexp_full_match(${text}, ${literal(shape)})`;

const DECIMAL = /^DECIMAL\(([1-9]\d?),(\d\d?)\)$/;

const PLAIN: readonly SqlType[] = [
  ...(['VARCHAR', 'BOOLEAN', 'BIGINT', 'HUGEINT', 'DOUBLE', 'DATE', 'TIME'] as const),
  ...(['TIMESTAMP', 'TIMESTAMPTZ', 'UUID', 'JSON'] as const),
];

/** Reads the name of a type. Throws `edit_not_possible` unless it is one that a column can be read as. */
export const sqlTypeOf = (name: string): SqlType => {
  const type = name
    .trim()
    .toUpperCase()
    .replace(/\s*,\s*/, ',') as SqlType;
  const [, precision, scale] = DECIMAL.exec(type) ?? [];
  const isDecimal = Number(precision) <= 38 && Number(scale) <= Number(precision);
  if (isDecimal || PLAIN.includes(type)) return type;
  throw new AppError('edit_not_possible', `"${name.slice(0, 40)}" is no type for a column.`, {
    hint: `Choose ${PLAIN.join(', ')} or DECIMAL(p,s) with p up to 38.`,
  });
};

/** Parts that a format of a DATE or TIMESTAMP may have. */
const FORMAT = /^(%[dmYHMS]|[-/. T:])+$/;

/** Throws `edit_not_possible` unless the type can have this format. */
export const checkFormat = (type: SqlType, format: string | null): void => {
  if (format === null) return;
  const has = (part: string): boolean => format.includes(part);
  const isWhole = FORMAT.test(format) && ['%d', '%m', '%Y'].every(has);
  const isRight = type === 'DATE' ? !has('%H') : type === 'TIMESTAMP' && has('%H') && has('%M');
  if (isWhole && isRight) return;
  throw new AppError(
    'edit_not_possible',
    `"${format}" is no format of ${type === 'VARCHAR' ? 'text' : `a ${type}`}.`,
    {
      hint: 'Formats are of %d %m %Y and, for a TIMESTAMP, %H %M %S, with - / . : T or spaces between.',
    },
  );
};

/** The shape of what a format writes; a day or month may have one digit. */
const shapeOfFormat = (format: string): string =>
  format
    .replaceAll(/[.]/g, '[.]')
    .replaceAll('%Y', '[0-9]{4}')
    .replaceAll(/%[dm]/g, '[0-9]{1,2}')
    .replaceAll(/%[HMS]/g, '[0-9]{2}');

/** An SQL expression of `text` (an expression of type VARCHAR) read as a type; NULL where it cannot be, exactly. */
export const castOf = (text: string, { type, format }: ReadAs): string => {
  const guarded = (shape: string, as: string = type): string =>
    `TRY_CAST(CASE WHEN ${hasShape(text, shape)} THEN ${text} END AS ${as})`;
  const decimal = DECIMAL.exec(type);
  if (decimal) {
    const [, precision, scale] = decimal.map(Number) as [number, number, number];
    const whole = Math.max(1, precision - scale);
    // Zeros after the last place do not change a value; any other digit would be rounded off.
    const places = scale === 0 ? '([.]0*)?' : `([.][0-9]{1,${scale}}0*)?`;
    return guarded(`[+-]?0*[0-9]{1,${whole}}${places}`);
  }
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'BIGINT':
    case 'HUGEINT':
      return guarded('[+-]?[0-9]+');
    case 'DOUBLE':
      return finite(guarded('[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?'));
    case 'BOOLEAN':
      return guarded(SHAPES.boolean);
    case 'DATE':
      return format === null ? guarded(SHAPES.date) : `CAST(${parsed(text, format)} AS DATE)`;
    case 'TIME':
      return guarded(SHAPES.time);
    case 'TIMESTAMP':
      return format === null ? guarded(SHAPES.timestamp) : parsed(text, format);
    case 'TIMESTAMPTZ':
      return guarded(SHAPES.timestamptz);
    case 'UUID':
      return guarded(`(?i:${SHAPES.uuid})`);
    default:
      return guarded(SHAPES.json);
  }
};

const parsed = (text: string, format: string): string =>
  `try_strptime(CASE WHEN ${hasShape(text, shapeOfFormat(format))} THEN ${text} END, ${literal(format)})`;

/** A number too large for a DOUBLE is not infinite. */
const finite = (value: string): string => `nullif(nullif(${value}, 'inf'::DOUBLE), '-inf'::DOUBLE)`;

/** Whether a value is one that a type must take: neither NULL nor the empty text. */
export const isGiven = (text: string): string => `(${text} IS NOT NULL AND ${text} <> '')`;

/** Whether a given value is not taken by the type. */
export const fails = (text: string, readAs: ReadAs): string =>
  readAs.type === 'VARCHAR' ? 'false' : `(${isGiven(text)} AND ${castOf(text, readAs)} IS NULL)`;

/** How near two types are, from 0 to 1. */
export const typeLikeness = (one: SqlType, other: SqlType): number => {
  if (one === other) return 1;
  const family = (type: SqlType): string =>
    /^(BIGINT|HUGEINT|DECIMAL|DOUBLE)/.test(type)
      ? 'number'
      : /^(DATE|TIMESTAMP)/.test(type)
        ? 'time'
        : type;
  return family(one) === family(other) ? 0.7 : 0;
};
