// Owns what a person changes in a plan: each edit checked, then made, on plain data. Pure.
// Never changes the model it is given.

import type { Attribute, Model, ObjectType, PlanEdit } from '../model.ts';
import { findAttribute, sameName, settled, withType } from './attributes.ts';
import { checkFormat, sqlTypeOf } from './casts.ts';
import { attributeIn, checkName, type Edited, refuseEdit, typeIn } from './edit-checks.ts';
import { dropAttribute, dropType } from './edit-drop.ts';
import { mergeTypes } from './edit-merge.ts';
import { readingsOf } from './readings.ts';
import { freeName, wordsOf } from './words.ts';

/** The model after an edit. Throws `edit_not_possible`; `keep-apart` is for propose.ts and changes nothing here. */
export const applyEdit = (edited: Edited, edit: PlanEdit): Model => {
  const { model } = edited;
  switch (edit.kind) {
    case 'rename':
      return rename(model, edit);
    case 'retype':
      return retype(model, edit);
    case 'merge':
      return mergeTypes(model, edit);
    case 'split':
      return split(model, edit);
    case 'drop':
      return edit.attribute === undefined
        ? dropType(edited, typeIn(model, edit.type))
        : dropAttribute(edited, typeIn(model, edit.type), edit.attribute);
    case 'key':
      return changeKey(model, edit);
    case 'refuse':
      return refuse(edited, edit.item);
    case 'keep-apart':
      typeIn(edited.base, edit.type);
      return model;
  }
};

const checkTypeName = ({ types }: Model, name: string, except?: string): string => {
  const checked = checkName(name);
  const taken = types.find((type) => type.id !== except && sameName(type.name, checked));
  if (taken)
    refuseEdit(`There is a type ${taken.name} already.`, 'Merge the two, or choose another name.');
  return checked;
};

const rename = (model: Model, edit: Extract<PlanEdit, { kind: 'rename' }>): Model => {
  const type = typeIn(model, edit.type);
  if (edit.attribute === undefined) {
    const name = checkTypeName(model, edit.name, type.id);
    return withType(model, type.id, (one) => ({ ...one, name }));
  }
  const attribute = attributeIn(type, edit.attribute);
  const name = checkName(edit.name);
  const taken = findAttribute(type, name);
  if (taken && taken !== attribute) refuseEdit(`${type.name} has ${taken.name} already.`);
  return renamed(model, type.id, attribute.name, name);
};

/** The model with an attribute renamed wherever it is named: in its type's key and links, and in links to it. */
const renamed = (model: Model, id: string, before: string, after: string): Model => {
  const now = (name: string): string => (name === before ? after : name);
  return {
    ...model,
    types: model.types.map((type) => {
      const isIt = type.id === id;
      return {
        ...type,
        key: isIt ? type.key.map(now) : type.key,
        attributes: isIt
          ? type.attributes.map((one) => ({ ...one, name: now(one.name) }))
          : type.attributes,
        links: type.links.map((link) => ({
          ...link,
          on: link.on.map(({ from, to }) => ({
            from: isIt ? now(from) : from,
            to: link.to === id ? now(to) : to,
          })),
        })),
      };
    }),
  };
};

const retype = (model: Model, edit: Extract<PlanEdit, { kind: 'retype' }>): Model => {
  const type = typeIn(model, edit.type);
  const attribute = attributeIn(type, edit.attribute);
  const to = sqlTypeOf(edit.to);
  const format = edit.format ?? null;
  checkFormat(to, format);
  return withType(model, type.id, (one) => ({
    ...one,
    attributes: one.attributes.map((other) =>
      other.name === attribute.name
        ? { ...other, type: to, sources: other.sources.map((source) => ({ ...source, format })) }
        : other,
    ),
  }));
};

const split = (model: Model, edit: Extract<PlanEdit, { kind: 'split' }>): Model => {
  const type = typeIn(model, edit.type);
  const key = edit.key.map((name) => attributeIn(type, name));
  const others = edit.attributes
    .map((name) => attributeIn(type, name))
    .filter((one) => !key.includes(one));
  const name = checkTypeName(model, edit.name);
  const held = others.find((one) => type.key.includes(one.name));
  if (held) refuseEdit(`${held.name} is in the key of ${type.name} and has to stay there.`);
  if (key.length === type.key.length && key.every((one) => type.key.includes(one.name))) {
    refuseEdit(`That is the key of ${type.name} itself.`, 'Choose other columns as the new key.');
  }
  const moved = type.links.filter(({ on }) =>
    on.every(({ from }) => others.some((one) => one.name === from)),
  );
  const id = freeName(
    wordsOf(name).join('-') || 'type',
    model.types.map((one) => one.id),
  );
  const made: ObjectType = {
    ...{ id, name, kind: 'dimension', key: key.map((one) => one.name) },
    attributes: [...key, ...others],
    ...{ links: moved, streams: streamsOf([...key, ...others]) },
    ...{ why: [`Split from ${type.name} by a person.`], rows: null, repeated: 0 },
  };
  const link = { to: id, on: key.map((one) => ({ from: one.name, to: one.name })) };
  const left = withType(model, type.id, (one) => ({
    ...one,
    attributes: one.attributes.filter((attribute) => !others.includes(attribute)),
    links: [...one.links.filter((old) => !moved.includes(old)), link],
  }));
  return { ...left, types: [...left.types, settled(made)] };
};

const streamsOf = (attributes: readonly Attribute[]): string[] => [
  ...new Set(attributes.flatMap(({ sources }) => sources.map(({ stream }) => stream))),
];

const changeKey = (model: Model, edit: Extract<PlanEdit, { kind: 'key' }>): Model => {
  const type = typeIn(model, edit.type);
  const key = [...new Set(edit.key.map((name) => attributeIn(type, name).name))];
  if (type.kind === 'dimension') {
    if (key.length === 0) refuseEdit(`${type.name} has one row for each key and needs one.`);
    const referring = model.types.find(({ links }) => links.some(({ to }) => to === type.id));
    if (referring) return rekeyed(model, type, key);
  }
  return withType(model, type.id, (one) => ({ ...one, key }));
};

/** Whoever refers to the type has to have the new key: a type whose streams have its columns too gets it. */
const rekeyed = (model: Model, type: ObjectType, key: readonly string[]): Model => {
  const attributes = key.map((name) => attributeIn(type, name));
  const twice = type.streams.find((stream) => readingsOf(type, stream).length > 1);
  if (twice !== undefined) {
    refuseEdit(
      `${type.name} is read from the rows of ${twice} more than once, and what refers to it has its key of each time.`,
      'Split off what has another key instead.',
    );
  }
  const types = model.types.map((one): ObjectType => {
    if (one.id === type.id) return settled({ ...one, key });
    if (!one.links.some(({ to }) => to === type.id)) return one;
    let changed = one;
    const on = attributes.map((attribute) => {
      const source = attribute.sources.find(({ stream }) => one.streams.includes(stream));
      if (!source) {
        return refuseEdit(`${one.name} refers to ${type.name} and has no ${attribute.name}.`);
      }
      const has = changed.attributes.find(({ sources }) =>
        sources.some(({ stream, column }) => stream === source.stream && column === source.column),
      );
      if (has) return { from: has.name, to: attribute.name };
      const name = freeName(
        attribute.name,
        changed.attributes.map((other) => other.name),
      );
      changed = { ...changed, attributes: [...changed.attributes, { ...attribute, name }] };
      return { from: name, to: attribute.name };
    });
    // What referred to it stays as a plain column: taking values away is a person's act of its own.
    return settled({
      ...changed,
      links: one.links.map((link) => (link.to === type.id ? { to: type.id, on } : link)),
    });
  });
  return { ...model, types };
};

/** An item refused: a new type goes, a changed one is as it was before. */
const refuse = (edited: Edited, item: string): Model => {
  const id = item.replace(/^type:/, '');
  const before = edited.base.types.find((type) => type.id === id);
  const now = edited.model.types.find((type) => type.id === id);
  if (!before && !now) return refuseEdit(`There is no item "${item.slice(0, 60)}" in the plan.`);
  if (!before) return dropType(edited, typeIn(edited.model, id));
  const { model } = edited;
  if (!now) return { ...model, types: [...model.types, before] };
  // Columns that only the refused change would take are left out; others refer to the type as they did.
  const kept = before.links.filter(({ to }) => model.types.some((type) => type.id === to));
  return {
    ...model,
    types: model.types.map((type) => {
      if (type.id === id) return { ...before, links: kept };
      const links = type.links.filter((link) => {
        return link.to !== id || before.streams.some((stream) => type.streams.includes(stream));
      });
      return links.length === type.links.length ? type : settled({ ...type, links });
    }),
    leftOut: [...model.leftOut, ...columnsOnlyIn(now, before, edited)],
  };
};

const columnsOnlyIn = (
  now: ObjectType,
  before: ObjectType,
  { model, stream }: Edited,
): Model['leftOut'] => {
  const of = (types: readonly ObjectType[]): Set<string> =>
    new Set(
      types.flatMap(({ attributes }) =>
        attributes.flatMap(({ sources }) =>
          sources.filter((source) => source.stream === stream).map(({ column }) => column),
        ),
      ),
    );
  const elsewhere = of([before, ...model.types.filter(({ id }) => id !== now.id)]);
  return [...of([now])]
    .filter((column) => !elsewhere.has(column))
    .map((column) => ({ stream, column }));
};
