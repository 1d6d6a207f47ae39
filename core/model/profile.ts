// Owns the types of what a promotion measures: columns, keys, dependencies of a snapshot. Never holds behaviour.
// Everything here is plain data that travels to a face as it is.

/** A type of DuckDB that a column of text is read as. */
export type SqlType =
  | 'VARCHAR'
  | 'BOOLEAN'
  | 'BIGINT'
  | 'HUGEINT'
  | `DECIMAL(${number},${number})`
  | 'DOUBLE'
  | 'DATE'
  | 'TIME'
  | 'TIMESTAMP'
  | 'TIMESTAMPTZ'
  | 'UUID'
  | 'JSON';

/** How a column of text is read. */
export interface ReadAs {
  readonly type: SqlType;
  /** strptime's format of a DATE or TIMESTAMP that is not ISO 8601 (`%d/%m/%Y`); null for all else. */
  readonly format: string | null;
}

/** A value of a column and how many rows have it. */
export interface CountedValue {
  readonly value: string;
  readonly rows: number;
}

/** How a column's non-empty values took to one type. */
export interface CastEvidence extends ReadAs {
  readonly casts: number;
  readonly fails: number;
  /** The most frequent values that fail, at most five. */
  readonly failing: readonly CountedValue[];
}

/**
 * What a column is for, from its name, type and values: `identifier` names things, `category` repeats few texts,
 * `measure` is a quantity, `time` a point in time, `text` is free, `document` is JSON, `constant` has one value,
 * `empty` none.
 */
export type ColumnKind =
  | 'identifier'
  | 'category'
  | 'measure'
  | 'time'
  | 'flag'
  | 'text'
  | 'document'
  | 'constant'
  | 'empty';

/** One column of a snapshot, measured over every row of it. */
export interface ColumnEvidence {
  /** As it stands in the stream's view. */
  readonly column: string;
  readonly kind: ColumnKind;
  readonly rows: number;
  readonly nulls: number;
  /** Empty strings; under every type but VARCHAR they are read as NULL. */
  readonly empties: number;
  /** Different values, the empty one included, NULL not. Exact. */
  readonly distinct: number;
  /** As text, and as text compares; null where there is no value. `from` and `to` compare as the type does. */
  readonly min: string | null;
  readonly max: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** In characters. */
  readonly minLength: number;
  readonly maxLength: number;
  /** The most frequent values, at most five; of a column whose values are all different, three examples. */
  readonly top: readonly CountedValue[];
  /** The type that is proposed, under which every non-empty value casts. */
  readonly readAs: CastEvidence;
  /** Why this type, in a sentence: `Every value is a whole number.` */
  readonly reason: string;
  /** A type that most values take to, where the column stays VARCHAR because of the rest, or would be rounded; exact. */
  readonly near: CastEvidence | null;
  /** What a person should know before accepting: missing or different offsets, empty texts that become NULL. */
  readonly flags: readonly string[];
  /** A unit that the name ends with (`celsius`, `kg`, `eur`), in its short form; null where there is none. */
  readonly unit: string | null;
  /** How likely two rows have the same value: the sum of the squared shares of the values, NULL as a value. */
  readonly agreement: number;
  /** The 64 smallest hashes (MD5, lower half, as decimal text) of the different values; empty for measures and times. */
  readonly sketch: readonly string[];
}

/** One or a few columns whose values, together, are different in every row and never missing. */
export interface CandidateKey {
  readonly columns: readonly string[];
}

/** What was found of one column fixing another: every value of `from` goes with one value of `to`. */
export interface Dependency {
  readonly from: string;
  readonly to: string;
  /** Different values of `from`. */
  readonly groups: number;
  /** Values of `from` that go with more than one of `to`; 0 where the dependency holds. */
  readonly exceptions: number;
  /** Whether every row was looked at; a dependency that was refuted by a sample counts the sample's exceptions alone. */
  readonly exact: boolean;
  /** How likely it is that it holds by accident, as a power of ten: -12 is one in 10^12; 0 where it does not hold. */
  readonly chance: number;
}

/** The rows that a promotion looked at. */
export interface Snapshot {
  /** The promotion's id. */
  readonly promotion: string;
  readonly stream: string;
  /** The native table in kb.duckdb, as SQL writes it. It is evidence; no view reads from it. */
  readonly table: string;
  readonly takenAt: string;
  readonly rows: number;
  /** How many batches it includes; their ids are in strata/tables/{table}/.profile.json. */
  readonly batches: number;
  /** SHA-256 of the ids in landing order, a newline after each. */
  readonly batchesSha256: string;
}

/** Everything that was measured of a snapshot. */
export interface Profile {
  readonly stream: string;
  readonly rows: number;
  readonly columns: readonly ColumnEvidence[];
  readonly keys: readonly CandidateKey[];
  readonly dependencies: readonly Dependency[];
  readonly elapsedMs: number;
}
