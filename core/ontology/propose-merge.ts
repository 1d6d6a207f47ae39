// Owns proposing that a key of a stream is that of a type which is there, and making its columns feed that type. Pure.
// Never undoes a merge; a person keeps types apart.

import type { AttributeMatch, MatchPart, ObjectType } from '../model.ts';
import { addAttributes, change, type Draft } from './draft.ts';
import { SAME } from './match.ts';
import { counterpartOf, inReading, nextReading, readingsOf, sourceOf } from './readings.ts';

interface Target {
  readonly type: ObjectType;
  readonly match: AttributeMatch;
}

/** The type that a key matches well enough to be one with: with its only key, and not kept apart. */
export const mergeTarget = ({ model, matches, apart }: Draft, key: string): Target | undefined => {
  const match = matches.get(key);
  const type = model.types.find(({ id }) => id === match?.type);
  if (!match || !type || match.score < SAME || apart.has(type.id)) return undefined;
  return type.key.length === 1 && type.key[0] === match.attribute ? { type, match } : undefined;
};

export const rememberMatch = (draft: Draft, key: string, type: string): void => {
  const match = draft.matches.get(key);
  if (match) draft.keyMatches.set(type, match);
};

/** Makes columns of the stream feed a type of the model: those that match its attributes, and the others as new ones. */
export const mergeInto = (
  draft: Draft,
  { type, match }: Target,
  key: string,
  columns: readonly string[],
): void => {
  const { stream } = draft.profile;
  draft.merged.set(type.id, match);
  draft.keyMatches.set(type.id, match);
  // A stream that has two columns of such keys is read twice.
  const reading = nextReading(type, stream);
  const taken = new Set<string>();
  const rest: string[] = [];
  for (const column of [key, ...columns]) {
    const found = draft.matches.get(column);
    const isSame = column === key || (found?.type === type.id && isSameAttribute(found));
    const name = isSame
      ? column === key
        ? match.attribute
        : found?.attribute
      : counterpartIn(draft, { type, match }, key, column);
    if (name === undefined || taken.has(name)) {
      rest.push(column);
      continue;
    }
    taken.add(name);
    const format = draft.get(column)?.readAs.format ?? null;
    change(draft, type.id, (one) => ({
      ...one,
      attributes: one.attributes.map((attribute) =>
        attribute.name === name
          ? {
              ...attribute,
              sources: [...attribute.sources, inReading({ stream, column, format }, reading)],
            }
          : attribute,
      ),
    }));
  }
  change(draft, type.id, (one) => ({
    ...one,
    kind: 'dimension',
    streams: [...new Set([...one.streams, stream])],
  }));
  addAttributes(draft, type.id, rest, reading);
};

/**
 * The attribute that stands to the type's key as the column does to its own: by its name, or by the column that feeds
 * it in an earlier reading of the stream.
 */
const counterpartIn = (
  { get, profile }: Draft,
  { type, match }: Target,
  key: string,
  column: string,
): string | undefined => {
  const { stream } = profile;
  const asNamed = type.attributes.map((one) => ({ attribute: one, name: one.name }));
  const asRead = (type.streams.includes(stream) ? readingsOf(type, stream) : []).map((reading) =>
    type.attributes.flatMap((one) => {
      const source = sourceOf(one, reading);
      return source ? [{ attribute: one, name: source.column }] : [];
    }),
  );
  for (const named of [asNamed, ...asRead]) {
    const otherKey = named.find(({ attribute }) => attribute.name === match.attribute)?.name;
    const others = named.filter(
      ({ attribute: { name, type: sql } }) =>
        name !== match.attribute && sql === get(column)?.readAs.type,
    );
    const found = otherKey && counterpartOf(column, key, otherKey, others);
    if (found) return found.attribute.name;
  }
  return undefined;
};

/** Within one type the same name and a like type are enough: values may be new, which the plan counts and shows. */
const isSameAttribute = ({ score, parts }: AttributeMatch): boolean => {
  const of = (wanted: MatchPart['part']): number =>
    parts.find(({ part }) => part === wanted)?.score ?? 0;
  return score >= SAME || (of('name') === 1 && of('type') >= 0.7);
};
