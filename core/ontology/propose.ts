// Owns the model as a promotion proposes it: what was there stays as it is, and what is new finds its place. Pure.

import type {
  Attribute,
  AttributeMatch,
  ColumnEvidence,
  Link,
  MatchPart,
  Model,
  ObjectType,
  Profile,
} from '../model.ts';
import {
  attributeOf,
  evidenceOf,
  findAttribute,
  plainRole,
  settled,
  withType,
} from './attributes.ts';
import type { FoundDimension } from './fixes.ts';
import { SAME } from './match.ts';
import type { Synthesis } from './synthesise.ts';
import { freeName, wordsOf } from './words.ts';

export interface Proposed {
  readonly model: Model;
  /** By type id: the match that made it one with a type of the model. */
  readonly merged: ReadonlyMap<string, AttributeMatch>;
  /** By type id: the best match of its key, merged or not. */
  readonly matches: ReadonlyMap<string, AttributeMatch>;
}

export interface ProposeInput {
  readonly base: Model;
  readonly profile: Profile;
  readonly synthesis: Synthesis;
  readonly matches: ReadonlyMap<string, AttributeMatch>;
  /** Types that must not be merged with, by id. */
  readonly apart: ReadonlySet<string>;
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

interface Draft extends ProposeInput {
  model: Model;
  readonly merged: Map<string, AttributeMatch>;
  readonly keyMatches: Map<string, AttributeMatch>;
  /** Links that the fact is to have: the reference's column and the type. */
  readonly references: { readonly column: string; readonly type: string }[];
  readonly get: (column: string) => ColumnEvidence | undefined;
  /** Whether the column is new: in no type yet, and not left out by a person. */
  readonly isNew: (column: string) => boolean;
}

const openDraft = (input: ProposeInput): Draft => {
  const { base, profile } = input;
  const { stream } = profile;
  const known = new Set(
    base.types.flatMap(({ attributes }) =>
      attributes.flatMap(({ sources }) =>
        sources.filter((source) => source.stream === stream).map(({ column }) => column),
      ),
    ),
  );
  for (const one of base.leftOut) if (one.stream === stream) known.add(one.column);
  const evidence = new Map(profile.columns.map((one) => [one.column, one]));
  return {
    ...input,
    model: refreshed(base, profile.stream, evidence),
    ...{ merged: new Map(), keyMatches: new Map(), references: [] },
    get: (column) => evidence.get(column),
    isNew: (column) => !known.has(column),
  };
};

/** The model with what is now known of the stream's columns. */
const refreshed = (
  base: Model,
  stream: string,
  evidence: ReadonlyMap<string, ColumnEvidence>,
): Model => ({
  ...base,
  types: base.types.map((type) => ({
    ...type,
    attributes: type.attributes.map((attribute): Attribute => {
      const source = attribute.sources.find((one) => one.stream === stream);
      const column = source && evidence.get(source.column);
      // One that another stream feeds too keeps what was known of it first.
      if (!column || (attribute.evidence && attribute.evidence.stream !== stream)) return attribute;
      return { ...attribute, evidence: evidenceOf(stream, column) };
    }),
  })),
});

/** The dimension that a column of the stream is the key of, as the model has it. */
const dimensionOf = ({ model, profile }: Draft, column: string): ObjectType | undefined =>
  model.types.find((type) => {
    const [key] = type.key;
    if (type.kind !== 'dimension' || type.key.length !== 1 || key === undefined) return false;
    const sources = findAttribute(type, key)?.sources ?? [];
    return sources.some((source) => source.stream === profile.stream && source.column === column);
  });

const placeDimension = (draft: Draft, found: FoundDimension): void => {
  const fresh = found.columns.filter(draft.isNew);
  const there = dimensionOf(draft, found.key);
  if (there) {
    addAttributes(draft, there.id, fresh);
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

interface Target {
  readonly type: ObjectType;
  readonly match: AttributeMatch;
}

/** The type that a key matches well enough to be one with: with its only key, and not kept apart. */
const mergeTarget = ({ model, matches, apart }: Draft, key: string): Target | undefined => {
  const match = matches.get(key);
  const type = model.types.find(({ id }) => id === match?.type);
  if (!match || !type || match.score < SAME || apart.has(type.id)) return undefined;
  return type.key.length === 1 && type.key[0] === match.attribute ? { type, match } : undefined;
};

const rememberMatch = (draft: Draft, key: string, type: string): void => {
  const match = draft.matches.get(key);
  if (match) draft.keyMatches.set(type, match);
};

/** Makes columns of the stream feed a type of the model: those that match its attributes, and the others as new ones. */
const mergeInto = (
  draft: Draft,
  { type, match }: Target,
  key: string,
  columns: readonly string[],
): void => {
  const { stream } = draft.profile;
  draft.merged.set(type.id, match);
  draft.keyMatches.set(type.id, match);
  const taken = new Set<string>();
  const rest: string[] = [];
  for (const column of [key, ...columns]) {
    const found = draft.matches.get(column);
    const name = column === key ? match.attribute : found?.attribute;
    const isSame = found?.type === type.id && name !== undefined && isSameAttribute(found);
    if (!isSame || taken.has(name)) {
      rest.push(column);
      continue;
    }
    taken.add(name);
    const format = draft.get(column)?.readAs.format ?? null;
    change(draft, type.id, (one) => ({
      ...one,
      attributes: one.attributes.map((attribute) =>
        attribute.name === name
          ? { ...attribute, sources: [...attribute.sources, { stream, column, format }] }
          : attribute,
      ),
    }));
  }
  change(draft, type.id, (one) => ({
    ...one,
    kind: 'dimension',
    streams: [...one.streams, stream],
  }));
  addAttributes(draft, type.id, rest);
};

/** Within one type the same name and a like type are enough: values may be new, which the plan counts and shows. */
const isSameAttribute = ({ score, parts }: AttributeMatch): boolean => {
  const of = (wanted: MatchPart['part']): number =>
    parts.find(({ part }) => part === wanted)?.score ?? 0;
  return score >= SAME || (of('name') === 1 && of('type') >= 0.7);
};

const change = (draft: Draft, id: string, how: (type: ObjectType) => ObjectType): void => {
  draft.model = withType(draft.model, id, how);
};

const addAttributes = (draft: Draft, id: string, columns: readonly string[]): void => {
  for (const column of columns) {
    change(draft, id, (type) => ({
      ...type,
      attributes: [...type.attributes, freshAttribute(draft, type, column)],
    }));
  }
};

const freshAttribute = (
  { get, profile }: Draft,
  type: Pick<ObjectType, 'attributes' | 'kind'>,
  column: string,
): Attribute => {
  const evidence = get(column) as ColumnEvidence;
  const role = type.kind === 'fact' ? plainRole(evidence.readAs.type) : 'attribute';
  const attribute = attributeOf(profile.stream, evidence, role);
  const names = type.attributes.map(({ name }) => name);
  return { ...attribute, name: freeName(attribute.name, names) };
};

const newType = (
  draft: Draft,
  name: string,
  kind: ObjectType['kind'],
  columns: readonly string[],
  key: readonly string[],
  why: readonly string[],
): string => {
  const { types } = draft.model;
  const free = freeName(
    name,
    types.map((type) => type.name),
  );
  const id = freeName(
    idOf(free),
    types.map((type) => type.id),
  );
  let type: ObjectType = {
    ...{ id, name: free, kind, key: [], attributes: [], links: [] },
    ...{ streams: [draft.profile.stream], why, rows: null, repeated: 0 },
  };
  const names = new Map<string, string>();
  for (const column of columns) {
    const attribute = freshAttribute(draft, type, column);
    names.set(column, attribute.name);
    type = { ...type, attributes: [...type.attributes, attribute] };
  }
  const settledType = settled({ ...type, key: key.map((column) => names.get(column) ?? column) });
  draft.model = { ...draft.model, types: [...types, settledType] };
  return id;
};

const idOf = (name: string): string => wordsOf(name).join('-') || 'type';

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
