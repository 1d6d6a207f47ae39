// Owns cutting SQL into the pieces that DuckDB reads it by: words, names, strings, comments, and what is between.
// Never changes a character: gaps and texts in order are the SQL.

/** A piece of SQL, and the white space before it. */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'line-comment' | 'comment' | 'mark';
  readonly text: string;
  readonly gap: string;
}

/** What each kind looks like from where it starts, tried in this order. Block comments nest, so they are apart. */
const KINDS: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['line-comment', /--[^\n\r]*/y],
  ['string', /[eE]'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'/y],
  ['string', /'[^']*(?:''[^']*)*'/y],
  ['string', /(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?\1/y],
  ['name', /"[^"]*(?:""[^"]*)*"/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['number', /\d[\w.]*|\.\d\w*/y],
  ['mark', /[\s\S]/uy],
];
/** DuckDB takes the space that does not break for a space as well. */
const GAP = /[ \t\n\r\f\v\u00a0]*/y;

/** The tokens, and the white space at the end; null where a string, name or comment is not closed. */
export const sqlTokens = (sql: string): { tokens: SqlToken[]; end: string } | null => {
  const tokens: SqlToken[] = [];
  let at = 0;
  for (;;) {
    const gap = matchAt(GAP, sql, at) ?? '';
    at += gap.length;
    if (at >= sql.length) return { tokens, end: gap };
    const token = sql.startsWith('/*', at)
      ? blockComment(sql, at, gap)
      : tokenAt(sql, at, gap, tokens.at(-1));
    if (token === null) return null;
    tokens.push(token);
    at += token.text.length;
  }
};

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

const tokenAt = (
  sql: string,
  at: number,
  gap: string,
  before: SqlToken | undefined,
): SqlToken | null => {
  for (const [kind, pattern] of KINDS) {
    const text = matchAt(pattern, sql, at);
    if (text === undefined) continue;
    const isOpenQuote =
      (kind === 'mark' && (text === "'" || text === '"')) ||
      // A string with escapes that does not close; without the letter it could seem to.
      (/^e$/i.test(text) && sql.charAt(at + 1) === "'");
    return isOpenQuote || isOpenDollar(sql, at, text, before, gap) ? null : { kind, text, gap };
  }
  return null;
};

/** Whether a quote of dollars opens here and never closes. `$1` and `$name` are parameters. */
const isOpenDollar = (
  sql: string,
  at: number,
  text: string,
  before: SqlToken | undefined,
  gap: string,
): boolean =>
  text === '$' &&
  !(before?.kind === 'word' && gap === '') &&
  matchAt(/\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y, sql, at) !== undefined;

const blockComment = (sql: string, from: number, gap: string): SqlToken | null => {
  let depth = 0;
  for (let at = from; at < sql.length; at += 1) {
    if (sql.startsWith('/*', at)) depth += 1;
    else if (sql.startsWith('*/', at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return { kind: 'comment', text: sql.slice(from, at + 1), gap };
  }
  return null;
};
