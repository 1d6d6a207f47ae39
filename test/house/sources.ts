// Owns what the house rules see of a tree: its source files, their text, and what they import.
// Never judges any of it.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { type FoundImport, findImports } from './find-imports.ts';

/** The folders that hold code of ours. */
const CODE_FOLDERS = ['core', 'electron', 'renderer', 'scripts', 'bin', 'test'];

/** One source file. Paths are relative to the root, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

/** One import of a source file. */
export interface SourceImport extends FoundImport {
  /** The file of ours that it names; undefined where it names a package. */
  readonly file: string | undefined;
  /** The package that it names; undefined where it names a file. */
  readonly packageName: string | undefined;
}

/** One thing that breaks a rule: where, and what. */
export interface Finding {
  readonly path: string;
  readonly says: string;
}

/** Every path under the code folders of `root`, folders included, those of fixtures left out. */
export function listPaths(root: string): string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = `${path}/${entry.name}`;
      if (['node_modules', 'fixtures'].includes(entry.name)) continue;
      found.push(inner);
      if (entry.isDirectory()) walk(inner);
    }
  };
  const there = new Set(readdirSync(root));
  for (const folder of CODE_FOLDERS) if (there.has(folder)) walk(folder);
  return found;
}

/** Every source file under the code folders of `root`. */
export function readSources(root: string): SourceFile[] {
  return listPaths(root)
    .filter((path) => /\.(ts|tsx|mts|mjs|js)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imports = findImports(text).map((found) => ({ ...found, ...target(path, found.from) }));
      return { path, text, imports };
    });
}

function target(importer: string, from: string): Pick<SourceImport, 'file' | 'packageName'> {
  if (!from.startsWith('.')) {
    const parts = from.split('/').slice(0, from.startsWith('@') ? 2 : 1);
    return { file: undefined, packageName: parts.join('/') };
  }
  const path = from.replace(/\?.*$/, '');
  return { file: normalize(join(dirname(importer), path)), packageName: undefined };
}

/** Findings as text, one a line, for the message of a failed test. */
export function show(findings: readonly Finding[]): string {
  return findings.map(({ path, says }) => `${path}: ${says}`).join('\n');
}
