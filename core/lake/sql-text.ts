// Owns looking at a person's SQL as text: what of it is words, what is comment. Never judges what it does.

// Strings, quoted names, comments and dollar-quoted strings; what is left of semicolons stands between statements.
const SKIPPED =
  /\be'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|;/gi;

/** One statement with a space for each of its semicolons, so that it can stand inside another; no byte moves. */
export const withoutSemicolons = (sql: string): string =>
  sql.replace(SKIPPED, (found) => (found === ';' ? ' ' : found));

/** How many statements stand there; comments alone are none. */
export const countStatements = (sql: string): number => {
  // A comment is no statement, but a string is; what stands for it is only not to be blank.
  const plain = sql.replace(SKIPPED, (found) => {
    if (found === ';') return '\0';
    return /^(--|\/\*)/.test(found) ? ' ' : 'x';
  });
  return plain.split('\0').filter((piece) => piece.trim() !== '').length;
};
