// Owns taking a type or an attribute out of a plan. Pure.
// Never loses a column by dropping a type: its attributes return to what referred to it.

import type { Attribute, Model, ObjectType } from '../model.ts';
import { settled, withType } from './attributes.ts';
import { attributeIn, type Edited, refuseEdit } from './edit-checks.ts';
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
  return dropped.attributes.flatMap((attribute) => {
    const sources = attribute.sources.filter(({ stream }) => to.streams.includes(stream));
    const hasIt = to.attributes.some((one) =>
      one.sources.some((mine) =>
        sources.some(({ stream, column }) => mine.stream === stream && mine.column === column),
      ),
    );
    if (sources.length === 0 || hasIt) return [];
    const name = freeName(attribute.name, taken);
    taken.push(name);
    return [{ ...attribute, name, sources }];
  });
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
