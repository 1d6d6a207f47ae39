// Owns the rules on error codes: the catalogue, the page that lists it, and the code that uses it agree.
// Never reads the tree.

import type { CatalogueEntry } from '../../core/errors.ts';
import type { Finding, SourceFile } from './sources.ts';

/** A catalogue of error codes, as core/errors.ts has it. */
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

const CATALOGUE_FILE = 'core/errors.ts';

/** The whole of docs/errors.md for a catalogue. */
export function errorsPage(catalogue: Catalogue): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, title, hint }]) =>
      `| \`${code}\` | ${status} | ${cell(title)} | ${cell(hint)} |`,
  );
  return [
    '# Error codes',
    '',
    'Every error that Strata answers with has one of these codes: over HTTP in the field `code` of',
    'the `application/problem+json` body, on the command line with `--json`. A code is never renamed.',
    '',
    'This page is made from `core/errors.ts` by `npx vitest run test/house/codes -u`; a test compares them.',
    '',
    '| Code | Status | Title | What to do |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

/** Errors that are raised outside the tests with a code that the catalogue does not have. */
export function findUnknownCodes(sources: readonly SourceFile[], catalogue: Catalogue): Finding[] {
  const ours = sources.filter(({ path }) => !path.startsWith('test/'));
  return ours.flatMap(({ path, text }) =>
    [...text.matchAll(/new AppError\(\s*'([^']*)'/g)].flatMap(([, code = '']) =>
      code in catalogue
        ? []
        : [{ path, says: `raises ${code}, which the catalogue does not have` }],
    ),
  );
}

/** Codes of the catalogue that no file of core names. */
export function findUnusedCodes(sources: readonly SourceFile[], catalogue: Catalogue): string[] {
  const used = new Set(
    sources
      .filter(({ path }) => path.startsWith('core/') && path !== CATALOGUE_FILE)
      .flatMap(({ text }) => [...text.matchAll(/'([a-z0-9_]+)'/g)].map(([, name]) => name)),
  );
  return Object.keys(catalogue).filter((code) => !used.has(code));
}
