// Owns looking at a person's SQL as text: what of it is words, what is comment. Never judges what it does.

// Strings, quoted names, comments and dollar-quoted strings; what is left of semicolons stands between statements.
const SKIPPED =
  /\be'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|;/gi;

/** One statement with a space for each of its semicolons, so that it can stand inside another; no byte moves. */
export const withoutSemicolons = (sql: string): string =>
  sql.replace(SKIPPED, (found) => (found === ';' ? ' ' : found));

/** Whether there is nothing but comments, semicolons and white space. */
export const isBlank = (sql: string): boolean =>
  sql.replace(SKIPPED, (found) => (/^(;|--|\/\*)/.test(found) ? ' ' : found)).trim() === '';
