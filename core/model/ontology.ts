// Owns the types of the ontology: the model, its versions, where it is kept. Never holds behaviour.
// Everything here is plain data that travels to a face as it is.

import type { Snapshot, SqlType } from './profile.ts';

/**
 * Where an attribute's values come from. One that several streams feed has several; so has one of a dimension that
 * reads each row of a stream more than once, by other columns each time.
 */
export interface AttributeSource {
  readonly stream: string;
  readonly column: string;
  /** As in ReadAs; another stream may write its dates another way. */
  readonly format: string | null;
  /** Which reading of the stream it belongs to, from 0, which is not written. */
  readonly reading?: number;
}

/** What was known of an attribute when it was last promoted. */
export interface AttributeEvidence {
  readonly stream: string;
  readonly rows: number;
  readonly nulls: number;
  readonly distinct: number;
  /** Non-empty values that cast to its type, and that do not. */
  readonly casts: number;
  readonly fails: number;
  /** Keys of its dimension whose rows disagreed on it. */
  readonly conflicts: number;
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
  /** Keys of a fact that stood in more than one row then; 0 for a dimension. */
  readonly repeated: number;
}

/** The ontology of a knowledgebase at one version. */
export interface Model {
  readonly types: readonly ObjectType[];
  /** Columns that a person left out of it; they are not proposed again. */
  readonly leftOut: readonly { readonly stream: string; readonly column: string }[];
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
