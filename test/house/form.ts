// Owns the rules on the form of files: how long, how named, how they begin.
// Never reads the tree.

import type { Finding, SourceFile } from './sources.ts';

/** A file with more lines than this holds more than one thing. */
export const MOST_LINES = 400;

const EMPTY_NAME = /^(utils?|helpers?)$/i;
const EMPTY_SUFFIX = /(manager|service)$/i;

/** Files that are too long. */
export function findLongFiles(sources: readonly SourceFile[]): Finding[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    return lines > MOST_LINES
      ? [{ path, says: `has ${lines} lines; the most is ${MOST_LINES}` }]
      : [];
  });
}

/** Files and folders whose names say nothing. test/helpers is the one folder that may be called so. */
export function findEmptyNames(paths: readonly string[]): Finding[] {
  return paths.flatMap((path) => {
    const name = (path.split('/').at(-1) as string).replace(/\.[^/]*$/, '');
    const isAllowed = EMPTY_NAME.test(name) && path.startsWith('test/');
    if (isAllowed || !(EMPTY_NAME.test(name) || EMPTY_SUFFIX.test(name))) return [];
    return [{ path, says: 'has a name that does not say what is in it' }];
  });
}

/** Files that do not begin with one to three lines of comment; after an empty line of it a figure may follow. */
export function findMissingOpenings(sources: readonly SourceFile[]): Finding[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.replace(/^#!.*\n/, '').split('\n');
    const end = lines.findIndex((line) => !line.startsWith('//') || line === '//');
    if (end >= 1 && end <= 3) return [];
    return [{ path, says: `begins with ${end} lines of comment; one to three say what it owns` }];
  });
}
