// Owns the proof that files get their names whole and once, and that what fails leaves nothing behind.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  diskFault,
  errnoOf,
  makeFolder,
  publishFile,
  removeQuietly,
  replaceFile,
  syncFolder,
  writeNewFile,
} from '../../core/durable.ts';
import { verify } from '../../core/engine/verify.ts';
import { AppError } from '../../core/errors.ts';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, openTestCore } from '../helpers/core.ts';
import { namesIn } from '../helpers/filled.ts';
import { bundled, runModule } from '../helpers/run-module.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { mountStick } from '../helpers/stick.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = tempFolder();
});
afterAll(removeTempFolders);

const text = (name: string): string => readFileSync(at(name), 'utf8');

describe('writeNewFile', () => {
  it('writes all its parts, once', () => {
    writeNewFile(at('a'), [Buffer.from('one'), Buffer.alloc(0), Buffer.from('two')]);
    expect(text('a')).toBe('onetwo');
    expect(() => writeNewFile(at('a'), [Buffer.from('three')])).toThrow(/EEXIST/);
    expect(text('a')).toBe('onetwo');
  });

  it('that fails leaves no file', () => {
    // What is no bytes fails in the middle, after the first part is written.
    const failing = (): void => writeNewFile(at('a'), [Buffer.from('one'), null as never]);
    expect(failing).toThrow(TypeError);
    expect(namesIn(folder)).toEqual([]);
  });
});

describe('publishFile', () => {
  it('gives a file its name and takes the old one', () => {
    writeNewFile(at('staged'), [Buffer.from('one')]);
    expect(publishFile(at('staged'), at('final'))).toBe(true);
    expect([namesIn(folder), text('final')]).toEqual([['final'], 'one']);
    expect(statSync(at('final')).nlink).toBe(1);
  });

  it('never replaces what has the name: a file, a folder', () => {
    writeFileSync(at('final'), 'first');
    mkdirSync(at('folder'));
    writeNewFile(at('staged'), [Buffer.from('second')]);
    expect(publishFile(at('staged'), at('final'))).toBe(false);
    expect(publishFile(at('staged'), at('folder'))).toBe(false);
    expect([text('final'), text('staged')]).toEqual(['first', 'second']);
  });

  it('of a file that is not there fails', () => {
    expect(() => publishFile(at('nothing'), at('final'))).toThrow(/ENOENT/);
    expect(namesIn(folder)).toEqual([]);
  });

  it('lets one of many processes win each name', { timeout: 60_000 }, async () => {
    const module = await bundled(new URL('../helpers/publish-names.ts', import.meta.url));
    const all = [0, 1, 2, 3].map((n) => runModule(module, [folder, `${n}`, '200']));
    await Promise.all(all.map(({ said }) => said('ready')));
    for (const { child } of all) child.stdin?.end();
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: '' })));
    // Each wrote its number into its files, and the names it won into a list.
    const won = [0, 1, 2, 3].flatMap((n) =>
      text(`won-${n}`)
        .split('\n')
        .filter((name) => name !== '')
        .map((name) => [name, `${n}`] as const),
    );
    expect(won.length).toBe(200);
    expect(new Map(won).size).toBe(200);
    for (const [name, winner] of won) expect([name, text(name)]).toEqual([name, winner]);
  });
});

describe('replaceFile', () => {
  it('makes or replaces a file, whole, and leaves nothing else', () => {
    replaceFile(at('a'), 'one');
    replaceFile(at('a'), 'two');
    expect([namesIn(folder), text('a')]).toEqual([['a'], 'two']);
  });

  it('goes on where a crash left its staged file', () => {
    writeFileSync(at(`a.${process.pid}.new`), 'torn');
    replaceFile(at('a'), 'one');
    expect([namesIn(folder), text('a')]).toEqual([['a'], 'one']);
  });
});

describe('makeFolder and removeQuietly', () => {
  it('make what is missing, remove what is there, and mind nothing else', () => {
    makeFolder(at('a/b/c'));
    makeFolder(at('a/b/c'));
    syncFolder(at('a/b'));
    expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
    writeFileSync(at('x'), '');
    removeQuietly(at('x'));
    removeQuietly(at('x'));
    expect(existsSync(at('x'))).toBe(false);
    expect(() => removeQuietly(at('a'))).toThrow();
  });
});

describe('diskFault', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'folder_not_writable'],
    ['EACCES', 'folder_not_writable'],
    ['EPERM', 'folder_not_writable'],
  ])('%s is %s', (errno, code) => {
    const cause = Object.assign(new Error('system'), { code: errno });
    const fault = diskFault(cause, '/some/where') as AppError;
    expect([fault instanceof AppError, fault.code, fault.cause]).toEqual([true, code, cause]);
    expect(fault.details).toEqual({ path: '/some/where' });
  });

  it('gives back anything else', () => {
    const error = Object.assign(new Error('system'), { code: 'EIO' });
    expect(diskFault(error, '/')).toBe(error);
    expect([errnoOf(error), errnoOf(new Error('no')), errnoOf(null)]).toEqual([
      'EIO',
      undefined,
      undefined,
    ]);
  });
});

const stick = mountStick();
afterAll(() => stick?.unmount());

describe.skipIf(stick === undefined)('on a file system without hard links', () => {
  beforeEach(() => {
    folder = join(stick?.folder ?? '', `${Date.now()}`);
    mkdirSync(folder);
  });

  it('publishFile gives names and never replaces one', () => {
    writeNewFile(at('staged'), [Buffer.from('one')]);
    expect(publishFile(at('staged'), at('final'))).toBe(true);
    writeNewFile(at('staged'), [Buffer.from('two')]);
    expect(publishFile(at('staged'), at('final'))).toBe(false);
    syncFolder(folder);
    expect([text('final'), text('staged')]).toEqual(['one', 'two']);
  });

  it('a knowledgebase lands, replays, rejects and answers', async () => {
    const core = openTestCore({ home: folder });
    const { query, views } = core.createKnowledgebase('k');
    expect(await land(core, 's', '{"a":1.10}\n', 'one')).toMatchObject({ replayed: false });
    expect(await land(core, 's', '{"a":1.10}\n', 'ONE')).toMatchObject({ replayed: true });
    expect(await codeOf(land(core, 's', '{"a":2}\n', 'one'))).toBe('batch_id_conflict');
    expect(await views.settled(15_000)).toBe(true);
    const { rows } = await queryPage(query, 'SELECT a FROM raw_extracted.stream_s');
    expect([rows, views.waitingFor]).toEqual([[['1.10']], null]);
    expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
    await core.close();
    expect(core.logged).toEqual([]);
  });
});
