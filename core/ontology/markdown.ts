// Owns the model as a document to hand over: Markdown for people, JSON for programs. Pure.

import type { Attribute, ModelVersion, ObjectType, VersionSummary } from '../model.ts';
import { queryOf } from './generate.ts';
import { typeWord } from './type-word.ts';

/** The whole document. `versions` is the history, newest first. */
export const modelMarkdown = (
  knowledgebase: string,
  version: ModelVersion,
  versions: readonly VersionSummary[],
): string => {
  const { types } = version.model;
  const names = new Map(types.map(({ id, name }) => [id, name]));
  return [
    `# The model of ${text(knowledgebase)}, version ${version.version}`,
    '',
    `Applied ${version.at} by ${text(version.by)}: ${text(version.why)}`,
    '',
    ...table(
      ['Type', 'Kind', 'Key', 'Columns', 'Rows when promoted', 'Streams'],
      types.map((type) => [
        `[${text(type.name)}](#${anchor(type.name)})`,
        type.kind,
        type.key.map(code).join(', ') || '–',
        String(type.attributes.length),
        type.rows === null ? '–' : String(type.rows),
        type.streams.map(code).join(', '),
      ]),
    ),
    '',
    ...types.flatMap((type) => typeSection(type, names)),
    '## Versions',
    '',
    ...table(
      ['Version', 'When', 'By', 'What', 'Why'],
      versions.map((one) => [
        String(one.version),
        one.at,
        text(one.by),
        one.kind === 'restore' ? `v${one.restored} restored` : `${code(one.stream ?? '')} promoted`,
        text(one.why),
      ]),
    ),
    '',
  ].join('\n');
};

const typeSection = (type: ObjectType, names: ReadonlyMap<string, string>): string[] => [
  `## ${text(type.name)}`,
  '',
  ...type.why.map((sentence) => `- ${text(sentence)}`),
  ...(type.why.length > 0 ? [''] : []),
  ...table(
    ['Column', 'Type', 'Role', 'From', 'Refers to', 'Evidence'],
    type.attributes.map((one) => [
      code(one.name),
      typeWord(one.type),
      one.role,
      one.sources.map(({ stream, column }) => code(`${stream}.${column}`)).join(', '),
      referred(type, one, names),
      evidence(one),
    ]),
  ),
  '',
  '```sql',
  queryOf(type),
  '```',
  '',
];

const referred = (
  { links }: ObjectType,
  { name }: Attribute,
  names: ReadonlyMap<string, string>,
): string =>
  links
    .flatMap((link) => link.on.map((pair) => ({ type: names.get(link.to) ?? '?', ...pair })))
    .filter(({ from }) => from === name)
    .map(({ type, to }) => code(`${type}.${to}`))
    .join(', ');

const evidence = ({ evidence: found, type }: Attribute): string => {
  if (!found) return '';
  const range =
    type !== 'VARCHAR' && found.from !== null
      ? ` ${text(found.from)} to ${text(found.to ?? '')}.`
      : '';
  return [text(found.reason) + range, ...found.flags.map(text)].join(' ');
};

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${heads.join(' | ')} |`,
  `|${heads.map(() => ' --- ').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

/** Text that cannot be taken for Markdown, or break a table. */
const text = (raw: string): string =>
  raw.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, (character) => `\\${character}`);

/** A name between ticks, more of them where it has some itself. */
const code = (name: string): string => {
  const longest = Math.max(0, ...[...name.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const padded = longest > 0 ? ` ${name} ` : name;
  return `${ticks}${padded.replace(/\s+/g, ' ').replaceAll('|', '\\|')}${ticks}`;
};

const anchor = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
