// Owns the types of a person's queries. Never holds behaviour.

/** A column of a query's answer, with DuckDB's name of its type. */
export interface QueryColumn {
  readonly name: string;
  readonly type: string;
}

/** A page of a query's answer. */
export interface QueryPage {
  readonly columns: readonly QueryColumn[];
  /** Values as text, NULL as null. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there are rows after this page. */
  readonly more: boolean;
  readonly elapsedMs: number;
  /** Why kb.duckdb was out of reach, so that only raw streams were; null when it was in reach. */
  readonly unavailable: string | null;
}

/** A query that a person saved. */
export interface SavedQuery {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  readonly at: string;
}

/** A query that was run. */
export interface PastQuery {
  readonly id: number;
  readonly sql: string;
  readonly at: string;
  readonly elapsedMs: number | null;
  /** Why it failed; null when it did not. */
  readonly fault: string | null;
}
