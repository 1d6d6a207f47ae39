// Owns laying SQL out: keywords in capitals, each clause on a line. Only white space and the case of keywords change.
// Never changes a string, a name, a comment or the order; what it cannot read it gives back as it is.

import { isKeyword } from './sql-case.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

/** Begin a line where a query, and not a function, is being read. */
const CLAUSES = new Set(
  'SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT OFFSET UNION INTERSECT EXCEPT'.split(
    ' ',
  ),
);
const JOIN_HEADS = new Set(
  'JOIN LEFT RIGHT FULL INNER CROSS NATURAL SEMI ANTI ASOF POSITIONAL'.split(' '),
);
/** After one of these a join, or a word of another clause, goes on. */
const JOINED_BY = new Set([...JOIN_HEADS, 'OUTER']);
const CONDITIONS = new Set('WHERE HAVING QUALIFY ON'.split(' '));
const QUERIES = new Set('SELECT WITH FROM VALUES'.split(' '));

/** What is open: a query, or brackets within one. */
interface Frame {
  readonly isQuery: boolean;
  readonly indent: number;
  /** The clause that is being read. */
  clause: string;
  /** BETWEENs whose AND is to come, and CASEs whose END is. */
  betweens: number;
  cases: number;
  isEmpty: boolean;
}

const frame = (isQuery: boolean, indent: number): Frame => ({
  ...{ isQuery, indent, clause: '', betweens: 0, cases: 0, isEmpty: true },
});

/** The SQL, laid out; the same text where it cannot be read, or is laid out already. */
export const formatSql = (sql: string): string => {
  const read = sqlTokens(sql);
  if (read === null || read.tokens.length === 0) return sql;
  const said = capitals(read.tokens);
  const laid = layOut(said);
  return isSame(said, sqlTokens(laid)?.tokens) ? laid : sql;
};

const isComment = ({ kind }: SqlToken): boolean => kind === 'comment' || kind === 'line-comment';

const capitals = (tokens: readonly SqlToken[]): SqlToken[] => {
  const code = tokens.filter((token) => !isComment(token));
  let at = -1;
  return tokens.map((token) => {
    if (isComment(token)) return token;
    at += 1;
    return isKeyword(code, at) ? { ...token, text: token.text.toUpperCase() } : token;
  });
};

/** Whether what was laid out is read as the same pieces; the last proof before a text is replaced. */
const isSame = (before: readonly SqlToken[], after: readonly SqlToken[] | undefined): boolean =>
  after !== undefined &&
  after.length === before.length &&
  after.every(({ kind, text }, at) => kind === before[at]?.kind && text === before[at]?.text);

const layOut = (tokens: readonly SqlToken[]): string => {
  const open: Frame[] = [frame(true, 0)];
  const code = tokens.filter((token) => !isComment(token));
  let laid = '';
  let at = -1;
  let before: SqlToken | undefined;
  for (const token of tokens) {
    const top = open.at(-1) as Frame;
    if (isComment(token)) {
      laid += commentGap(token, before, top) + token.text;
      before = token;
      continue;
    }
    at += 1;
    const wanted = gapOf(code, at, top);
    const line = lineBefore(code, at, open);
    laid += before === undefined ? '' : joined(token, before, line, wanted, top);
    laid += token.text;
    follow(code, at, open);
    before = token;
  }
  return laid;
};

const newLine = (indent: number): string => `\n${' '.repeat(indent)}`;

const commentGap = (token: SqlToken, before: SqlToken | undefined, top: Frame): string => {
  if (before === undefined) return '';
  const breaks = /[\n\r]/.test(token.gap) || before.kind === 'line-comment';
  return breaks ? newLine(within(top)) : token.gap === '' ? '' : ' ';
};

/** The white space between two tokens: a new line where one is wanted or needed, else what keeps them as they are. */
const joined = (
  token: SqlToken,
  before: SqlToken,
  line: number | null,
  wanted: string,
  top: Frame,
): string => {
  if (line !== null) return newLine(line);
  if (before.kind === 'line-comment') return newLine(within(top));
  // Strings on two lines are one string to DuckDB; on one line they are not.
  const areStrings = token.kind === 'string' && before.kind === 'string';
  if (areStrings && /[\n\r]/.test(token.gap)) return newLine(within(top));
  if (before.kind === 'comment' && /[\n\r]/.test(token.gap)) return newLine(within(top));
  return before.kind === 'comment' ? (token.gap === '' ? '' : ' ') : wanted;
};

/** Where a line that goes on a clause stands. */
const within = ({ clause, indent, isEmpty }: Frame): number =>
  isEmpty ? indent : clause === 'SELECT' ? indent + 7 : indent + 2;

/** Where the lines of a list stand. */
const baseOf = ({ isQuery, clause, indent }: Frame): number =>
  isQuery && clause === 'SELECT' ? indent + 7 : indent;

const gapOf = (code: readonly SqlToken[], at: number, top: Frame): string => {
  const [before, token] = [code[at - 1], code[at] as SqlToken];
  if (before === undefined || token.text === ',' || token.text === ')' || token.text === ';')
    return '';
  if (before.text === '(' && !(top.isQuery && token.text === ')')) return '';
  if (before.text === ',') return ' ';
  return token.gap === '' ? '' : ' ';
};

/** The indent of the line that this token begins; null where it begins none. */
const lineBefore = (
  code: readonly SqlToken[],
  at: number,
  open: readonly Frame[],
): number | null => {
  const token = code[at] as SqlToken;
  const before = code[at - 1];
  const top = open.at(-1) as Frame;
  if (before === undefined) return null;
  if (before.text === ';') return 0;
  if (!top.isQuery) return null;
  if (token.text === ')' && open.length > 1) return top.indent - 2;
  if (top.isEmpty) return top.indent;
  if (top.cases > 0) return null;
  if (before.text === ',' && top.clause === 'SELECT') return top.indent + 7;
  if (before.text === ',' && top.clause === 'WITH') return top.indent;
  if (token.kind !== 'word') return null;
  if (beginsClause(code, at)) return top.indent;
  const isCondition = token.text === 'AND' || token.text === 'OR';
  if (isCondition && CONDITIONS.has(top.clause) && top.betweens === 0) return top.indent + 2;
  return null;
};

const beginsClause = (code: readonly SqlToken[], at: number): boolean => {
  const [before, token] = [code[at - 1], code[at] as SqlToken];
  if (before?.text === '.' || before?.text === 'AS') return false;
  if (token.text === 'FROM') return before?.text !== 'DISTINCT' || !isComparison(code, at);
  if (CLAUSES.has(token.text)) return before?.text !== 'WITHIN';
  if (!JOIN_HEADS.has(token.text) || JOINED_BY.has(before?.text ?? '')) return false;
  const next = code.slice(at, at + 4).map(({ text }) => text);
  const end = next.indexOf('JOIN');
  return end >= 0 && next.slice(0, end).every((word) => JOINED_BY.has(word));
};

/** IS [NOT] DISTINCT FROM compares; it has no FROM. */
const isComparison = (code: readonly SqlToken[], at: number): boolean =>
  ['IS', 'NOT'].includes(code[at - 2]?.text ?? '');

/** Takes a token into what is open. */
const follow = (code: readonly SqlToken[], at: number, open: Frame[]): void => {
  const token = code[at] as SqlToken;
  const top = open.at(-1) as Frame;
  top.isEmpty = false;
  switch (token.text) {
    case '(':
      open.push(opens(code, at) ? frame(true, baseOf(top) + 2) : frame(false, baseOf(top)));
      return;
    case ')':
      if (open.length > 1) open.pop();
      return;
    case ';':
      open.splice(0, open.length, frame(true, 0));
      return;
    case 'BETWEEN':
      if (token.kind === 'word') top.betweens += 1;
      return;
    case 'AND':
      top.betweens = Math.max(0, top.betweens - 1);
      return;
    case 'CASE':
      top.cases += 1;
      return;
    case 'END':
      top.cases = Math.max(0, top.cases - 1);
      return;
  }
  if (token.kind !== 'word' || top.cases > 0) return;
  if (token.text === 'WITH' && top.clause === '') top.clause = 'WITH';
  else if (token.text === 'ON' && code[at - 1]?.text !== 'DISTINCT') top.clause = 'ON';
  else if (beginsClause(code, at)) {
    top.clause = token.text;
    top.betweens = 0;
  }
};

/** Whether a query stands in these brackets. A function may take FROM as well: `extract(year FROM day)`. */
const opens = (code: readonly SqlToken[], at: number): boolean => {
  const [before, next] = [code[at - 1], code[at + 1]];
  if (next?.kind !== 'word' || !QUERIES.has(next.text)) return false;
  return (
    next.text !== 'FROM' || before?.kind !== 'word' || before.text === before.text.toUpperCase()
  );
};
