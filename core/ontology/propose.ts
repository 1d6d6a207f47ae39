// Owns the model as a promotion proposes it: what was there stays as it is, and what is new finds its place. Pure.

import type { AttributeMatch, Link, Model, ObjectType } from '../model.ts';
import { findAttribute } from './attributes.ts';
import {
  addAttributes,
  change,
  type Draft,
  newType,
  openDraft,
  type ProposeInput,
} from './draft.ts';
import type { FoundDimension } from './fixes.ts';
import { mergeInto, mergeTarget, rememberMatch } from './propose-merge.ts';
import { numberOf } from './readings.ts';

export interface Proposed {
  readonly model: Model;
  /** By type id: the match that made it one with a type of the model. */
  readonly merged: ReadonlyMap<string, AttributeMatch>;
  /** By type id: the best match of its key, merged or not. */
  readonly matches: ReadonlyMap<string, AttributeMatch>;
}

/** The model with the stream in it. */
export const propose = (input: ProposeInput): Proposed => {
  const draft = openDraft(input);
  const { synthesis } = input;
  for (const dimension of synthesis.dimensions) placeDimension(draft, dimension);
  placeFact(draft);
  // What is new comes last, a fact before its dimensions.
  const old = new Set(input.base.types.map(({ id }) => id));
  const rank = ({ id, kind }: ObjectType): number => (old.has(id) ? 0 : kind === 'fact' ? 1 : 2);
  const types = [...draft.model.types].sort((one, other) => rank(one) - rank(other));
  return { model: { ...draft.model, types }, merged: draft.merged, matches: draft.keyMatches };
};

/** The dimension that a column of the stream is the key of, as the model has it, and in which reading. */
const dimensionOf = (
  { model, profile }: Draft,
  column: string,
): { readonly type: ObjectType; readonly reading: number } | undefined => {
  for (const type of model.types) {
    const [key] = type.key;
    if (type.kind !== 'dimension' || type.key.length !== 1 || key === undefined) continue;
    const source = findAttribute(type, key)?.sources.find(
      (one) => one.stream === profile.stream && one.column === column,
    );
    if (source) return { type, reading: numberOf(source) };
  }
  return undefined;
};

const placeDimension = (draft: Draft, found: FoundDimension): void => {
  const fresh = found.columns.filter(draft.isNew);
  const there = dimensionOf(draft, found.key);
  if (there) {
    addAttributes(draft, there.type.id, fresh, there.reading);
    return;
  }
  // Without a new column it is as it was when a person last looked: then it was no type.
  if (fresh.length === 0 && !draft.isNew(found.key)) return;
  const into = mergeTarget(draft, found.key);
  if (into) {
    mergeInto(draft, into, found.key, fresh);
    draft.references.push({ column: found.key, type: into.type.id });
    return;
  }
  const type = newType(
    draft,
    found.name,
    'dimension',
    [found.key, ...fresh],
    [found.key],
    found.why,
  );
  rememberMatch(draft, found.key, type);
  draft.references.push({ column: found.key, type });
};

/** The type that has the stream's rows: its fact, or what the whole stream was merged with. */
const rowsTypeOf = ({ model, profile }: Draft): ObjectType | undefined => {
  const own = model.types.filter(({ streams }) => streams.includes(profile.stream));
  return own.find(({ kind }) => kind === 'fact') ?? (own.length === 1 ? own[0] : undefined);
};

const placeFact = (draft: Draft): void => {
  const { fact, dimensions } = draft.synthesis;
  const columns = fact.columns.filter(draft.isNew);
  const there = rowsTypeOf(draft);
  const isFirst = !draft.base.types.some(({ streams }) => streams.includes(draft.profile.stream));
  if (isFirst) {
    const [only, ...others] = fact.key;
    const into =
      dimensions.length === 0 && only !== undefined && others.length === 0
        ? mergeTarget(draft, only)
        : undefined;
    if (into && only !== undefined) {
      mergeInto(
        draft,
        into,
        only,
        columns.filter((column) => column !== only),
      );
      return;
    }
    const id = newType(draft, fact.name, 'fact', columns, fact.key, fact.why);
    if (only !== undefined) rememberMatch(draft, only, id);
    link(draft, id);
    return;
  }
  if (!there) return;
  addAttributes(draft, there.id, columns);
  link(draft, there.id);
};

/** Gives the fact its foreign keys. */
const link = (draft: Draft, fact: string): void => {
  const { stream } = draft.profile;
  for (const { column, type } of draft.references) {
    const to = draft.model.types.find(({ id }) => id === type);
    const key = to?.key[0];
    change(draft, fact, (one) => {
      const reference = one.attributes.find(({ sources }) =>
        sources.some((source) => source.stream === stream && source.column === column),
      );
      if (!reference || key === undefined) return one;
      const added: Link = { to: type, on: [{ from: reference.name, to: key }] };
      return { ...one, links: [...one.links, added] };
    });
  }
};
