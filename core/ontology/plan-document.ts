// Owns the shape of what the record of a promotion keeps of its plan. Never derives anything from it.

import type { Model, PlanEdit, Profile, Snapshot } from '../model.ts';
import type { TypeCheck } from './check.ts';
import type { Proposed } from './propose.ts';
import type { Synthesis } from './synthesise.ts';

/** All that a plan is derived from; the record of a promotion keeps it. */
export interface PlanDocument {
  readonly snapshot: Snapshot;
  readonly profile: Profile;
  readonly base: Model;
  readonly baseVersion: number | null;
  readonly edits: readonly PlanEdit[];
  /** Ids of items. */
  readonly accepted: readonly string[];
  /** By type id; one whose hash is not its type's is of another definition. */
  readonly checks: Readonly<Record<string, TypeCheck>>;
}

/** The model of a plan, and how it came about. */
export interface Derived extends Proposed {
  readonly synthesis: Synthesis;
}
