// Owns taking a type or an attribute out of a plan. Pure.
// Never loses a column by dropping a type: its attributes return to what referred to it.

import type { Attribute, AttributeSource, Model, ObjectType } from '../model.ts';
import { settled, withType } from './attributes.ts';
import { attributeIn, type Edited, refuseEdit } from './edit-checks.ts';
import { inReading, numberOf, readingsOf, sourceOf } from './readings.ts';
import { freeName } from './words.ts';

/** The model without a type. Attributes of a dimension return to each type that referred to it and has their stream. */
export const dropType = ({ model, stream }: Edited, type: ObjectType): Model => {
  const left = model.types.filter(({ id }) => id !== type.id);
  const types = left.map((one): ObjectType => {
    if (!one.links.some(({ to }) => to === type.id)) return one;
    const links = one.links.filter(({ to }) => to !== type.id);
    return settled({ ...one, links, attributes: [...one.attributes, ...returned(type, one)] });
  });
  // Columns that are nowhere now stay out of the next proposal as well.
  const there = columnsOf(types, stream);
  const gone = [...columnsOf([type], stream)].filter((column) => !there.has(column));
  const leftOut = gone.map((column) => ({ stream, column }));
  return { ...model, types, leftOut: [...model.leftOut, ...leftOut] };
};

/** What a type gets back: the attributes of its own streams that it has not. */
const returned = (dropped: ObjectType, to: ObjectType): Attribute[] => {
  const taken = to.attributes.map(({ name }) => name);
  return dropped.attributes.flatMap((attribute) =>
    columnSets(dropped, to, attribute).flatMap((sources, at): Attribute[] => {
      const hasIt = to.attributes.some((one) =>
        one.sources.some((mine) => sources.some((source) => isSameSource(mine, source))),
      );
      if (sources.length === 0 || hasIt) return [];
      // A second column of the stream goes by its own name.
      const name = freeName(at === 0 ? attribute.name : (sources[0] as { column: string }).column, [
        ...taken,
      ]);
      taken.push(name);
      return [{ ...attribute, name, sources }];
    }),
  );
};

const isSameSource = (one: AttributeSource, other: AttributeSource): boolean =>
  one.stream === other.stream && one.column === other.column && numberOf(one) === numberOf(other);

/**
 * The columns of an attribute as attributes of another type: each set has one of each of that type's readings. A fact
 * reads a row once, so that it gets an attribute for each column of a row.
 */
const columnSets = (
  dropped: ObjectType,
  to: ObjectType,
  { sources }: Attribute,
): AttributeSource[][] => {
  const sets: AttributeSource[][] = [];
  for (const source of sources) {
    const number = to.streams.includes(source.stream) ? readingIn(dropped, to, source) : undefined;
    if (number === undefined) continue;
    const moved = inReading(source, number);
    const set = sets.find((one) =>
      one.every((other) => other.stream !== moved.stream || numberOf(other) !== number),
    );
    if (set) set.push(moved);
    else sets.push([moved]);
  }
  return sets;
};

/** Which of a type's readings of the stream leads to the one that a column belongs to: by the columns of the key. */
const readingIn = (
  dropped: ObjectType,
  to: ObjectType,
  source: AttributeSource,
): number | undefined => {
  const { stream } = source;
  const theirs = { stream, number: numberOf(source) };
  return readingsOf(to, stream).find((mine) =>
    to.links.some(
      (link) =>
        link.to === dropped.id &&
        link.on.every(({ from, to: key }) => {
          const column = sourceOf(attributeIn(to, from), mine)?.column;
          return (
            column !== undefined && column === sourceOf(attributeIn(dropped, key), theirs)?.column
          );
        }),
    ),
  )?.number;
};

const columnsOf = (types: readonly ObjectType[], stream: string): Set<string> =>
  new Set(
    types.flatMap(({ attributes }) =>
      attributes.flatMap(({ sources }) =>
        sources.filter((source) => source.stream === stream).map(({ column }) => column),
      ),
    ),
  );

/** The model without an attribute, which stays in the raw stream. */
export const dropAttribute = ({ model, stream }: Edited, type: ObjectType, name: string): Model => {
  const attribute = attributeIn(type, name);
  if (type.kind === 'dimension' && type.key.includes(attribute.name)) {
    refuseEdit(
      `${attribute.name} is the key of ${type.name}.`,
      'Change the key first, or drop the type.',
    );
  }
  const without = withType(model, type.id, (one) => ({
    ...one,
    key: one.key.filter((key) => key !== attribute.name),
    attributes: one.attributes.filter((other) => other.name !== attribute.name),
    links: one.links.filter(({ on }) => !on.some(({ from }) => from === attribute.name)),
  }));
  const there = columnsOf(without.types, stream);
  const gone = attribute.sources.filter((one) => one.stream === stream && !there.has(one.column));
  const leftOut = gone.map(({ column }) => ({ stream, column }));
  return { ...without, leftOut: [...model.leftOut, ...leftOut] };
};
