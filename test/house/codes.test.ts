// Owns the proof that the catalogue of errors, its page in docs/ and the code agree.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../core/errors.ts';
import { errorsPage, findUnknownCodes, findUnusedCodes } from './codes.ts';
import { readSources, show } from './sources.ts';

/** Codes that core does not name yet, though it will. */
const NOT_YET_USED: readonly string[] = [];

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readSources(root);

test('docs/errors.md lists the catalogue', async () => {
  await expect(errorsPage(CATALOGUE)).toMatchFileSnapshot(`${root}docs/errors.md`);
});

test('every code that is raised is in the catalogue', () => {
  expect(show(findUnknownCodes(sources, CATALOGUE))).toBe('');
});

test('every code of the catalogue is named by core', () => {
  expect(findUnusedCodes(sources, CATALOGUE)).toEqual(NOT_YET_USED);
});
