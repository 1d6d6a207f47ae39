// Owns the note a scan leaves when it cannot go on: what was met, and at which byte.
// Never words it for people; describe-fault.ts does.

/** What the grammar of JSON (RFC 8259) wants at a place where something else stands. */
export type Expectation =
  | 'record'
  | 'value'
  | 'name'
  | 'name_or_brace'
  | 'colon'
  | 'comma_or_brace'
  | 'comma_or_bracket'
  | 'string_rest'
  | 'escape'
  | 'hex_digit'
  | 'digit'
  | 'true_rest'
  | 'false_rest'
  | 'null_rest'
  | 'line_end';

/** What is well-formed JSON and still cannot land. */
export type Refusal =
  | 'not_object'
  | 'lone_surrogate'
  | 'too_deep'
  | 'empty_name'
  | 'nul_name'
  | 'long_name'
  | 'unknown_name'
  | 'one_too_many'
  | 'duplicate_name'
  | 'case_conflict'
  | 'broken_utf8';

/** One mutable note a batch, written only where a scan fails, so that a scan returns a plain number. */
export interface Trouble {
  kind: Expectation | Refusal;
  /** Offset of the first byte that cannot stand, or of the first byte of what cannot land. */
  at: number;
  /** For case_conflict: offset of the opening quotation mark of the earlier name. */
  other: number;
}

/** An empty note. */
export const noTrouble = (): Trouble => ({ kind: 'record', at: 0, other: 0 });

/** Writes the note and gives the -1 that every scan returns when it fails. */
export function fail(trouble: Trouble, kind: Trouble['kind'], at: number): -1 {
  trouble.kind = kind;
  trouble.at = at;
  return -1;
}
