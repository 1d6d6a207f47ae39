// Owns what every edit is checked by: that its type and attribute are there, that a name can be one. Pure.

import { AppError } from '../errors.ts';
import type { Attribute, Model, ObjectType } from '../model.ts';
import { findAttribute, OWN_NAMES, sameName } from './attributes.ts';

/** What an edit is made to. */
export interface Edited {
  readonly model: Model;
  /** The model that the plan starts from. */
  readonly base: Model;
  /** The stream that is promoted. */
  readonly stream: string;
}

/** Throws `edit_not_possible` with what and why. */
export const refuseEdit = (message: string, hint?: string): never => {
  throw new AppError('edit_not_possible', message, hint === undefined ? {} : { hint });
};

/** The type with an id. Throws `edit_not_possible`. */
export const typeIn = ({ types }: Model, id: string): ObjectType =>
  types.find((type) => type.id === id) ??
  refuseEdit(`There is no type "${id.slice(0, 60)}" in the plan.`);

/** The attribute of a type. Throws `edit_not_possible`. */
export const attributeIn = (type: ObjectType, name: string): Attribute =>
  findAttribute(type, name) ?? refuseEdit(`${type.name} has no "${name.slice(0, 60)}".`);

/** Throws `edit_not_possible` unless it can be the name of a view or a column. */
export const checkName = (name: string): string => {
  const trimmed = name.trim();
  const bytes = Buffer.byteLength(trimmed);
  if (bytes === 0 || bytes > 255 || /\p{Cc}/u.test(trimmed)) {
    refuseEdit('A name has 1 to 255 bytes and no control characters.');
  }
  if (OWN_NAMES.some((own) => sameName(own, trimmed))) {
    refuseEdit(`"${trimmed}" is a column that every view has itself.`);
  }
  return trimmed;
};
