// Owns making attributes of columns, and the order and roles that a type's attributes have. Pure.

import { fold } from '../ids.ts';
import type {
  Attribute,
  AttributeEvidence,
  AttributeRole,
  ColumnEvidence,
  Model,
  ObjectType,
} from '../model.ts';

/** Names that a view needs for its own columns: where a row came from, and how many there were. */
export const OWN_NAMES: readonly string[] = [
  ...['_batch_id', '_line', '_stream', '_rows', '_batch_ids', '_conflicts', 'filename'],
];

/** What is kept of a column's evidence in the model. */
export const evidenceOf = (stream: string, column: ColumnEvidence): AttributeEvidence => {
  const { rows, nulls, distinct, readAs, from, to, reason, flags, sketch } = column;
  const { casts, fails } = readAs;
  return {
    ...{ stream, rows, nulls, distinct, casts, fails, conflicts: 0 },
    ...{ from, to, reason, flags, sketch },
  };
};

/** A column as an attribute of a type. */
export const attributeOf = (
  stream: string,
  column: ColumnEvidence,
  role: AttributeRole,
): Attribute => ({
  name: OWN_NAMES.includes(fold(column.column)) ? `${column.column}_` : column.column,
  type: column.readAs.type,
  role,
  unit: column.unit,
  sources: [{ stream, column: column.column, format: column.readAs.format }],
  evidence: evidenceOf(stream, column),
});

/** What an attribute is for when it is neither key nor reference. */
export const plainRole = (type: Attribute['type']): AttributeRole => {
  if (/^(DATE|TIME)/.test(type)) return 'time';
  return /^(BIGINT|HUGEINT|DECIMAL|DOUBLE)/.test(type) ? 'measure' : 'attribute';
};

/** Whether two names are one to a view: DuckDB compares them without case. */
export const sameName = (one: string, other: string): boolean => fold(one) === fold(other);

export const findAttribute = (
  { attributes }: Pick<ObjectType, 'attributes'>,
  name: string,
): Attribute | undefined => attributes.find((one) => sameName(one.name, name));

/** A type with its key first and every role as key and links say; the rest keeps its order. */
export const settled = (type: ObjectType): ObjectType => {
  const isKey = (name: string): boolean => type.key.some((key) => sameName(key, name));
  const isReference = (name: string): boolean =>
    type.links.some(({ on }) => on.some(({ from }) => sameName(from, name)));
  const attributes = type.attributes.map((one): Attribute => {
    const role = isKey(one.name)
      ? 'key'
      : isReference(one.name)
        ? 'reference'
        : type.kind === 'fact'
          ? plainRole(one.type)
          : 'attribute';
    return role === one.role ? one : { ...one, role };
  });
  const keys = type.key.flatMap((name) => attributes.filter((one) => sameName(one.name, name)));
  return { ...type, attributes: [...keys, ...attributes.filter((one) => !keys.includes(one))] };
};

/** A model with one of its types as `change` makes it; null takes it out. */
export const withType = (
  model: Model,
  id: string,
  change: (type: ObjectType) => ObjectType | null,
): Model => ({
  ...model,
  types: model.types.flatMap((type) => {
    if (type.id !== id) return [type];
    const changed = change(type);
    return changed ? [settled(changed)] : [];
  }),
});
