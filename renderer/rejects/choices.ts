// Owns what can be done with a reject, as choices: its edit, sending it as it came, a recipe, an offered fix; and
// how each reads. Never does it.

import type {
  CheckedMend,
  Fix,
  FixOffer,
  GroupPreview,
  Mend,
  Recipe,
  RejectDetail,
} from '../../core/model.ts';
import { count } from '../ui/format.ts';
import type { Draft } from './drafts.ts';
import { stretchAt } from './segments.ts';

/** A choice. */
export interface Choice {
  readonly key: string;
  readonly title: string;
  readonly mend: Mend;
  /** The recipe that it is; null for others. */
  readonly recipe: Recipe | null;
  /** Null where it is no offer of the engine. */
  readonly offer: FixOffer | null;
  /** Whether it is for this one reject alone. */
  readonly isOneOnly: boolean;
}

const plain = { recipe: null, offer: null, isOneOnly: false } as const;

/** The choices for a reject, the best first; `name` is the field's at its fault, where there is one to rename. */
export const choicesOf = (
  detail: RejectDetail,
  draft: Draft | undefined,
  recipes: readonly Recipe[],
  name: string | null = null,
): readonly Choice[] => {
  if (detail.state !== 'open' || detail.now === null) return [];
  const edit: Choice[] = draft
    ? [{ ...plain, key: 'edit', title: 'Your edit', mend: mendOf(draft), isOneOnly: true }]
    : [];
  const asItCame: Choice[] = detail.now.ok
    ? [{ ...plain, key: 'as-it-came', title: 'Send it as it came', mend: {} }]
    : [];
  const saved = recipes
    .filter((recipe) => isFor(recipe, detail))
    .map((recipe) => ({
      ...{ key: `recipe ${recipe.id}`, title: recipe.name, mend: { fixes: recipe.fixes } },
      ...{ recipe, offer: null, isOneOnly: false },
    }));
  const offers = detail.offers.map((offer) => ({
    ...{ key: JSON.stringify(offer.fix), title: offer.title, mend: { fixes: [offer.fix] } },
    ...{ recipe: null, offer, isOneOnly: false },
  }));
  const isOffered = detail.offers.some(({ fix }) => fix.kind === 'rename-field');
  const rename: Choice[] =
    name === null || isOffered ? [] : [{ ...plain, ...renaming(name, detail) }];
  return [...edit, ...asItCame, ...saved, ...offers, ...rename];
};

/** Codes of faults that another name of a field mends. */
const RENAMED: readonly string[] = [
  'column_case_conflict',
  'unknown_column',
  'invalid_column_name',
];

const renaming = (field: string, { code, expects }: RejectDetail) => {
  const columns = code === 'unknown_column' ? (expects.registered ?? expects.known) : [];
  const to = columns[0] ?? (code === 'invalid_column_name' ? 'unnamed' : `${field}_2`);
  return {
    ...{ key: 'rename', title: `Rename ${field === '' ? 'the field without a name' : field}` },
    mend: { fixes: [{ kind: 'rename-field', field, to } as const] },
  };
};

/** The exact name of the field that a fault is about: the one that stands at its place in the line. */
export const nameAtFault = (
  { code }: Pick<RejectDetail, 'code'>,
  text: string,
  column: number | null,
): string | null => {
  if (!RENAMED.includes(code) || column === null) return null;
  const name = /^"(?:[^"\\]|\\.)*"(?=\s*:)/.exec(text.slice(stretchAt(text, column).from))?.[0];
  if (name === undefined) return null;
  try {
    return JSON.parse(name) as string;
  } catch {
    // An escape that is none: the fault is another one.
    return null;
  }
};

const mendOf = (draft: Draft): Mend =>
  draft.kind === 'text' ? { body: { text: draft.text } } : { edits: draft.edits };

const isFor = ({ stream, cause }: Recipe, reject: RejectDetail): boolean =>
  stream.toLowerCase() === reject.stream.toLowerCase() &&
  cause.code === reject.code &&
  cause.field === reject.field &&
  cause.shape === reject.shape;

const lines = (value: number): string => `${count(value)} ${value === 1 ? 'line' : 'lines'}`;
const records = (value: number): string => `${count(value)} ${value === 1 ? 'record' : 'records'}`;
const lands = (value: number): string => (value === 1 ? 'lands' : 'land');

/** What a choice does to this one reject, in words; empty where it is not known yet. */
export const oneWords = ({ key, offer, recipe, mend }: Choice, detail: RejectDetail): string => {
  if (key === 'as-it-came') {
    const rows = detail.now?.records ?? 0;
    return `${records(rows)} ${lands(rows)}. The stream takes it now.`;
  }
  if (key === 'edit') {
    const lineCount = mend.edits?.length;
    return lineCount === undefined
      ? 'The whole body, as you left it.'
      : `${lines(lineCount)} edited.`;
  }
  if (key === 'rename') return 'To a name that you type. Every value is kept.';
  if (recipe) return `Recipe. ${fixesWords(recipe.fixes)}.`;
  if (!offer) return '';
  const { fix, passes, rows, linesLost, linesChanged } = offer;
  if (fix.kind === 'land-good-lines') {
    const bad = detail.now?.badLineCount ?? 0;
    return `${records(rows)} ${lands(rows)}, ${lines(bad)} ${bad === 1 ? 'stays' : 'stay'} open.`;
  }
  const outcome = passes ? `${records(rows)} ${lands(rows)}.` : 'Faults remain.';
  if (linesLost > 0)
    return `${outcome} ${lines(linesLost)} ${linesLost === 1 ? 'is' : 'are'} lost.`;
  if (linesChanged > 0) {
    return `${outcome} ${lines(linesChanged)} ${linesChanged === 1 ? 'changes' : 'change'}, every record is kept.`;
  }
  return outcome;
};

/** What fixes do to many rejects, in words. */
export const manyWords = (preview: GroupPreview, fixes: readonly Fix[]): string => {
  const { rejects, checked, pass, rows, linesLost, withoutBody, fail } = preview;
  const of = checked < rejects - withoutBody ? `the newest ${count(checked)}` : count(checked);
  const isPartial = fixes.some(({ kind }) => kind === 'land-good-lines');
  const outcome = isPartial
    ? `${records(rows)} ${lands(rows)}, the other lines stay open.`
    : `${count(pass)} of ${of} pass.`;
  const loss =
    linesLost > 0
      ? ` ${lines(linesLost)} ${linesLost === 1 ? 'is' : 'are'} lost.`
      : pass > 0 && !isPartial
        ? ' Every record is kept.'
        : '';
  const gone = withoutBody > 0 ? ` ${count(withoutBody)} have no body any more.` : '';
  return `${outcome}${loss}${fail > 0 && !isPartial ? ` ${count(fail)} stay open.` : ''}${gone}`;
};

/** What a check found, in words. */
export const checkedWords = ({
  ok,
  lines: all,
  records: good,
  faultCount,
  partial,
}: Pick<CheckedMend, 'ok' | 'lines' | 'records' | 'faultCount' | 'partial'>): string => {
  const body = `${lines(all)}, ${records(good)}`;
  if (partial && good > 0 && !ok) {
    return `${body}. ${good === 1 ? 'It lands' : 'They land'}; ${faultCount === 1 ? '1 fault stays' : `${count(faultCount)} faults stay`} open.`;
  }
  if (ok) return `${body}, no fault.`;
  return `${body}, still ${faultCount === 1 ? '1 fault' : `${count(faultCount)} faults`}.`;
};

const ofField = (name: string): string => name.slice(0, 60);

/** What fixes do, in words, for a recipe. */
export const fixesWords = (fixes: readonly Fix[]): string => {
  const [first = '', ...rest] = fixes.map(fixWords);
  return [
    first,
    ...rest.map((words) => `then ${words.charAt(0).toLowerCase()}${words.slice(1)}`),
  ].join(', ');
};

const fixWords = (fix: Fix): string => {
  switch (fix.kind) {
    case 'drop-lines':
      return 'Drop faulty lines';
    case 'drop-field':
      return `Drop the field ${ofField(fix.field)} of faulty records`;
    case 'rename-field':
      return `Rename ${ofField(fix.field)} to ${ofField(fix.to)} in faulty records`;
    case 'register-column':
      return `Register the column ${ofField(fix.column)}`;
    case 'keep-duplicate':
      return `Of fields that stand twice keep the ${fix.keep}`;
    case 'replace-invalid-utf8':
      return 'Replace bytes that are not UTF-8 by U+FFFD';
    case 'replace-lone-surrogates':
      return 'Replace half surrogate pairs by U+FFFD';
    case 'split-objects':
      return 'Split objects onto their own lines';
    case 'drop-cut-line':
      return 'Drop the last line where it is cut short';
    case 'unpack':
      return 'Unpack the body';
    case 'land-good-lines':
      return 'Land the good lines, keep the rest open';
    case 'own-batch-id':
      return 'Land it under an id of its own';
  }
};
