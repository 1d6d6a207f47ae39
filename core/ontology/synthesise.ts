// Owns finding the object types in a profile: the fact, its dimensions, and why. Pure.
// Never sees the model; propose.ts brings the two together.

import { counted } from '../counted.ts';
import type { CandidateKey, ColumnEvidence, Profile, SeenNote } from '../model.ts';
import { type Fixes, type FoundDimension, fixesOf } from './fixes.ts';
import { keyRank } from './keys.ts';
import { seenNotes } from './seen.ts';
import { isIdName, isLabelName, nameLikeness, typeNameOfKey, typeNameOfStream } from './words.ts';

/** What a stream's rows are made of. */
export interface Synthesis {
  readonly fact: {
    readonly name: string;
    readonly key: readonly string[];
    /** Every column that is no attribute of a dimension; the keys of dimensions among them. */
    readonly columns: readonly string[];
    readonly why: readonly string[];
  };
  readonly dimensions: readonly FoundDimension[];
  readonly seen: readonly SeenNote[];
}

/** An identifier that repeats this often names things of which nothing more is known yet. */
const REPEATS = 0.5;

/** The object types of a profile. A fact refers to each of its dimensions itself: a star. */
export const synthesise = (profile: Profile): Synthesis => {
  const fixes = fixesOf(profile);
  const naming = [...new Set(profile.dependencies.map(({ from }) => from))];
  const evidence = new Map(profile.columns.map((one) => [one.column, one]));
  const get = (column: string): ColumnEvidence => evidence.get(column) as ColumnEvidence;
  const order = profile.columns.map(({ column }) => column);

  const classes = oneToOne(
    order.filter((column) => naming.includes(column)),
    fixes,
  );
  const members = new Map(classes.map((one) => [bestKey(one.map(get)), one]));
  const { keys, owned } = settleKeys(order, members, fixes, get);

  const dimensions: FoundDimension[] = keys.map((key) => {
    const columns = order.filter((column) => owned.get(column) === key);
    return { key, columns, name: '', why: whyDimension(get(key), columns, fixes) };
  });
  dimensions.sort((one, other) => order.indexOf(one.key) - order.indexOf(other.key));

  const attributes = new Set(dimensions.flatMap(({ columns }) => columns));
  const left = order.filter((column) => !attributes.has(column));
  const key = factKey(profile.keys, left);
  const base = typeNameOfStream(profile.stream);
  return {
    fact: {
      name: dimensions.length > 0 ? `${base}Fact` : base,
      ...{ key: key?.columns ?? [], columns: left },
      why: whyFact(profile, key, left),
    },
    dimensions: dimensions.map((one) => ({ ...one, name: typeNameOfKey(one.key) ?? base })),
    seen: seenNotes(profile, dimensions, fixes),
  };
};

const isRepeatedId = ({ column, kind, distinct, rows }: ColumnEvidence): boolean =>
  kind === 'identifier' && isIdName(column) && distinct > 1 && distinct <= rows * REPEATS;

/** Columns that fix each other, in groups; most have one member. */
const oneToOne = (columns: readonly string[], { holds }: Fixes): string[][] => {
  const groups: string[][] = [];
  for (const column of columns) {
    const group = groups.find(([first]) => {
      return first !== undefined && holds(first, column) && holds(column, first);
    });
    if (group) group.push(column);
    else groups.push([column]);
  }
  return groups;
};

/** The better key of columns that are one to one: what is shaped like an id before a name; else the first. */
const bestKey = (members: readonly ColumnEvidence[]): string =>
  members.reduce((best, one) => (keyRank(one) < keyRank(best) ? one : best)).column;

/**
 * The keys of dimensions, and what each dimension describes. A key that describes nothing of its own is none, unless
 * it is an id that repeats; then it may itself be described by another, so what is left is assigned anew.
 */
const settleKeys = (
  order: readonly string[],
  members: ReadonlyMap<string, readonly string[]>,
  fixes: Fixes,
  get: (column: string) => ColumnEvidence,
): { keys: string[]; owned: Map<string, string> } => {
  const candidates = order.filter((column) => members.has(column) || isRepeatedId(get(column)));
  for (let keys = candidates; ; ) {
    const owned = assign(order, keys, members, fixes, get);
    const described = new Set(owned.values());
    const left = keys.filter(
      (key) => described.has(key) || (isRepeatedId(get(key)) && !owned.has(key)),
    );
    if (left.length === keys.length) return { keys, owned };
    keys = left;
  }
};

/** For each column that a dimension describes, its key: of several that fix it, the nearest. */
const assign = (
  order: readonly string[],
  keys: readonly string[],
  members: ReadonlyMap<string, readonly string[]>,
  { holds }: Fixes,
  get: (column: string) => ColumnEvidence,
): Map<string, string> => {
  const owned = new Map<string, string>();
  for (const column of order) {
    // One that is one to one with a better key is described by it, even where it could be a key.
    const own = keys.find((key) => key !== column && members.get(key)?.includes(column));
    if (own === undefined && keys.includes(column)) continue;
    const fixing = own === undefined ? keys.filter((key) => holds(key, column)) : [own];
    // A key that fixes another which fixes the column says nothing of its own about it.
    const nearest = fixing.filter(
      (key) => !fixing.some((other) => other !== key && holds(key, other)),
    );
    const [best] = nearest.sort(
      (one, other) =>
        nameLikeness(other, column) - nameLikeness(one, column) ||
        get(one).distinct - get(other).distinct,
    );
    if (best !== undefined) owned.set(column, best);
  }
  return owned;
};

const factKey = (
  keys: readonly CandidateKey[],
  left: readonly string[],
): CandidateKey | undefined =>
  keys.find(({ columns }) => columns.every((column) => left.includes(column)));

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const whyDimension = (
  key: ColumnEvidence,
  columns: readonly string[],
  { of, holds }: Fixes,
): string[] => {
  const values = counted(key.distinct, 'value');
  if (columns.length === 0) {
    return [
      `${values} of ${key.column} in ${counted(key.rows, 'row')}; nothing else is fixed by it.`,
    ];
  }
  const why = [`${values} of ${key.column} fix ${listed(columns)}, 0 exceptions.`];
  const chance = Math.max(...columns.map((column) => of(key.column, column)?.chance ?? 0));
  why.push(`By accident: less than 1 in 10^${Math.floor(-chance)}.`);
  for (const column of columns.filter((one) => holds(one, key.column))) {
    why.push(`${key.column} and ${column} are one to one. ${betterKey(key.column, column)}`);
  }
  if (key.nulls + key.empties > 0) {
    why.push(
      `${counted(key.nulls + key.empties, 'row')} without ${key.column} are in no ${key.column}.`,
    );
  }
  return why;
};

const betterKey = (key: string, other: string): string => {
  if (isIdName(key) && !isIdName(other)) {
    const second = isLabelName(other) ? ', and a name can change' : '';
    return `${key} is the key: it is shaped like one${second}.`;
  }
  if (isLabelName(other)) return `${key} is the key: a name can change.`;
  return `${key} is the key: it comes first.`;
};

const whyFact = (
  { rows, keys }: Profile,
  key: CandidateKey | undefined,
  left: readonly string[],
): string[] => {
  if (!key) {
    return [
      'No column and no few together are different in every row; _batch_id and _line tell rows apart.',
    ];
  }
  const others = keys.filter(
    (one) => one !== key && one.columns.every((column) => left.includes(column)),
  );
  const words = key.columns.join(' and ');
  const why = [`${counted(rows, 'row')}, each with its own ${words}, none missing.`];
  if (others.length === 0) {
    why.push(key.columns.length === 1 ? 'The only key of one column.' : 'No one column is a key.');
  } else {
    why.push(
      `Also different in every row: ${others.map(({ columns }) => columns.join(' + ')).join('; ')}.`,
    );
  }
  return why;
};
