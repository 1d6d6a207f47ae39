// Owns the types of the ontology: what a promotion measures, proposes and applies, and the model's versions. Never holds
// behaviour. Everything here is plain data that travels to a face as it is.

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
  /** A type that most values take to, where the column stays VARCHAR because of the rest; exact. */
  readonly near: CastEvidence | null;
  /** What a person should know before accepting: missing or different offsets, empty texts that become NULL. */
  readonly flags: readonly string[];
  /** A unit that the name ends with (`celsius`, `kg`, `eur`), in its short form; null where there is none. */
  readonly unit: string | null;
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
  /** How likely it is that it holds by accident: the decimal exponent, -12 for one in 10^12; 0 where it does not hold. */
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

/** Where an attribute's values come from. One that several streams feed has several. */
export interface AttributeSource {
  readonly stream: string;
  readonly column: string;
  /** As in ReadAs; another stream may write its dates another way. */
  readonly format: string | null;
}

/** What was known of an attribute when it was last promoted. */
export interface AttributeEvidence {
  readonly stream: string;
  readonly rows: number;
  readonly nulls: number;
  readonly distinct: number;
  readonly casts: number;
  readonly fails: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string;
  readonly flags: readonly string[];
  readonly sketch: readonly string[];
}

export type AttributeRole = 'key' | 'reference' | 'attribute' | 'measure' | 'time';

/** One column of an object type's view. */
export interface Attribute {
  readonly name: string;
  readonly type: SqlType;
  readonly role: AttributeRole;
  readonly unit: string | null;
  readonly sources: readonly AttributeSource[];
  readonly evidence: AttributeEvidence | null;
}

/** A foreign key: attributes of this type that hold the key of another. */
export interface Link {
  /** Id of the type that it leads to. */
  readonly to: string;
  /** In the order of that type's key. */
  readonly on: readonly { readonly from: string; readonly to: string }[];
}

/**
 * An object type: one view `ontology."<name>"`. A fact has a row for every row of its streams; a dimension has one for
 * every key, and where rows disagree the one that landed last wins.
 */
export interface ObjectType {
  /** Stays the same through renames and versions. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'fact' | 'dimension';
  /** Names of attributes. Empty on a fact without a key; then `_batch_id` and `_line` tell its rows apart. */
  readonly key: readonly string[];
  /** In the order of the view's columns: the key first. */
  readonly attributes: readonly Attribute[];
  readonly links: readonly Link[];
  readonly streams: readonly string[];
  /** Why it is a type, and why this is its key, each a sentence. */
  readonly why: readonly string[];
  /** Rows of its view when it was last promoted; null before that. */
  readonly rows: number | null;
}

/** The ontology of a knowledgebase at one version. */
export interface Model {
  readonly types: readonly ObjectType[];
}

/** How many types a version added, changed and removed. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** A version of the model without the model. */
export interface VersionSummary {
  /** From 1, without gaps. */
  readonly version: number;
  readonly at: string;
  /** Who applied it: a person's name, or that of the account. */
  readonly by: string;
  readonly why: string;
  readonly kind: 'promotion' | 'restore';
  /** The stream that was promoted; null for a restored version. */
  readonly stream: string | null;
  /** The version that was restored; null for a promotion. */
  readonly restored: number | null;
  /** The promotion that led to it; null for a restored version. */
  readonly promotion: string | null;
  readonly snapshot: Snapshot | null;
  readonly types: number;
  readonly links: number;
  readonly changes: ChangeCounts;
}

/** A version of the model. It is never changed. */
export interface ModelVersion extends VersionSummary {
  readonly model: Model;
}

/** The model as a face shows it. */
export interface ModelView {
  readonly store: StoreStatus;
  /** The version that is shown; null where nothing has been promoted, or the store is `none`. */
  readonly version: VersionSummary | null;
  /** The newest version's number; null where there is none. */
  readonly current: number | null;
  readonly model: Model;
  /** Open plans, newest first. */
  readonly plans: readonly PromotionSummary[];
}

/** Where the model is kept. */
export interface StoreStatus {
  readonly kind: 'none' | 'sqlite' | 'postgres';
  /** The address without its password; null for `none` and `sqlite`. */
  readonly address: string | null;
  /** The model's name in a shared store; null where it is not shared. */
  readonly model: string | null;
  /** Why it cannot be used now; null when it can. */
  readonly fault: string | null;
}

/** One difference between two models. */
export interface ModelChange {
  readonly mark: 'new' | 'changed' | 'removed';
  readonly what: 'type' | 'name' | 'attribute' | 'column type' | 'key' | 'link' | 'source';
  readonly type: string;
  readonly typeName: string;
  /** The attribute or link it is about; null where it is about the type. */
  readonly name: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ModelDiff {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly ModelChange[];
}

/** One part of a match's score, from 0 to 1. */
export interface MatchPart {
  readonly part: 'name' | 'type' | 'unit' | 'values';
  readonly score: number;
  /** `employee_id, the same`; `21 of 24 values known`. */
  readonly words: string;
}

/** An attribute of the model and how well a column matches it. */
export interface AttributeMatch {
  readonly column: string;
  readonly type: string;
  readonly typeName: string;
  readonly attribute: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly parts: readonly MatchPart[];
  /** The next best attribute of another type; null where there is none. */
  readonly runnerUp: {
    readonly type: string;
    readonly typeName: string;
    readonly attribute: string;
    readonly score: number;
  } | null;
}

/** One thing of a plan that a person decides. */
export interface PlanItem {
  /** Stays the same while the plan is edited. */
  readonly id: string;
  /** `type`: a type that is new, changed or removed. `evidence`: something that held at the last promotion and no longer does. */
  readonly group: 'type' | 'evidence';
  readonly mark: 'new' | 'changed' | 'removed' | 'warning';
  /** The type in the plan's model (or, removed, in the version before). */
  readonly type: string;
  /** A short sentence: `Employee gains hire_date`. */
  readonly title: string;
  /** The numbers that led to it: `24 values fix employee_name and hire_date, 0 exceptions.` */
  readonly evidence: readonly string[];
  /** What differs from the version before. */
  readonly changes: readonly ModelChange[];
  /** How well its key matches an attribute of the model; null where nothing is near. */
  readonly match: AttributeMatch | null;
  /** Whether it is merged with the matched type. Merge and keep-apart edits change it. */
  readonly merged: boolean;
  readonly decision: 'accepted' | 'refused' | null;
}

/** What a plan does with one column of the stream. */
export interface PlannedColumn {
  readonly column: string;
  /** Where it goes; null where it was dropped. */
  readonly type: string | null;
  readonly attribute: string | null;
  readonly readAs: ReadAs;
  /** Non-empty values that cast, and that do not. */
  readonly casts: number;
  readonly fails: number;
  readonly failing: readonly CountedValue[];
  /** `2024-04-01 to 2024-06-01`, or why it stays text. */
  readonly words: string;
  readonly flags: readonly string[];
  /** Whether it was in the model before this plan. */
  readonly known: boolean;
}

/** What was seen and is no part of the proposal, and why. */
export interface SeenNote {
  /** `employee_id → pay_grade`, or a column. */
  readonly what: string;
  readonly why: string;
}

/** A change that a person makes to a plan. Types are named by id, attributes by name, as the plan's model has them. */
export type PlanEdit =
  | {
      readonly kind: 'rename';
      readonly type: string;
      readonly attribute?: string;
      readonly name: string;
    }
  | {
      readonly kind: 'retype';
      readonly type: string;
      readonly attribute: string;
      readonly to: SqlType;
      readonly format?: string | null;
    }
  /** Makes a type one with another of the model or of the plan. `on` says which attribute becomes which; the rest go by name. */
  | {
      readonly kind: 'merge';
      readonly type: string;
      readonly into: string;
      readonly on?: Readonly<Record<string, string>>;
    }
  /** Takes back the merge that was proposed. */
  | { readonly kind: 'keep-apart'; readonly type: string }
  /** Makes attributes a dimension of their own. Those of its key stay behind as references. */
  | {
      readonly kind: 'split';
      readonly type: string;
      readonly key: readonly string[];
      readonly attributes: readonly string[];
      readonly name: string;
    }
  /** Without `attribute` the type goes, and its attributes return to the facts that refer to it. */
  | { readonly kind: 'drop'; readonly type: string; readonly attribute?: string }
  | { readonly kind: 'key'; readonly type: string; readonly key: readonly string[] }
  /** Takes an item out of the plan: its type is as it was before. */
  | { readonly kind: 'refuse'; readonly item: string };

/**
 * `running`: being measured; `open`: a plan for a person; `applying`; `applied`; `refused`; `unchanged`: nothing to
 * propose; `failed`; `interrupted`: the process that ran it is gone, and `words` say what is as before and what is not.
 */
export type PromotionState =
  | 'running'
  | 'open'
  | 'applying'
  | 'applied'
  | 'refused'
  | 'unchanged'
  | 'failed'
  | 'interrupted';

/** The record of a promotion. It outlives the process. */
export interface PromotionSummary {
  readonly id: string;
  readonly stream: string;
  readonly state: PromotionState;
  readonly by: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** The version that it started from; null where there was none. */
  readonly base: number | null;
  /** The version that it became; null unless it is applied. */
  readonly version: number | null;
  /** What happened, as a sentence. */
  readonly words: string;
  /** Of its plan; 0 without one. */
  readonly items: number;
  readonly decided: number;
}

/** A proposal with everything that led to it, as edited and decided so far. */
export interface Plan {
  readonly promotion: PromotionSummary;
  readonly snapshot: Snapshot;
  /** The number that the version will have. */
  readonly next: number;
  /** Whether another version has been applied since; then it cannot be applied, promote the stream again. */
  readonly outdated: boolean;
  readonly items: readonly PlanItem[];
  readonly columns: readonly PlannedColumn[];
  readonly seen: readonly SeenNote[];
  readonly edits: readonly PlanEdit[];
  /** The whole model as it will be. */
  readonly model: Model;
  /** The model that it starts from. */
  readonly before: Model;
}

/** A row that a plan's type would have, with where it came from. */
export interface FailingRow {
  readonly attribute: string;
  readonly value: string;
  readonly batchId: string;
  readonly line: number;
}

/** What a type would do to the rows of the snapshot. */
export interface TypeEffect {
  readonly type: string;
  /** Rows that its view would have, from the snapshot. */
  readonly rows: number;
  readonly columns: readonly string[];
  /** At most 20 rows; values as text, NULL as null. */
  readonly sample: readonly (readonly (string | null)[])[];
  /** Values that do not cast, in rows, and at most 20 of them. */
  readonly fails: number;
  readonly failing: readonly FailingRow[];
  /** Rows without a key: they are in no dimension, and on a fact they cannot be told apart by it. */
  readonly withoutKey: number;
  /** Keys that stand in more than one row of a fact. */
  readonly repeated: number;
  readonly repeatedKeys: readonly (readonly (string | null)[])[];
  /** By attribute of a dimension: keys whose rows disagree; the one that landed last wins. */
  readonly conflicts: readonly {
    readonly attribute: string;
    readonly keys: number;
    readonly examples: readonly (string | null)[];
  }[];
  /** The view's SQL. */
  readonly sql: string;
}

/** A type of the live model, for its page. */
export interface TypeDetail {
  readonly type: ObjectType;
  readonly version: number;
  /** Types that refer to it. */
  readonly referredFrom: readonly {
    readonly type: string;
    readonly typeName: string;
    readonly on: readonly string[];
  }[];
  /** The view's SQL. */
  readonly sql: string;
  /** Rows now; null when the view cannot be read, `fault` says why. */
  readonly rows: number | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** At most 20 rows; values as text, NULL as null. */
  readonly sample: readonly (readonly (string | null)[])[];
  /** Keys whose rows disagree now; null for a fact. */
  readonly conflicts: number | null;
  readonly fault: string | null;
}
