// Owns which folder can be a knowledgebase's: one of its own, by its own name. Never reads what is in it.

import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../errors.ts';
import { SETTINGS_FILE } from './paths.ts';

/**
 * The folder as it is called when every link above it is followed, so that one folder has one name.
 * Throws `invalid_argument` for a path that is not whole, is not there, or is a link itself.
 */
export const canonicalFolder = (given: string): string => {
  if (!isAbsolute(given)) {
    throw new AppError('invalid_argument', `"${given}" is not a whole path.`, {
      hint: 'Name the folder from the root on.',
    });
  }
  const path = resolve(given);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) {
    throw new AppError('invalid_argument', `There is no folder ${path}.`, {
      hint: 'Name the folder that has the knowledgebase.json.',
    });
  }
  if (stat.isSymbolicLink()) {
    throw new AppError('invalid_argument', `${path} is a link.`, {
      hint: 'Open the folder that it leads to, so that a knowledgebase has one place.',
    });
  }
  if (!stat.isDirectory()) {
    throw new AppError('invalid_argument', `${path} is not a folder.`, {
      hint: 'Name the folder that has the knowledgebase.json.',
    });
  }
  const real = realpathSync.native(path);
  checkNameable(real);
  return real;
};

/**
 * Throws `invalid_argument` for a path with a question mark: DuckDB takes what follows it for settings, and looks for
 * its log in a folder that is not there (seen with 1.5.6), so that no view could ever be made.
 */
export const checkNameable = (path: string): void => {
  if (!path.includes('?')) return;
  throw new AppError('invalid_argument', `The path ${path} has a question mark.`, {
    hint: 'DuckDB cannot keep its views there: rename the folder, or choose another.',
  });
};

/** Throws `invalid_argument` where a folder lies inside a knowledgebase, or one of `others` inside it. */
export const checkOnItsOwn = (path: string, others: readonly string[]): void => {
  for (let above = dirname(path); ; above = dirname(above)) {
    if (existsSync(join(above, SETTINGS_FILE))) throw nested(path, above);
    if (above === dirname(above)) break;
  }
  const inside = others.find((other) => isInside(other, path));
  if (inside !== undefined) throw nested(inside, path);
};

/** Whether two names are of one folder. */
export const sameFolder = (one: string, other: string): boolean => real(one) === real(other);

/** Whether a path lies below a folder. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(real(folder), real(path));
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** A path with every link followed, as far as it is there. */
const real = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
};

/** What is thrown where the folder of a knowledgebase is not where it was. */
export const folderGone = (path: string): AppError =>
  new AppError('folder_gone', `The folder is gone: ${path}`, { details: { path } });

const nested = (inner: string, outer: string): AppError =>
  new AppError('invalid_argument', `${inner} lies inside the knowledgebase ${outer}.`, {
    hint: 'A knowledgebase cannot hold another; move one of the two out.',
  });
