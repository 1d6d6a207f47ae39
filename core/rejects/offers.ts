// Owns which fixes make sense for a fault, the best first, and how each is called.
// Never applies one.

import { fold } from '../ids.ts';
import type { Cause, Fix } from '../model.ts';

/** What the choice of fixes rests on. */
export interface OfferFacts {
  readonly cause: Cause;
  /** The field of the first fault as it is spelled; null where it is about none. */
  readonly field: string | null;
  readonly registered: readonly string[] | null;
  readonly known: readonly string[];
}

const DROP: Fix = { kind: 'drop-lines' };
const GOOD: Fix = { kind: 'land-good-lines' };

/** Fixes that may help, the one that loses least first. Whether each does is for a check to say. */
export const fixesFor = ({ cause, field, registered, known }: OfferFacts): Fix[] => {
  const dropField: Fix[] = field === null ? [] : [{ kind: 'drop-field', field }];
  switch (cause.code) {
    case 'not_json':
      return [{ kind: 'split-objects' }, { kind: 'drop-cut-line' }, DROP, GOOD];
    case 'not_object':
      return [{ kind: 'split-objects' }, DROP, GOOD];
    case 'duplicate_key':
    case 'column_case_conflict':
      return [
        { kind: 'keep-duplicate', keep: 'last' },
        { kind: 'keep-duplicate', keep: 'first' },
        ...[DROP, GOOD],
      ];
    case 'invalid_utf8':
      return [{ kind: 'replace-invalid-utf8' }, { kind: 'drop-cut-line' }, DROP, GOOD];
    case 'invalid_unicode':
      return [{ kind: 'replace-lone-surrogates' }, ...dropField, DROP, GOOD];
    case 'invalid_column_name':
    case 'too_deep':
    case 'too_many_columns':
      return [...dropField, DROP, GOOD];
    case 'unknown_column': {
      if (field === null) return [DROP, GOOD];
      const near = nearest(field, registered ?? known);
      const rename: Fix[] = near === null ? [] : [{ kind: 'rename-field', field, to: near }];
      return [{ kind: 'register-column', column: field }, ...rename, ...dropField, DROP, GOOD];
    }
    case 'bad_encoding':
    case 'unsupported_encoding':
      return [{ kind: 'unpack' }];
    case 'batch_id_conflict':
      return [{ kind: 'own-batch-id' }];
    default:
      return [];
  }
};

/** A fix in words. It shows names of fields and no other data. */
export const fixTitle = (fix: Fix): string => {
  switch (fix.kind) {
    case 'drop-lines':
      return 'Drop the faulty lines';
    case 'drop-field':
      return `Drop ${shown(fix.field)}`;
    case 'rename-field':
      return `Rename ${shown(fix.field)} to ${shown(fix.to)}`;
    case 'register-column':
      return `Register ${shown(fix.column)}`;
    case 'keep-duplicate':
      return `Keep the ${fix.keep} of fields that stand twice`;
    case 'replace-invalid-utf8':
      return 'Replace bytes that are not UTF-8 with U+FFFD';
    case 'replace-lone-surrogates':
      return 'Replace halves of surrogate pairs with U+FFFD';
    case 'split-objects':
      return 'Split objects onto their own lines';
    case 'drop-cut-line':
      return 'Drop the last line, which is cut short';
    case 'unpack':
      return 'Unpack what can be read';
    case 'land-good-lines':
      return 'Land the good lines, keep the rest open';
    case 'own-batch-id':
      return 'Land under a batch id of its own';
  }
};

const shown = (name: string): string =>
  name === '' ? 'the field without a name' : name.length > 40 ? `${name.slice(0, 40)}…` : name;

/** The column that a field is a likely misspelling of: few letters apart for its length; null without one. */
const nearest = (field: string, columns: readonly string[]): string | null => {
  const letters = (name: string): string =>
    fold(name)
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 64);
  const wanted = letters(field);
  let best: { column: string; distance: number } | null = null;
  for (const column of columns) {
    const distance = distanceOf(wanted, letters(column));
    if (distance <= wanted.length / 3 && (best === null || distance < best.distance)) {
      best = { column, distance };
    }
  }
  return best?.column ?? null;
};

/** Levenshtein's distance: letters put in, left out or changed. */
const distanceOf = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= other.length; k += 1) {
      const changed = (row[k - 1] as number) + (one[i - 1] === other[k - 1] ? 0 : 1);
      next.push(Math.min((row[k] as number) + 1, (next[k - 1] as number) + 1, changed));
    }
    row = next;
  }
  return row[other.length] as number;
};
