// Owns the SQL of the ontology's views. Pure: a model and where its streams are in, text out.
// Never alters a value: casts.ts reads it, or it is NULL.

import { createHash } from 'node:crypto';
import { viewName } from '../knowledgebase/paths.ts';
import { identifier, literal } from '../lake/duckdb.ts';
import type { Attribute, Model, ObjectType } from '../model.ts';
import { castOf } from './casts.ts';
import { type Reading, readingsOf, sourceOf } from './readings.ts';

/** The schema of what Strata keeps in kb.duckdb for itself. */
export const OWN_SCHEMA = '_strata';
/** The landing order of batches: which of two rows came last is not in the rows. */
export const BATCH_ORDER = `${OWN_SCHEMA}.batch_order`;

/** Where a stream's rows are read from, as SQL writes it: its view, or a snapshot. */
export type RelationOf = (stream: string) => string;

/** A view of the ontology. */
export interface OntologyView {
  readonly type: string;
  readonly name: string;
  /** `ontology."PayFact"`. */
  readonly relation: string;
  readonly query: string;
  /** Of the query, so that it shows whether a view is current; DuckDB prints a view in its own way. */
  readonly hash: string;
}

/** The name of a type's view, as SQL writes it. */
export const ontologyView = (name: string): string => `ontology.${identifier(name)}`;

/**
 * Every view of a model over the streams' views. `has` says which streams are here: a model that several knowledgebases
 * share has types of streams that only another has, and those have no view here.
 */
export const viewsOf = (
  { types }: Model,
  has: (stream: string) => boolean = () => true,
): OntologyView[] =>
  types.flatMap((type) => {
    const streams = type.streams.filter(has);
    if (streams.length === 0) return [];
    const query = queryOf(type, viewName, streams);
    return {
      ...{ type: type.id, name: type.name, relation: ontologyView(type.name), query },
      hash: createHash('sha256').update(query).digest('hex').slice(0, 16),
    };
  });

/**
 * The query of a type's view. A fact has the rows of its streams, each with `_batch_id` and `_line`. A dimension has one
 * row for each key: of every attribute the value that landed last, `_batch_id` and `_line` of the row that landed last,
 * `_rows`, `_batch_ids` of every batch that had it, and `_conflicts`, the number of attributes on which rows disagree.
 * A stream that it reads more than once gives a row to each of its keys.
 * The landing order is known as of the last sync; batches that landed since come after, in order of their ids.
 */
export const queryOf = (
  type: ObjectType,
  relationOf: RelationOf = viewName,
  streams: readonly string[] = type.streams,
): string =>
  type.kind === 'fact'
    ? factQuery(type, relationOf, streams)
    : dimensionQuery(type, relationOf, streams);

const factQuery = (
  type: ObjectType,
  relationOf: RelationOf,
  streams: readonly string[],
): string => {
  const several = type.streams.length > 1;
  return streams
    .map((stream) => {
      const columns = type.attributes.map(
        (one) => `  ${readOf(one, { stream, number: 0 })} AS ${identifier(one.name)}`,
      );
      const own = [
        ...(several ? [`  ${literal(stream)} AS _stream`] : []),
        '  _batch_id',
        '  _line',
      ];
      return `SELECT\n${[...columns, ...own].join(',\n')}\nFROM ${relationOf(stream)}`;
    })
    .join('\nUNION ALL\n');
};

const dimensionQuery = (
  type: ObjectType,
  relationOf: RelationOf,
  streams: readonly string[],
): string => {
  const keys = type.attributes.filter(({ name }) => type.key.includes(name));
  const others = type.attributes.filter((one) => !keys.includes(one));
  const names = keys.map(({ name }) => identifier(name));
  const readings = streams.map((stream) => readingsOf(type, stream));
  // A row that has one key in two of its columns is one row of that key.
  const isRepeated = readings.some(({ length }) => length > 1);
  const rows = readings
    .flatMap((all) => all.map((one) => rowsOf(type, one, isRepeated ? all : [], relationOf)))
    .join('\n  UNION ALL\n');
  const latest = others.map(({ name }) => {
    const c = identifier(name);
    return `  arg_max(${c}, _order) AS ${c}`;
  });
  const differs = others.map((one) => {
    const c = comparable(one);
    return `(min(${c}) IS DISTINCT FROM max(${c}))::INTEGER`;
  });
  const selected = [
    ...names.map((name) => `  ${name}`),
    ...latest,
    isRepeated ? '  count(*) FILTER (NOT _again) AS _rows' : '  count(*) AS _rows',
    `  ${differs.join(' + ') || '0'} AS _conflicts`,
    '  arg_max(_batch_id, _order) AS _batch_id',
    '  arg_max(_line, _order) AS _line',
    '  list(DISTINCT _batch_id ORDER BY _batch_id) AS _batch_ids',
  ];
  const given = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  return `SELECT\n${selected.join(',\n')}\nFROM (\n${rows}\n)\nWHERE ${given}\nGROUP BY ${names.join(', ')}`;
};

/** JSON has no order of its own. */
const comparable = ({ name, type }: Attribute): string =>
  type === 'JSON' ? `${identifier(name)}::VARCHAR` : identifier(name);

/**
 * The rows of one reading of a stream, each with its place in the order of landing. Where there are others of the type
 * (`all`), which are told apart in that order, also whether one before it has the same key.
 */
const rowsOf = (
  type: ObjectType,
  reading: Reading,
  all: readonly Reading[],
  relationOf: RelationOf,
): string => {
  const { stream, number } = reading;
  const columns = type.attributes.map(
    (one) => `    ${keyOrValue(type, one, reading)} AS ${identifier(one.name)}`,
  );
  const isMany = all.length > 0;
  const order = [`coalesce(o.seq, ${LAST})`, 'r._batch_id', 'r._line'];
  const own = [
    ...['r._batch_id', 'r._line'],
    `row(${[...order, ...(isMany ? [String(number)] : [])].join(', ')}) AS _order`,
    ...(isMany ? [`${isAgain(type, reading, all)} AS _again`] : []),
  ];
  return `  SELECT\n${columns.join(',\n')},\n    ${own.join(', ')}
  FROM ${relationOf(stream)} AS r
  LEFT JOIN ${BATCH_ORDER} AS o ON o.stream = ${literal(stream)} AND o.batch_id = r._batch_id`;
};

/** An attribute's value as a dimension has it. */
const keyOrValue = (type: ObjectType, attribute: Attribute, reading: Reading): string => {
  const value = readOf(attribute, reading, 'r');
  // An empty text names nothing.
  return type.key.includes(attribute.name) && attribute.type === 'VARCHAR'
    ? `nullif(${value}, '')`
    : value;
};

const isAgain = (type: ObjectType, reading: Reading, all: readonly Reading[]): string => {
  const keys = type.attributes.filter(({ name }) => type.key.includes(name));
  const earlier = all.filter(({ number }) => number < reading.number);
  const same = earlier.map(
    (other) =>
      `(${keys.map((key) => `${keyOrValue(type, key, reading)} = ${keyOrValue(type, key, other)}`).join(' AND ')})`,
  );
  return same.length === 0 ? 'false' : `coalesce(${same.join(', false) OR coalesce(')}, false)`;
};

/** The place of a batch that landed after the order was last written: the greatest BIGINT. */
const LAST = '9223372036854775807';

const readOf = (attribute: Attribute, reading: Reading, row?: string): string => {
  const { type } = attribute;
  const source = sourceOf(attribute, reading);
  if (!source) return `CAST(NULL AS ${type})`;
  const column = identifier(source.column);
  const read = castOf(row ? `${row}.${column}` : column, { type, format: source.format });
  return read;
};
