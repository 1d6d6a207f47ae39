// Owns how a plan reads: its head, what a section has, columns, keys and links that differ. Pure.

import type { Model, ObjectType, Plan, PlannedColumn } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';
import { typeWord } from './graph-data.ts';

const many = (number: number, one: string, more = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : more}`;

/** `v4 to v5, from 60 rows in 1 batch`. */
export const planFacts = ({ promotion, next, snapshot }: Plan): string => {
  const from = promotion.base === null ? `v${next}` : `v${promotion.base} to v${next}`;
  return `${from}, from ${many(snapshot.rows, 'row')} in ${many(snapshot.batches, 'batch', 'batches')}`;
};

/** `7 of 9 decided`. */
export const decidedWords = ({ items }: Plan): string => {
  const decided = items.filter(({ decision }) => decision !== null).length;
  return `${count(decided)} of ${count(items.length)} decided`;
};

/** What Apply waits for; null where it can be pressed. */
export const applyWaits = ({ items, outdated, promotion }: Plan): string | null => {
  if (outdated) return `v${promotion.base ?? 0} is no longer the newest`;
  const left = items.filter(({ decision }) => decision === null).length;
  if (left > 0) return `${many(left, 'decision')} left`;
  return items.every(({ decision }) => decision === 'refused') ? 'Everything is refused' : null;
};

/** `3 new, 2 changed`. */
export const typesWords = ({ items }: Plan): string => {
  const words = (['new', 'changed', 'removed'] as const).flatMap((mark) => {
    const found = items.filter((item) => item.group === 'type' && item.mark === mark).length;
    return found === 0 ? [] : [`${count(found)} ${mark}`];
  });
  return words.length === 0 ? 'none' : words.join(', ');
};

/** Whether a person should see a column of a plan: it is new, fails, or is read another way than before. */
export const isNews = (column: PlannedColumn, plan: Plan): boolean =>
  !column.known || column.fails > 0 || column.flags.length > 0 || isRetyped(column, plan);

const isRetyped = ({ type, attribute, readAs }: PlannedColumn, { before }: Plan): boolean => {
  const was = before.types
    .find(({ id }) => id === type)
    ?.attributes.find(({ name }) => name === attribute);
  return was !== undefined && was.type !== readAs.type;
};

/** `7 cast, 0 rows fail`. */
export const columnsWords = (columns: readonly PlannedColumn[]): string => {
  const cast = columns.filter(({ readAs, type }) => type !== null && readAs.type !== 'VARCHAR');
  const fails = columns.reduce((sum, one) => sum + one.fails, 0);
  return `${count(cast.length)} cast, ${many(fails, 'value')} ${fails === 1 ? 'fails' : 'fail'}`;
};

/** How a column is read: `DATE`, `DATE, %d/%m/%Y`, `stays text`, `left out`. */
export const readWords = ({ readAs, type }: PlannedColumn): string => {
  if (type === null) return 'left out';
  if (readAs.type === 'VARCHAR') return 'stays text';
  return readAs.format === null ? readAs.type : `${readAs.type}, ${readAs.format}`;
};

/** A key or link that is new, gone, or another one. */
export interface KeyNote {
  readonly mark: 'new' | 'changed' | 'removed';
  readonly what: string;
  readonly words: string;
}

/** Keys and links of a plan that differ from the version before. */
export const keyNotes = ({ model, before }: Pick<Plan, 'model' | 'before'>): KeyNote[] => [
  ...model.types.flatMap((type) => keyNote(type, before)),
  ...linksOf(model)
    .filter((link) => !linksOf(before).some(({ id }) => id === link.id))
    .map(({ what, words }): KeyNote => ({ mark: 'new', what, words })),
  ...linksOf(before)
    .filter((link) => !linksOf(model).some(({ id }) => id === link.id))
    .map(({ what, words }): KeyNote => ({ mark: 'removed', what, words })),
];

const keyNote = (type: ObjectType, before: Model): KeyNote[] => {
  const was = before.types.find(({ id }) => id === type.id);
  const now = type.key.join(', ');
  const words = now === '' ? 'no key, a row for each line' : `key ${now}`;
  if (!was) return [{ mark: 'new', what: type.name, words }];
  const old = was.key.join(', ');
  if (old === now) return [];
  return [
    { mark: 'changed', what: type.name, words: `${words}, was ${old === '' ? 'none' : old}` },
  ];
};

const linksOf = ({ types }: Model) =>
  types.flatMap((type) =>
    type.links.map(({ to, on }) => ({
      id: `${type.id} ${to} ${on.map((pair) => `${pair.from} ${pair.to}`).join(' ')}`,
      what: `${type.name} → ${types.find(({ id }) => id === to)?.name ?? to}`,
      words: `on ${on.map(({ from }) => from).join(', ')}`,
    })),
  );

/** The types that DuckDB can read a column as, and what they are called. */
export const SQL_TYPES = [
  'VARCHAR',
  'BOOLEAN',
  'BIGINT',
  'HUGEINT',
  'DECIMAL(18,2)',
  'DECIMAL(38,6)',
  'DOUBLE',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMPTZ',
  'UUID',
  'JSON',
].map((value) => ({ value, label: value === 'VARCHAR' ? 'text' : typeWord(value) }));
