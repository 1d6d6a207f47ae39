// Owns making two types of a plan one. Pure.

import type { Attribute, AttributeSource, Link, Model, ObjectType, PlanEdit } from '../model.ts';
import { findAttribute, settled } from './attributes.ts';
import { attributeIn, refuseEdit, typeIn } from './edit-checks.ts';
import {
  counterpartOf,
  inReading,
  nextReading,
  numberOf,
  readingsOf,
  sourceOf,
} from './readings.ts';

/** The model in which `type` is part of `into`. Throws `edit_not_possible`. */
export const mergeTypes = (model: Model, edit: Extract<PlanEdit, { kind: 'merge' }>): Model => {
  const type = typeIn(model, edit.type);
  const into = typeIn(model, edit.into);
  if (type === into) refuseEdit(`${type.name} cannot be merged with itself.`);
  if (type.key.length !== into.key.length) {
    refuseEdit(
      `${type.name} has a key of ${type.key.length} columns, ${into.name} one of ${into.key.length}.`,
      'Change one of the keys first.',
    );
  }
  if (type.key.length === 0) refuseEdit('Types without a key cannot be merged.');
  const names = namesIn(type, into, edit.on ?? {});
  const merged = mergedType(type, into, names);
  const types = model.types
    .filter(({ id }) => id !== type.id)
    .map((one): ObjectType => {
      if (one.id === into.id) return settled({ ...merged, links: withoutRepeats(merged.links) });
      const links = one.links.map((link) =>
        link.to === type.id
          ? { to: into.id, on: link.on.map(({ from, to }) => ({ from, to: names.get(to) ?? to })) }
          : link,
      );
      return { ...one, links: withoutRepeats(links) };
    });
  return { ...model, types };
};

/** Two links that lead to one type by the same attributes are one. */
const withoutRepeats = (links: readonly Link[]): Link[] => [
  ...new Map(links.map((link) => [JSON.stringify([link.to, link.on]), link])).values(),
];

/**
 * What each attribute of the one is called in the other: as said, its key in order, the rest by name; where one stream
 * is read for both, also what stands to the one key as it does to the other: `from_name`, `to_name`.
 */
const namesIn = (
  type: ObjectType,
  into: ObjectType,
  on: Readonly<Record<string, string>>,
): Map<string, string> => {
  const names = new Map<string, string>();
  for (const [mine, theirs] of Object.entries(on)) {
    names.set(attributeIn(type, mine).name, attributeIn(into, theirs).name);
  }
  for (const [at, key] of type.key.entries()) {
    if (!names.has(key)) names.set(key, into.key[at] as string);
  }
  const keys = type.key.map((key) => names.get(key) as string);
  if (!into.key.every((key) => keys.includes(key))) {
    refuseEdit(`The key of ${type.name} has to become the key of ${into.name}.`);
  }
  for (const attribute of type.attributes) {
    const { name } = attribute;
    if (names.has(name)) continue;
    const same = findAttribute(into, name) ?? counterpartIn(type, into, attribute);
    const isFree = same && ![...names.values()].includes(same.name);
    names.set(name, isFree ? same.name : name);
  }
  if (new Set(names.values()).size < names.size) {
    refuseEdit(`Two attributes of ${type.name} would become one of ${into.name}.`);
  }
  return names;
};

const counterpartIn = (
  type: ObjectType,
  into: ObjectType,
  { name, type: sql }: Attribute,
): Attribute | undefined => {
  const [[key], [otherKey]] = [type.key, into.key];
  const isOfOneStream = type.streams.some((stream) => into.streams.includes(stream));
  if (!isOfOneStream || type.key.length !== 1 || !key || !otherKey) return undefined;
  const others = into.attributes.filter((one) => one.type === sql && one.name !== otherKey);
  return counterpartOf(name, key, otherKey, others);
};

const mergedType = (
  type: ObjectType,
  into: ObjectType,
  names: ReadonlyMap<string, string>,
): ObjectType => {
  const numbers = readingNumbers(type, into, names);
  const moved = ({ sources }: Attribute): AttributeSource[] =>
    sources.map((one) => inReading(one, numbers(one)));
  const added = new Map(type.attributes.map((one) => [names.get(one.name) as string, one]));
  const attributes = into.attributes.map((one): Attribute => {
    const other = added.get(one.name);
    added.delete(one.name);
    if (!other) return one;
    const sources = [
      ...one.sources,
      ...moved(other).filter((source) => !one.sources.some(isSame(source))),
    ];
    const clash = doubled(sources);
    if (clash) {
      refuseEdit(
        `${one.name} would have two columns of the stream ${clash}.`,
        'Drop one of them first.',
      );
    }
    return { ...one, sources };
  });
  const rest = [...added].map(([name, attribute]) => ({
    ...{ ...attribute, name },
    sources: moved(attribute),
  }));
  const links = type.links
    .filter(({ to }) => to !== into.id)
    .map((link) => ({
      ...link,
      on: link.on.map(({ from, to }) => ({ from: names.get(from) ?? from, to })),
    }));
  return {
    ...into,
    // Of two types with a key each there is one row a key; two facts alone stay a fact.
    kind: type.kind === 'fact' && into.kind === 'fact' ? 'fact' : 'dimension',
    attributes: [...attributes, ...rest],
    links: [...into.links.filter(({ to }) => to !== type.id), ...links],
    streams: [...new Set([...into.streams, ...type.streams])],
    why: [...into.why, `${type.name} was merged into it by a person.`],
  };
};

/**
 * The number that each reading of the one has in the other. Two that have the same key in the same columns are one;
 * any other of a stream that both dimensions are read from is a reading of its own. A fact has a row for each of its
 * stream's: it is read once.
 */
const readingNumbers = (
  type: ObjectType,
  into: ObjectType,
  names: ReadonlyMap<string, string>,
): ((source: AttributeSource) => number) => {
  const numbers = new Map<string, number>();
  for (const stream of type.streams) {
    let next = nextReading(into, stream);
    const theirs = next === 0 ? [] : readingsOf(into, stream);
    for (const reading of readingsOf(type, stream)) {
      const same = theirs.find((other) =>
        type.key.every((key) => {
          const mine = sourceOf(attributeIn(type, key), reading)?.column;
          return mine === sourceOf(attributeIn(into, names.get(key) as string), other)?.column;
        }),
      );
      const isOnce = type.kind === 'fact' || into.kind === 'fact';
      const number = same?.number ?? (isOnce ? reading.number : next++);
      numbers.set(`${reading.number} ${stream}`, number);
    }
  }
  return (source) => numbers.get(`${numberOf(source)} ${source.stream}`) ?? numberOf(source);
};

const isSame =
  (one: AttributeSource) =>
  (other: AttributeSource): boolean =>
    one.stream === other.stream && one.column === other.column && numberOf(one) === numberOf(other);

/** A stream that feeds one attribute with two columns in one reading. */
const doubled = (sources: readonly AttributeSource[]): string | undefined =>
  sources.find(
    (one, at) =>
      sources.findIndex(
        (other) => other.stream === one.stream && numberOf(other) === numberOf(one),
      ) !== at,
  )?.stream;
