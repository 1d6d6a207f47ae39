// Owns the proof that each house rule finds what breaks it, on small trees that do.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorsPage, findUnknownCodes, findUnusedCodes } from './codes.ts';
import { findCycles } from './cycles.ts';
import { findImports } from './find-imports.ts';
import { findEmptyNames, findLongFiles, findMissingOpenings, MOST_LINES } from './form.ts';
import { findLayerFaults } from './layers.ts';
import { listPaths, readSources, show } from './sources.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'strata-house-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a tree of files, each with the text given. */
function plant(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The layer faults of a tree with one file of one line. */
function layerFaults(path: string, line: string): string {
  plant({ [path]: `${line}\n` });
  return show(findLayerFaults(readSources(root)));
}

describe('layers', () => {
  test.each([
    ['core/ingest/a.ts', "import { land } from '../lake/land.ts';", 'never import each other'],
    ['core/ontology/a.ts', "import { land } from '../ingest/intake.ts';", 'whoever landed it'],
    ['core/ontology/a.ts', "import type { B } from '../engine/open.ts';", 'joined by the engine'],
    ['core/lake/a.ts', "import '../ontology/generate.ts';", 'know nothing of it'],
    ['core/ledger/a.ts', "import '../ontology/plan.ts';", 'know nothing of it'],
    [
      'core/engine/a.ts',
      "import pg from 'pg';",
      'only core/ontology/store/postgres-client.ts does',
    ],
    ['core/ingest/deep/a.ts', "import '../../ledger/open.ts';", 'never import each other'],
    ['core/lake/a.ts', "import type { B } from '../ingest/b.ts';", 'never import each other'],
    ['core/lake/a.ts', "export * from '../ledger/open.ts';", 'never import each other'],
    ['core/ledger/a.ts', "await import('../lake/land.ts');", 'never import each other'],
    ['core/ledger/a.ts', "type A = import('../ingest/b.ts').B;", 'never import each other'],
    ['core/knowledgebase/a.ts', "import { a } from '../ledger/a.ts';", 'owns folders'],
    ['core/lake/a.ts', "import { openCore } from '../index.ts';", 'not imported by them'],
    ['core/ledger/a.ts', "import { pipeline } from '../pipeline.ts';", 'not imported by them'],
    ['core/lake/a.ts', "import { D } from '@duckdb/node-api';", 'only core/lake/duckdb.ts does'],
    ['bin/a.mjs', "const d = await import('better-sqlite3');", 'only core/sqlite.ts does'],
    ['core/a.ts', "import D from 'better-sqlite3/linux-x64';", 'only core/sqlite.ts does'],
    ['core/a.ts', "import { app } from 'electron';", 'without a window'],
    ['core/a.ts', "import { api } from '../renderer/api.ts';", 'without a window'],
    ['electron/a.ts', "import { land } from '../core/lake/land.ts';", 'only by its face'],
    ['renderer/a.ts', "import type { P } from '../core/pipeline.ts';", 'only contract, model'],
    ['renderer/a.ts', "import { C } from '../core/contract.ts';", 'only types'],
    ['renderer/a.ts', "import { type C } from '../core/contract.ts';", 'only types'],
    ['renderer/a.ts', "import { P } from '../electron/ipc.ts';", 'only types'],
    ['renderer/a.ts', "import type { B } from '../electron/boot.ts';", 'of electron only ipc'],
    ['renderer/a.ts', "import { ipcRenderer } from 'electron';", 'preload script'],
    ['electron/a.ts', "import { app, ipcMain } from 'electron';", 'only electron/handlers.ts does'],
    ['renderer/ui/a.ts', "import { api } from '../api.ts';", 'nothing of the domain'],
    ['renderer/screens/a/a.ts', "import { b } from '../b/b.ts';", 'another screen'],
  ])('%s with %s is found', (path, line, says) => {
    expect(layerFaults(path, line)).toContain(says);
  });

  test.each([
    ['core/lake/duckdb.ts', "import { D } from '@duckdb/node-api';"],
    ['core/sqlite.ts', "import D from 'better-sqlite3';"],
    ['core/lake/a.ts', "import { a } from './b.ts';"],
    ['core/lake/a.ts', "// import { a } from '../ledger/b.ts';"],
    ['core/lake/a.ts', 'const text = "import \'../ledger/b.ts\'";'],
    ['electron/a.ts', "import { openCore } from '../core/index.ts';"],
    ['renderer/a.ts', "import type { C } from '../core/contract.ts';"],
    ['renderer/a.ts', "import type { B } from '../electron/ipc.ts';"],
    ['electron/handlers.ts', "import { ipcMain } from 'electron';"],
    ['renderer/ui/a.ts', "import { b } from './b.ts';"],
    ['renderer/screens/a/a.ts', "import { b } from './b.ts';"],
    ['test/a.ts', "import { D } from '@duckdb/node-api';"],
  ])('%s with %s is allowed', (path, line) => {
    expect(layerFaults(path, line)).toBe('');
  });
});

test('rings of imports are found, told as the way around', () => {
  plant({
    'core/a.ts': "import { b } from './b.ts';\n",
    'core/b.ts': "export type { C } from './deep/c.ts';\n",
    'core/deep/c.ts': "import type { A } from '../a.ts';\n",
    'core/d.ts': "import { a } from './a.ts';\n",
  });
  const found = findCycles(readSources(root), 'core/').map(({ says }) => says);
  expect(found).toEqual([
    'imports itself by way of core/a.ts -> core/b.ts -> core/deep/c.ts -> core/a.ts',
  ]);
});

describe('form', () => {
  test('a file over the limit is found, one at the limit is not', () => {
    plant({
      'core/long.ts': '// line\n'.repeat(MOST_LINES + 1),
      'scripts/most.mjs': '// line\n'.repeat(MOST_LINES),
      'test/fixtures/long.ts': '// line\n'.repeat(MOST_LINES + 1),
    });
    expect(findLongFiles(readSources(root)).map(({ path }) => path)).toEqual(['core/long.ts']);
  });

  test('names that say nothing are found', () => {
    plant({
      'core/utils/a.ts': '',
      'core/helpers.ts': '',
      'core/stream-manager.ts': '',
      'scripts/QueryService.mjs': '',
      'test/helpers/a.ts': '',
      'core/managers-of-none.ts': '',
    });
    expect(findEmptyNames(listPaths(root)).map(({ path }) => path)).toEqual([
      'core/helpers.ts',
      'core/stream-manager.ts',
      'core/utils',
      'scripts/QueryService.mjs',
    ]);
  });

  test('a file that does not say what it owns is found', () => {
    plant({
      'bin/good.mjs': '#!/usr/bin/env node\n// Owns a.\n\nrun();\n',
      'core/good.ts': '// Owns a.\n// Never b.\n// Ever.\n\nrun();\n',
      'core/none.ts': 'run();\n',
      'core/long.ts': '// a\n// b\n// c\n// d\nrun();\n',
    });
    expect(findMissingOpenings(readSources(root)).map(({ path }) => path)).toEqual([
      'core/long.ts',
      'core/none.ts',
    ]);
  });
});

describe('codes', () => {
  const catalogue = {
    known: { status: 400, title: 'Known | here', hint: 'Do it.' },
    spare: { status: 500, title: 'Spare', hint: 'Wait.' },
  };

  test('a code that is not in the catalogue, and one that nobody names, are found', () => {
    plant({
      'core/errors.ts': "'spare'\n",
      'core/a.ts': "throw new AppError('known', '');\nthrow new AppError(\n  'wrong',\n  '');\n",
    });
    const sources = readSources(root);
    expect(show(findUnknownCodes(sources, catalogue))).toContain('core/a.ts: raises wrong');
    expect(findUnusedCodes(sources, catalogue)).toEqual(['spare']);
  });

  test('the page has one row a code', () => {
    expect(errorsPage(catalogue)).toContain(
      '| `known` | 400 | Known \\| here | Do it. |\n| `spare`',
    );
  });
});

describe('imports', () => {
  const from = (text: string): string[] => findImports(text).map((found) => found.from);

  test.each([
    ["import a, { b as c } from 'a';", ['a']],
    ["import {\n  type A,\n  b, // a comment with 'quotes\n} from 'a';", ['a']],
    ['import * as a from "a";import \'b\'', ['a', 'b']],
    ["export { a } from 'a';\nexport * as b from 'b';", ['a', 'b']],
    ["const a = await import('a');", ['a']],
    ['const a = `$' + '{await import("a")} $' + '{`import "b"`}`; import "c";', ['c', 'a']],
    ["const a = /['\"`]/; import 'a';", ['a']],
    ["const a = b / c; const d = '/'; import 'a'; // it's", ['a']],
    ["const a = 'it\\'s'; /* import 'b'; */ import 'a';", ['a']],
    ["object.import('a'); const x = { from: 'b' }; Array.from('c');", []],
  ])('%j names %j', (text, expected) => {
    expect(from(text)).toEqual(expected);
  });

  test('only `import type` and `export type` are types only', () => {
    const text = [
      "import type { A } from 'a';",
      "export type * from 'b';",
      "import type D from 'd';",
      "import { type E } from 'e';",
      "import type from 'f';",
    ].join('\n');
    const types = findImports(text).filter(({ typeOnly }) => typeOnly);
    expect(types.map((found) => found.from)).toEqual(['a', 'b', 'd']);
  });
});
