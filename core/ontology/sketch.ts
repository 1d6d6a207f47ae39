// Owns comparing sets of values by their sketches: the smallest hashes of each. Pure.

/** How many hashes a sketch keeps. Sets of at most as many values are compared exactly. */
export const SKETCH_SIZE = 64;

/** The values of one column, as far as its sketch tells. */
export interface Sketched {
  /** The smallest hashes, as decimal text, in order of their number. */
  readonly sketch: readonly string[];
  /** Different values. */
  readonly distinct: number;
}

/** How many of the values of `mine` are among `theirs`: `known` of `looked`; an estimate unless `exact`. */
export interface Overlap {
  readonly known: number;
  readonly looked: number;
  readonly exact: boolean;
}

/** Null where one of the two has no sketch. */
export const overlapOf = (mine: Sketched, theirs: Sketched): Overlap | null => {
  if (mine.sketch.length === 0 || theirs.sketch.length === 0) return null;
  const isWhole = (one: Sketched): boolean => one.sketch.length < SKETCH_SIZE;
  // Below the greatest hash that a sketch kept, it kept every hash; there the two can be compared exactly.
  const end = isWhole(theirs) ? undefined : BigInt(theirs.sketch.at(-1) as string);
  const comparable = mine.sketch.filter((hash) => end === undefined || BigInt(hash) <= end);
  const kept = new Set(theirs.sketch);
  const known = comparable.filter((hash) => kept.has(hash)).length;
  return {
    known,
    looked: comparable.length,
    exact: isWhole(mine) && comparable.length === mine.sketch.length,
  };
};
