// Owns the model on its way to a proposal: what is known of the stream, and adding to it. Pure.
// Never decides what a column becomes.

import type {
  Attribute,
  AttributeMatch,
  ColumnEvidence,
  Model,
  ObjectType,
  Profile,
} from '../model.ts';
import { attributeOf, evidenceOf, plainRole, settled, withType } from './attributes.ts';
import { inReading } from './readings.ts';
import type { Synthesis } from './synthesise.ts';
import { freeName, wordsOf } from './words.ts';

export interface ProposeInput {
  readonly base: Model;
  readonly profile: Profile;
  readonly synthesis: Synthesis;
  readonly matches: ReadonlyMap<string, AttributeMatch>;
  /** Types that must not be merged with, by id. */
  readonly apart: ReadonlySet<string>;
}

export interface Draft extends ProposeInput {
  model: Model;
  readonly merged: Map<string, AttributeMatch>;
  readonly keyMatches: Map<string, AttributeMatch>;
  /** Links that the fact is to have: the reference's column and the type. */
  readonly references: { readonly column: string; readonly type: string }[];
  readonly get: (column: string) => ColumnEvidence | undefined;
  /** Whether the column is new: in no type yet, and not left out by a person. */
  readonly isNew: (column: string) => boolean;
}

export const openDraft = (input: ProposeInput): Draft => {
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

export const change = (draft: Draft, id: string, how: (type: ObjectType) => ObjectType): void => {
  draft.model = withType(draft.model, id, how);
};

export const addAttributes = (
  draft: Draft,
  id: string,
  columns: readonly string[],
  reading = 0,
): void => {
  for (const column of columns) {
    change(draft, id, (type) => {
      const fresh = freshAttribute(draft, type, column);
      const sources = fresh.sources.map((source) => inReading(source, reading));
      return { ...type, attributes: [...type.attributes, { ...fresh, sources }] };
    });
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

export const newType = (
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
