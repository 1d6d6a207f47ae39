// Owns which bed a version is drawn as: the newest is the most solid. Pure.

export type Bed = 'solid' | 'firm' | 'loose';

/** The bed of a version by its place in the list, newest first. */
export const bedOf = (index: number): Bed =>
  index === 0 ? 'solid' : index % 2 === 1 ? 'firm' : 'loose';
