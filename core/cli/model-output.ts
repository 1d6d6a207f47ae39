// Owns how commands print a model: types for people, and the same as a JSON document. Never reads one.

import { grouped } from '../counted.ts';
import type {
  Model,
  ObjectType,
  PlanItem,
  PlannedColumn,
  SeenNote,
  VersionSummary,
} from '../model.ts';
import { ontologyView } from '../ontology/generate.ts';
import { typeWord } from '../ontology/type-word.ts';
import { tableOf } from './output.ts';

/** A type as --json prints it: a key of one column is its name, one of several a list. */
export const shownType = (model: Model, type: ObjectType) => {
  const { name, kind, key, attributes, links, streams, rows } = type;
  return {
    ...{ name, kind, key: key.length === 1 ? key[0] : key },
    attributes: attributes
      .filter(({ role }) => role !== 'key' && role !== 'reference')
      .map((one) => one.name),
    foreign_keys: links.map(({ to, on }) => ({
      columns: on.map(({ from }) => from),
      type: model.types.find(({ id }) => id === to)?.name ?? null,
    })),
    columns: attributes.map((one) => ({ name: one.name, type: one.type, role: one.role })),
    ...{ streams, rows, view: ontologyView(name) },
  };
};

/** Types of a model as a table. */
export const typesTable = (model: Model): string =>
  tableOf(
    ['Type', 'Kind', 'Key', 'Columns', 'Refers to', 'Rows'],
    model.types.map((type) => {
      const names = type.links.map(({ to }) => model.types.find(({ id }) => id === to)?.name ?? '');
      const others = type.attributes.filter(({ role }) => role !== 'key' && role !== 'reference');
      return [
        ...[type.name, type.kind, type.key.join(', ') || '–'],
        ...[others.map(({ name }) => name).join(', ') || '–', names.join(', ') || '–'],
        type.rows === null ? '–' : grouped(type.rows),
      ];
    }),
    new Set([5]),
  );

const MARKS = { new: '+', changed: '~', removed: '-', warning: '!' } as const;

/** The items of a plan, each with its evidence. */
export const itemLines = (items: readonly PlanItem[]): string[] =>
  items.flatMap(({ mark, title, evidence, match, merged, decision }) => [
    `${MARKS[mark]} ${title}${decision ? ` (${decision})` : ''}`,
    ...evidence.map((sentence) => `    ${sentence}`),
    ...(match
      ? [
          `    ${merged ? 'Merged with' : 'Near'} ${match.typeName}.${match.attribute}, ${match.score.toFixed(2)}: ` +
            match.parts
              .map(({ part, score, words }) => `${part} ${score.toFixed(2)} (${words})`)
              .join(', '),
        ]
      : []),
  ]);

/** What becomes of each column. */
export const columnsTable = (columns: readonly PlannedColumn[]): string =>
  tableOf(
    ['Column', 'Read as', 'Cast', 'Fail', 'Evidence'],
    columns.map(({ column, readAs, casts, fails, words, flags, type }) => [
      column,
      type === null
        ? 'left out'
        : `${typeWord(readAs.type)}${readAs.format ? ` ${readAs.format}` : ''}`,
      ...[grouped(casts), grouped(fails), [words, ...flags].join(' ')],
    ]),
    new Set([2, 3]),
    80,
  );

export const seenLines = (seen: readonly SeenNote[]): string[] =>
  seen.map(({ what, why }) => `  ${what}: ${why}`);

/** A version in the list of all. */
export const versionRow = (one: VersionSummary): string[] => [
  `v${one.version}`,
  one.at.slice(0, 19).replace('T', ' '),
  one.by,
  one.kind === 'restore' ? `v${one.restored} restored` : `${one.stream} promoted`,
  `+${one.changes.added} ~${one.changes.changed} -${one.changes.removed}`,
  one.why,
];
