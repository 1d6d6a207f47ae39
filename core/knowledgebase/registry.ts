// Owns which knowledgebases a home's list has: its own folders but those that were taken off, and folders elsewhere
// that were opened. Never touches what is in them; the list itself is a small file in the home.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { errnoOf, renameRetrying } from '../durable.ts';
import { AppError } from '../errors.ts';
import { checkKnowledgebaseId, fold } from '../ids.ts';
import { openSqlite } from '../sqlite.ts';
import { listKnowledgebases } from './create.ts';
import { canonicalFolder, checkOnItsOwn, sameFolder } from './folder.ts';
import { type HomePaths, homePaths, knowledgebasePaths } from './paths.ts';
import { readKnowledgebaseSettings, replaceWatched, watchSettings } from './settings.ts';

/** A knowledgebase of the list. */
export interface Listed {
  readonly id: string;
  /** Its folder. */
  readonly path: string;
  /** Whether that is a folder of the home. */
  readonly inHome: boolean;
}

export interface Registry {
  /** The home's own by name, then those elsewhere by id. */
  list(): Listed[];
  /** The one with this id, compared without case; undefined where the list has none. */
  find(id: string): Listed | undefined;
  /** Whether a folder is in the list; cheap, asked at every POST. */
  has(path: string): boolean;
  /**
   * Puts the knowledgebase in a folder into the list, durably; one that was moved takes the place that is gone.
   * Throws `invalid_argument` for a folder that cannot be one, `not_a_knowledgebase`, `format_too_new`,
   * `knowledgebase_exists` with the other's path where its id is in the list.
   */
  add(path: string): Listed;
  /** Takes one off the list, durably; its folder stays as it is. Throws `no_such_knowledgebase`. */
  remove(id: string): Listed;
}

const registrySchema = z.object({
  format: z.literal(1),
  /** Opened folders that are not the home's. */
  elsewhere: z.array(z.object({ id: z.string(), path: z.string() })).default([]),
  /** Names of the home's folders that were taken off the list. */
  removed: z.array(z.string()).default([]),
});
type Entries = z.infer<typeof registrySchema>;

const NONE: Entries = { format: 1, elsewhere: [], removed: [] };

/** How long a change waits for another process's. */
const PATIENCE_MS = 5_000;

/**
 * The registry of a home. Another process may change it at any time. A file that cannot be read counts as empty, so
 * that the home's own knowledgebases stay in reach; `onBroken` is told, and the next change sets it aside.
 */
export const openRegistry = (home: string, onBroken: (reason: string) => void): Registry => {
  const paths = homePaths(home);
  const entries = watchSettings(paths.registry, (path) => readEntries(path, onBroken));

  const listOf = ({ elsewhere, removed }: Entries): Listed[] => {
    const own = listKnowledgebases(home)
      .filter((name) => !removed.includes(name))
      .map((name) => ({ id: name, path: join(home, name), inHome: true }));
    const taken = new Set(own.map(({ id }) => fold(id)));
    // One that was moved into the home is there, not where it was.
    const others = elsewhere.filter(({ id, path }) => !taken.has(fold(id)) || isThere(path, id));
    return [...own, ...others.map((one) => ({ ...one, inHome: false }))];
  };
  const list = (): Listed[] => listOf(entries());

  const find = (id: string): Listed | undefined =>
    list().find((listed) => fold(listed.id) === fold(id));

  const change = (edit: (now: Entries) => Entries): void =>
    changeAlone(paths, () => {
      const now = readEntries(paths.registry, () => setAside(paths.registry));
      replaceWatched(paths.registry, `${JSON.stringify(edit(now), null, 2)}\n`);
    });

  const addOwn = (name: string): Listed => {
    if (entries().removed.includes(name)) {
      change((now) => ({ ...now, removed: now.removed.filter((one) => one !== name) }));
    }
    return { id: name, path: join(home, name), inHome: true };
  };

  return {
    list,
    find,
    has: (path) => {
      const { elsewhere, removed } = entries();
      if (elsewhere.some((one) => one.path === path)) return true;
      return dirname(path) === home && !removed.includes(basename(path));
    },
    add: (given) => {
      const path = canonicalFolder(given);
      const { id } = readKnowledgebaseSettings(knowledgebasePaths(path).settings);
      if (sameFolder(dirname(path), home)) return addOwn(basename(path));
      checkKnowledgebaseId(id);
      change((now) => {
        const listed = listOf(now);
        checkOnItsOwn(path, [home, ...listed.map((one) => one.path)]);
        const other = listed.find((one) => fold(one.id) === fold(id));
        if (other && !sameFolder(other.path, path) && isThere(other.path, id)) {
          throw idTaken(id, other.path);
        }
        const kept = now.elsewhere.filter((one) => fold(one.id) !== fold(id));
        const elsewhere = [...kept, { id, path }].sort((one, two) => (one.id < two.id ? -1 : 1));
        return { ...now, elsewhere };
      });
      return { id, path, inHome: false };
    },
    remove: (id) => {
      const listed = find(id);
      if (!listed) throw noSuchKnowledgebase(id);
      const { path, inHome } = listed;
      change(({ elsewhere, removed, ...now }) => ({
        ...now,
        elsewhere: inHome ? elsewhere : elsewhere.filter((one) => one.path !== path),
        removed: inHome ? [...new Set([...removed, basename(path)])] : removed,
      }));
      return listed;
    },
  };
};

/** What is thrown where the list has no such knowledgebase. */
export const noSuchKnowledgebase = (id: string): AppError =>
  new AppError('no_such_knowledgebase', `There is no knowledgebase "${id.slice(0, 63)}".`);

const idTaken = (id: string, path: string): AppError =>
  new AppError('knowledgebase_exists', `There is a knowledgebase "${id}" already: ${path}.`, {
    hint: `Take that one off the list first: strata kb forget ${id}. Its folder stays as it is.`,
    details: { path },
  });

/** Whether the knowledgebase with this id is in a folder. */
const isThere = (path: string, id: string): boolean => {
  try {
    return fold(readKnowledgebaseSettings(knowledgebasePaths(path).settings).id) === fold(id);
  } catch (error) {
    // One that cannot be read now is in the way all the same; only one that is gone is not.
    return existsSync(knowledgebasePaths(path).settings) || !(error instanceof AppError);
  }
};

const readEntries = (path: string, onBroken: (reason: string) => void): Entries => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return NONE;
    throw error;
  }
  try {
    return registrySchema.parse(JSON.parse(text));
  } catch {
    onBroken(`${path} is not as Strata wrote it: knowledgebases elsewhere are not listed.`);
    return NONE;
  }
};

const setAside = (path: string): void => renameRetrying(path, `${path}.damaged-${Date.now()}`);

/** Runs `work` while no other process changes the registry: SQLite's exclusive lock on a file of its own. */
const changeAlone = ({ registryLock }: HomePaths, work: () => void): void => {
  const lock = openSqlite(registryLock, { timeoutMs: PATIENCE_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    work();
  } finally {
    lock.close();
  }
};
