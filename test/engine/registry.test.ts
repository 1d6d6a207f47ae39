// The list of a home's knowledgebases: what may be put in, what is in the way, and two processes that change it.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createKnowledgebase } from '../../core/knowledgebase/create.ts';
import { openRegistry, type Registry } from '../../core/knowledgebase/registry.ts';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

let home: string;
let registry: Registry;
let broken: string[];
beforeEach(() => {
  home = tempFolder();
  broken = [];
  registry = openRegistry(home, (reason) => broken.push(reason));
  createKnowledgebase(home, 'own');
});

/** A knowledgebase in a folder of its own, by the name of its id unless another is given. */
const elsewhere = (id: string, name = id): string => {
  const folder = tempFolder();
  createKnowledgebase(folder, id);
  if (name !== id) renameSync(join(folder, id), join(folder, name));
  return join(folder, name);
};

const own = () => ({ id: 'own', path: join(home, 'own'), inHome: true });
const file = () => join(home, 'knowledgebases.json');
const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    const { code, message, hint } = error as Record<string, unknown>;
    return { code, message, hint };
  }
  return 'it worked';
};

describe('the list', () => {
  it('is the folders of the home, and needs no file', () => {
    expect(registry.list()).toEqual([own()]);
    expect(registry.find('OWN')).toEqual(own());
    expect(registry.find('nope')).toBeUndefined();
    expect([registry.has(own().path), registry.has(join(home, 'other', 'own'))]).toEqual([
      true,
      false,
    ]);
    expect(existsSync(file())).toBe(false);
  });

  it('remembers what was opened elsewhere, by its id, whatever its folder is called', () => {
    const b = elsewhere('b', 'on the stick');
    const a = elsewhere('A');
    expect(registry.add(b)).toEqual({ id: 'b', path: b, inHome: false });
    registry.add(a);
    registry.add(a);
    const all = [own(), { id: 'A', path: a, inHome: false }, { id: 'b', path: b, inHome: false }];
    expect(registry.list()).toEqual(all);
    expect(openRegistry(home, () => {}).list()).toEqual(all);
    expect([registry.has(a), registry.has(b)]).toEqual([true, true]);
    expect(readdirSync(home).sort()).toEqual([
      '.knowledgebases.lock',
      'knowledgebases.json',
      'own',
    ]);
  });

  it('forgets, and takes back', () => {
    const a = elsewhere('a');
    registry.add(a);
    expect(registry.remove('A')).toEqual({ id: 'a', path: a, inHome: false });
    expect(registry.remove('own')).toEqual(own());
    expect(registry.list()).toEqual([]);
    expect([registry.has(a), registry.has(own().path)]).toEqual([false, false]);
    expect([existsSync(join(a, 'knowledgebase.json')), existsSync(own().path)]).toEqual([
      true,
      true,
    ]);
    expect(failure(() => registry.remove('a'))).toMatchObject({ code: 'no_such_knowledgebase' });
    registry.add(own().path);
    registry.add(a);
    expect(registry.list()).toEqual([own(), { id: 'a', path: a, inHome: false }]);
  });

  it('is read again when another process has changed it', () => {
    const other = openRegistry(home, () => {});
    const a = elsewhere('a');
    expect(other.list()).toEqual([own()]);
    registry.add(a);
    expect(other.list()).toEqual([own(), { id: 'a', path: a, inHome: false }]);
    other.remove('own');
    expect(registry.has(own().path)).toBe(false);
  });

  it('keeps every change of processes that make theirs at once', { timeout: 60_000 }, async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const opened = ids.map((id) => strata(home, ['kb', 'open', elsewhere(id)]));
    const codes = (await Promise.all([...opened, strata(home, ['kb', 'forget', 'own'])])).map(
      ({ code, stderr }) => [code, stderr],
    );
    expect(codes).toEqual(codes.map(() => [0, '']));
    expect(registry.list().map(({ id }) => id)).toEqual(ids);
  });
});

describe('a knowledgebase that was moved', () => {
  it('is said to be where it was, until it is opened where it is', () => {
    const old = elsewhere('a');
    registry.add(old);
    const now = join(tempFolder(), 'moved');
    renameSync(old, now);
    expect(registry.find('a')).toEqual({ id: 'a', path: old, inHome: false });
    expect(registry.add(now)).toEqual({ id: 'a', path: now, inHome: false });
    expect(registry.list()).toEqual([own(), { id: 'a', path: now, inHome: false }]);
  });

  it('into the home is the home’s', () => {
    const old = elsewhere('a');
    registry.add(old);
    renameSync(old, join(home, 'a'));
    expect(registry.list()).toEqual([{ id: 'a', path: join(home, 'a'), inHome: true }, own()]);
  });

  it('out of the home is elsewhere', () => {
    const now = join(tempFolder(), 'own');
    renameSync(own().path, now);
    expect(registry.list()).toEqual([]);
    expect(registry.add(now)).toEqual({ id: 'own', path: now, inHome: false });
  });

  it('and whose place another one has taken is gone from there', () => {
    const old = elsewhere('a');
    registry.add(old);
    const now = join(tempFolder(), 'a');
    renameSync(old, now);
    renameSync(elsewhere('other'), old);
    expect(registry.add(now)).toEqual({ id: 'a', path: now, inHome: false });
    expect(registry.add(old)).toEqual({ id: 'other', path: old, inHome: false });
  });
});

describe('what cannot be opened', () => {
  const copied = (id: string) => elsewhere(id);

  it('an id that is in the list; the other is named', () => {
    const first = elsewhere('a');
    registry.add(first);
    for (const id of ['a', 'A', 'own']) {
      expect(failure(() => registry.add(copied(id)))).toEqual({
        code: 'knowledgebase_exists',
        message: `There is a knowledgebase "${id}" already: ${id === 'own' ? own().path : first}.`,
        hint: `Take that one off the list first: strata kb forget ${id}. Its folder stays as it is.`,
      });
    }
    expect(registry.list()).toEqual([own(), { id: 'a', path: first, inHome: false }]);
  });

  it.each<[string, () => string, (path: string) => object]>([
    [
      'a folder that is not there',
      () => join(home, 'nope'),
      (path) => ({
        code: 'invalid_argument',
        message: `There is no folder ${path}.`,
      }),
    ],
    [
      'a file',
      () => join(own().path, 'knowledgebase.json'),
      (path) => ({
        code: 'invalid_argument',
        message: `${path} is not a folder.`,
      }),
    ],
    [
      'a path that is not whole',
      () => 'own',
      () => ({
        code: 'invalid_argument',
        message: '"own" is not a whole path.',
      }),
    ],
    [
      'a path with a question mark, in which DuckDB cannot work',
      () => {
        const path = elsewhere('what');
        renameSync(path, `${path}?`);
        return `${path}?`;
      },
      (path) => ({
        code: 'invalid_argument',
        message: `The path ${path} has a question mark.`,
        hint: 'DuckDB cannot keep its views there: rename the folder, or choose another.',
      }),
    ],
    [
      'a folder that is no knowledgebase',
      tempFolder,
      (path) => ({
        code: 'not_a_knowledgebase',
        message: `There is no ${join(path, 'knowledgebase.json')}.`,
      }),
    ],
    [
      'a link',
      () => {
        const link = join(tempFolder(), 'link');
        symlinkSync(elsewhere('linked'), link);
        return link;
      },
      (path) => ({ code: 'invalid_argument', message: `${path} is a link.` }),
    ],
    [
      'a knowledgebase inside another',
      () => {
        createKnowledgebase(own().path, 'inner');
        return join(own().path, 'inner');
      },
      (path) => ({
        code: 'invalid_argument',
        message: `${path} lies inside the knowledgebase ${own().path}.`,
      }),
    ],
    [
      'one that holds the home',
      () => {
        const outer = elsewhere('outer');
        const inner = join(outer, 'home');
        mkdirSync(inner);
        registry = openRegistry(inner, () => {});
        home = inner;
        return outer;
      },
      (path) => ({
        code: 'invalid_argument',
        message: `${home} lies inside the knowledgebase ${path}.`,
      }),
    ],
    [
      'one whose id cannot be one',
      () => {
        const path = elsewhere('fine');
        const settings = join(path, 'knowledgebase.json');
        writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('"fine"', '"not fine"'));
        return path;
      },
      () => ({ code: 'invalid_knowledgebase_id' }),
    ],
    [
      'one of a newer format',
      () => {
        const path = elsewhere('newer');
        const settings = join(path, 'knowledgebase.json');
        writeFileSync(
          settings,
          readFileSync(settings, 'utf8').replace('"format": 1', '"format": 2'),
        );
        return path;
      },
      () => ({ code: 'format_too_new' }),
    ],
  ])('%s', (_, make, expected) => {
    const path = make();
    const before = registry.list();
    expect(failure(() => registry.add(path))).toMatchObject(expected(path));
    expect(registry.list()).toEqual(before);
  });

  it('by a name with links above it, it is the same folder', () => {
    const real = elsewhere('a');
    const link = join(tempFolder(), 'link');
    symlinkSync(join(real, '..'), link);
    expect(registry.add(join(link, 'a'))).toEqual({ id: 'a', path: real, inHome: false });
    symlinkSync(home, join(link, 'home'));
    registry.remove('own');
    expect(registry.add(join(link, 'home', 'own'))).toEqual(own());
  });
});

it('a list that cannot be read leaves the home’s own, and is kept beside the next one', async () => {
  writeFileSync(file(), '{"elsewhere":');
  expect(registry.list()).toEqual([own()]);
  expect(broken).toEqual([
    `${file()} is not as Strata wrote it: knowledgebases elsewhere are not listed.`,
  ]);
  const listed = await strataJson<{ knowledgebases: { id: string }[] }>(home, ['kb', 'list']);
  expect(listed.knowledgebases.map(({ id }) => id)).toEqual(['own']);
  const a = elsewhere('a');
  registry.add(a);
  expect(registry.list()).toEqual([own(), { id: 'a', path: a, inHome: false }]);
  const kept = readdirSync(home).filter((name) => name.startsWith('knowledgebases.json.damaged-'));
  expect(kept.map((name) => readFileSync(join(home, name), 'utf8'))).toEqual(['{"elsewhere":']);
  rmSync(file());
});
