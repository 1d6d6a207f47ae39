// Owns the proof that the files of the real tree have the form that the house asks for.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findEmptyNames, findLongFiles, findMissingOpenings } from './form.ts';
import { listPaths, readSources, show } from './sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readSources(root);

test('no file is too long', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(show(findLongFiles(sources))).toBe('');
});

test('names say what is in files and folders', () => {
  expect(show(findEmptyNames(listPaths(root)))).toBe('');
});

test('every file begins with what it owns', () => {
  expect(show(findMissingOpenings(sources))).toBe('');
});
