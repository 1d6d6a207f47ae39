// Owns the type of a recipe: fixes that are kept for rejects to come. Never holds behaviour.

import type { Fix } from './fix.ts';
import type { Cause } from './reject.ts';

/** Fixes that a person saved for a stream; in the stream's folder, so that they travel with it. */
export interface Recipe {
  readonly id: string;
  readonly stream: string;
  readonly name: string;
  readonly fixes: readonly Fix[];
  /** Which rejects it is for. */
  readonly cause: Cause;
  /** Whether it is applied by itself to rejects of its cause as they come. */
  readonly automatic: boolean;
  readonly createdAt: string;
  /** What it did so far: tries, those that landed, rows of these. */
  readonly tried: number;
  readonly landed: number;
  readonly rows: number;
  readonly lastAt: string | null;
  /** Open rejects of its cause now. */
  readonly open: number;
}
