// Owns the types of a plan: what a promotion proposes, how a person changes it, and its record. Never holds behaviour.
// Everything here is plain data that travels to a face as it is.

import type { Model, ModelChange, StoreStatus, VersionSummary } from './ontology.ts';
import type { CountedValue, ReadAs, Snapshot, SqlType } from './profile.ts';

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
 * propose; `failed`; `cancelled`; `interrupted`: the process that ran it is gone, and `words` say what is as before and what is not.
 */
export type PromotionState =
  | 'running'
  | 'open'
  | 'applying'
  | 'applied'
  | 'refused'
  | 'unchanged'
  | 'failed'
  | 'cancelled'
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
