// Owns what a grid may ask for, and how its filters read in SQL: values are literals, compared as text. Never runs SQL.

import { AppError } from '../errors.ts';
import { identifier } from '../lake/duckdb.ts';

/** One condition on a column. Text is compared as text; `contains` without case. */
export interface RowFilter {
  readonly column: string;
  readonly is: 'equal' | 'not-equal' | 'contains' | 'null' | 'not-null';
  readonly value?: string | undefined;
}

export interface RowConditions {
  readonly filters: readonly RowFilter[];
  /** Text that any column contains, without case. */
  readonly find?: string | undefined;
}

/** What a grid asks for. */
export interface RowsRequest extends RowConditions {
  readonly order: 'oldest' | 'newest';
  readonly offset: number;
  readonly limit: number;
  /** Rows of the stream to look at: those that had landed when the grid was opened. All of them when left out. */
  readonly before?: number | undefined;
}

/** How each kind of filter reads in SQL. */
const CONDITIONS: Readonly<Record<RowFilter['is'], (name: string, value: string) => string>> = {
  null: (name) => `${name} IS NULL`,
  'not-null': (name) => `${name} IS NOT NULL`,
  equal: (name, value) => `${name} = ${value}`,
  'not-equal': (name, value) => `${name} IS DISTINCT FROM ${value}`,
  contains: (name, value) => `contains(lower(${name}), lower(${value}))`,
};

/** The conditions as one SQL expression. Throws `invalid_argument` for a column that the stream does not have. */
export const conditionOf = (
  { filters, find }: RowConditions,
  columns: readonly string[],
): string => {
  const conditions = filters.map(({ column, is, value }): string => {
    if (!columns.some((name) => name.toLowerCase() === column.toLowerCase())) {
      throw new AppError('invalid_argument', `The stream has no column "${column.slice(0, 60)}".`);
    }
    return CONDITIONS[is](identifier(column), textLiteral(value ?? ''));
  });
  if (find) {
    const any = columns.map((name) => CONDITIONS.contains(identifier(name), textLiteral(find)));
    conditions.push(any.length > 0 ? `(${any.join(' OR ')})` : 'false');
  }
  return `(${conditions.join(' AND ')})`;
};

/** Any text as an SQL expression; a NUL, which a value may have, cannot stand in a literal. */
export const textLiteral = (value: string): string =>
  `(${value
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ')})`;
