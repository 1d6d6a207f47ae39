// Owns saying what a column is for, from its name, its type and how its values repeat. Pure.

import type { ColumnKind, ReadAs, SqlType } from '../model.ts';
import { namesThings } from './words.ts';

/** Texts longer than this are for reading; they name nothing. */
const NAME_LENGTH = 64;

export interface KindFacts {
  readonly column: string;
  readonly rows: number;
  readonly nulls: number;
  readonly empties: number;
  /** Different values, the empty one included. */
  readonly distinct: number;
  readonly maxLength: number;
  readonly readAs: ReadAs;
  /** What most values would be, where the rest keeps the column text. */
  readonly near: ReadAs | null;
}

const isNumber = (type: SqlType): boolean => /^(BIGINT|HUGEINT|DECIMAL|DOUBLE)/.test(type);
const isTime = (type: SqlType): boolean => /^(DATE|TIME)/.test(type);

/** What a column is for; see ColumnKind. */
export const kindOf = (facts: KindFacts): ColumnKind => {
  const { column, rows, nulls, empties, distinct, maxLength, readAs, near } = facts;
  const given = rows - nulls - empties;
  if (given === 0) return 'empty';
  if (distinct === 1 && nulls === 0) return 'constant';
  const type = readAs.type === 'VARCHAR' && near ? near.type : readAs.type;
  if (type === 'JSON') return 'document';
  if (type === 'BOOLEAN') return 'flag';
  if (isTime(type)) return 'time';
  if (type === 'UUID') return 'identifier';
  if (isNumber(type)) return namesThings(column) && isWhole(type) ? 'identifier' : 'measure';
  if (maxLength > NAME_LENGTH) return 'text';
  return namesThings(column) || distinct === given ? 'identifier' : 'category';
};

const isWhole = (type: SqlType): boolean => type === 'BIGINT' || type === 'HUGEINT';

/** Whether a column of this kind can stand for a thing: only such ones are keys, or fix others. */
export const canName = (kind: ColumnKind): boolean => kind === 'identifier' || kind === 'category';
