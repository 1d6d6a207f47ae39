// Owns the shape of a table that is being measured. Never reads it.

import type { DuckDBConnection } from '../lake/duckdb.ts';

/** A table to be measured. */
export interface Measured {
  readonly connection: DuckDBConnection;
  /** As SQL writes it. */
  readonly table: string;
  readonly rows: number;
}
