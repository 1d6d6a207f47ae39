// Owns asking a profile which column fixes which, and the shape of what follows from it. Pure.

import type { Dependency, Profile } from '../model.ts';
import { ACCIDENT } from './chance.ts';

/** A dimension that the rows speak for. Columns are those of the stream. */
export interface FoundDimension {
  readonly key: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly why: readonly string[];
}

/** What the dependencies of a profile say, asked by name. */
export interface Fixes {
  /** Whether every value of `from` goes with one of `to`, and that is no accident. */
  holds(from: string, to: string): boolean;
  of(from: string, to: string): Dependency | undefined;
}

/** The dependencies of a profile, to be asked. */
export const fixesOf = ({ dependencies }: Profile): Fixes => {
  const known = new Map(dependencies.map((one) => [`${one.from}\0${one.to}`, one]));
  const of = (from: string, to: string): Dependency | undefined => known.get(`${from}\0${to}`);
  return {
    of,
    holds: (from, to) => {
      const found = of(from, to);
      return found?.exact === true && found.exceptions === 0 && found.chance <= ACCIDENT;
    },
  };
};
