// Owns which words of a query are keywords for sure, so that they may stand in capitals.
// Never names a word that could be a column, an alias or a key: those keep the case they were written in.

import type { SqlToken } from './sql-tokens.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** No column or table can have these without quotes. */
const RESERVED = words(
  'all and any as asc asymmetric both case cast check collate constraint default deferrable desc describe distinct ' +
    'else end except exists false fetch for from group having in intersect into lateral limit not null offset on only or order ' +
    'pivot qualify select show some summarize symmetric then true union unique unpivot using values when where window with',
);
/** Nor these, but functions can: `left(text, 3)`. */
const NOT_BEFORE_BRACKET = words(
  'anti asof cross full glob ilike inner is isnull join left like natural notnull outer positional right semi similar try_cast',
);
/** Of those: what always opens a bracket as a keyword. */
const WITH_BRACKET = words('exists try_cast cast values in any all some distinct on using');
/** Words that are keywords beside each other. */
const PAIRS = words(
  'group_by order_by partition_by nulls_first nulls_last with_recursive rows_between range_between ' +
    'unbounded_preceding unbounded_following current_row within_group',
);
const JOIN_HEADS = words('anti asof cross full inner left natural outer positional right semi');

const lower = (token: SqlToken | undefined): string =>
  token?.kind === 'word' ? token.text.toLowerCase() : (token?.text ?? '');

/** Whether an expression can end with this token. */
const isOperand = (token: SqlToken | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'name' ||
    token.kind === 'string' ||
    token.kind === 'number' ||
    token.text === ')' ||
    token.text === ']' ||
    (token.kind === 'word' && !RESERVED.has(lower(token))) ||
    ['end', 'null', 'true', 'false'].includes(lower(token)));

/** Whether the token at this place is a keyword; `tokens` are without comments. */
export const isKeyword = (tokens: readonly SqlToken[], at: number): boolean => {
  const token = tokens[at];
  if (token?.kind !== 'word') return false;
  const word = lower(token);
  const [before, after, second] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  // What follows a dot or AS is a name, also where it looks like a keyword; what precedes := or : is a key.
  if (before?.text === '.' || after?.text === '.') return false;
  if (before?.text === '$' && token.gap === '') return false;
  if (lower(before) === 'as' && before?.kind === 'word') return false;
  if (after?.text === ':' && second?.text !== ':') return false;
  if (after?.text === '=' && second?.text === '>' && second.gap === '') return false;
  if (PAIRS.has(`${word}_${lower(after)}`) || PAIRS.has(`${lower(before)}_${word}`)) return true;
  const opens = after?.text === '(';
  if (word === 'exists' || word === 'values') return opens;
  if (RESERVED.has(word)) return true;
  if (word === 'between') return isOperand(before) || lower(before) === 'not';
  if (word === 'over' || word === 'filter') return before?.text === ')' && opens;
  if (word === 'exclude' || word === 'replace') return before?.text === '*' && opens;
  if (word === 'interval') return after?.kind === 'string' || after?.kind === 'number';
  if (!NOT_BEFORE_BRACKET.has(word)) return false;
  if (!opens || WITH_BRACKET.has(word)) return true;
  return word === 'join' || word === 'like' || word === 'ilike'
    ? isOperand(before) || JOIN_HEADS.has(lower(before)) || lower(before) === 'not'
    : false;
};
