// Owns how a sentence calls a type: VARCHAR is text, as in the window and the documentation; the others go by DuckDB's
// names. Never names a type to a program: documents and SQL have DuckDB's own.

import type { SqlType } from '../model.ts';

/** The type in a sentence or a table for people. */
export const typeWord = (type: SqlType): string => (type === 'VARCHAR' ? 'text' : type);
