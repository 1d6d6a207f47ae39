// Owns what was seen in a profile and is no part of the proposal, and why. Pure.

import { counted, grouped } from '../counted.ts';
import type { Profile, SeenNote } from '../model.ts';
import { ACCIDENT } from './chance.ts';
import type { Fixes, FoundDimension } from './fixes.ts';

/** How many notes of one kind are kept, the most telling first. */
const MOST = 20;
/** With more exceptions than this share of the values, a dependency was never near. */
const NEAR = 0.3;

/** Notes on dependencies that nearly hold, hold by accident, or lead from one type to another; and on columns. */
export const seenNotes = (
  { columns, dependencies, rows }: Profile,
  dimensions: readonly Pick<FoundDimension, 'key' | 'columns'>[],
  { holds }: Fixes,
): SeenNote[] => {
  const keys = dimensions.map(({ key }) => key);
  const owned = new Map(dimensions.flatMap(({ key, columns: of }) => of.map((one) => [one, key])));
  const near = dependencies
    .filter(({ from, exceptions, groups, exact }) => {
      return exact && exceptions > 0 && exceptions <= groups * NEAR && keys.includes(from);
    })
    .sort((one, other) => one.exceptions / one.groups - other.exceptions / other.groups)
    .map(({ from, to, exceptions, groups }) =>
      arrow(from, to, `${exceptions} of ${groups} values go with more than one ${to}`),
    );
  const accidents = dependencies
    .filter(({ from, to, exceptions, exact, chance }) => {
      return exact && exceptions === 0 && chance > ACCIDENT && owned.get(to) !== from;
    })
    .map(({ from, to, groups }) =>
      arrow(
        from,
        to,
        `holds for all ${grouped(groups)} values, but ${counted(rows, 'row')} may show it by accident`,
      ),
    );
  const between = keys.flatMap((from) =>
    keys
      .filter((to) => to !== from && holds(from, to))
      .map((to) => arrow(from, to, 'holds; both are types, and the fact refers to each')),
  );
  const odd = columns.flatMap(({ column, kind, top }) => {
    if (kind === 'constant')
      return [{ what: column, why: `one value only, ${top[0]?.value ?? ''}` }];
    return kind === 'empty' ? [{ what: column, why: 'no value at all' }] : [];
  });
  return [near, accidents, between, odd].flatMap((notes) => notes.slice(0, MOST));
};

const arrow = (from: string, to: string, why: string): SeenNote => ({
  what: `${from} → ${to}`,
  why,
});
