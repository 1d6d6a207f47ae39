// Owns the proof that imports point one way in the real tree.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findCycles } from './cycles.ts';
import { findLayerFaults, SOLE_IMPORTERS } from './layers.ts';
import { readSources, show } from './sources.ts';

const sources = readSources(fileURLToPath(new URL('../../', import.meta.url)));

test('imports keep to the layers', () => {
  expect(show(findLayerFaults(sources))).toBe('');
});

test('no files of core import each other in a ring', () => {
  expect(show(findCycles(sources, 'core/'))).toBe('');
});

test.each(Object.entries(SOLE_IMPORTERS))('%s is imported by %s', (packageName, path) => {
  const importer = sources.find((source) => source.path === path);
  expect(importer?.imports.map((found) => found.packageName)).toContain(packageName);
});

test('every import of a file of ours names one that is there', () => {
  const paths = new Set(sources.map(({ path }) => path));
  const missing = sources.flatMap(({ path, imports }) =>
    imports
      .flatMap(({ file }) => file ?? [])
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith('dist/'))
      .filter((file) => !paths.has(file))
      .map((file) => ({ path, says: `imports ${file}, which is not there` })),
  );
  expect(show(missing)).toBe('');
});
