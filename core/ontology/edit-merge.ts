// Owns making two types of a plan one. Pure.

import type { Attribute, Model, ObjectType, PlanEdit } from '../model.ts';
import { findAttribute, settled } from './attributes.ts';
import { attributeIn, refuseEdit, typeIn } from './edit-checks.ts';

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
      if (one.id === into.id) return settled(merged);
      const links = one.links.map((link) =>
        link.to === type.id
          ? { to: into.id, on: link.on.map(({ from, to }) => ({ from, to: names.get(to) ?? to })) }
          : link,
      );
      return { ...one, links };
    });
  return { ...model, types };
};

/** What each attribute of the one is called in the other: as said, its key in order, the rest by name. */
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
  for (const { name } of type.attributes) {
    if (!names.has(name)) names.set(name, findAttribute(into, name)?.name ?? name);
  }
  if (new Set(names.values()).size < names.size) {
    refuseEdit(`Two attributes of ${type.name} would become one of ${into.name}.`);
  }
  return names;
};

const mergedType = (
  type: ObjectType,
  into: ObjectType,
  names: ReadonlyMap<string, string>,
): ObjectType => {
  const added = new Map(type.attributes.map((one) => [names.get(one.name) as string, one]));
  const attributes = into.attributes.map((one): Attribute => {
    const other = added.get(one.name);
    added.delete(one.name);
    if (!other) return one;
    const sources = [
      ...one.sources,
      ...other.sources.filter((source) => !one.sources.some(isSame(source))),
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
  const rest = [...added].map(([name, attribute]) => ({ ...attribute, name }));
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

type Source = Attribute['sources'][number];

const isSame =
  (one: Source) =>
  (other: Source): boolean =>
    one.stream === other.stream && one.column === other.column;

/** A stream that feeds one attribute with two columns. */
const doubled = (sources: readonly Source[]): string | undefined =>
  sources.find((one, at) => sources.findIndex(({ stream }) => stream === one.stream) !== at)
    ?.stream;
