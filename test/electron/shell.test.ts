// Owns the proof of the shell's parts that need no Electron: addresses, settings, start words, payloads, who has a port.

import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../electron/ipc.ts';
import { fileOf } from '../../electron/page-path.ts';
import { pathWithin } from '../../electron/path-within.ts';
import { holderOf } from '../../electron/port-holder.ts';
import { openSettings } from '../../electron/settings.ts';
import { readStartWords } from '../../electron/start-words.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

describe('addresses of the page', () => {
  test.each([
    ['app://strata/', 'index.html'],
    ['app://strata/index.html?a=1#b', 'index.html'],
    ['app://strata/assets/a%20b.js', 'assets/a b.js'],
    ['app://strata/../../assets/a.js', 'assets/a.js'],
  ])('%s is %s', (url, file) => {
    expect(fileOf(url, '/page')).toBe(join('/page', file));
  });

  test.each([
    'app://other/index.html',
    'app://strata/..%2f..%2fetc/passwd',
    'app://strata/%2e%2e%2f%2e%2e%2fetc/passwd',
    'app://strata/..%5c..%5cetc',
    'app://strata/a%00b',
    'app://strata/%zz',
    'not an address',
  ])('%s is none', (url) => {
    expect(fileOf(url, '/page')).toBeUndefined();
  });

  test('a folder that only begins alike is outside', () => {
    expect(fileOf('app://strata/..%2fpage-two/a', '/page')).toBeUndefined();
  });
});

describe('settings', () => {
  test('are kept', () => {
    const file = join(tempFolder(), 'deep', 'settings.json');
    openSettings(file).change({ theme: 'dark', port: 7_500, host: '0.0.0.0' });
    expect(openSettings(file).get()).toEqual({
      ...{ theme: 'dark', port: 7_500, host: '0.0.0.0', window: null, home: null },
    });
    expect(readFileSync(file, 'utf8')).toContain('"port": 7500');
  });

  test.each([
    '',
    '[]',
    'null',
    '{"theme":"pink","port":-1,"host":"a b","home":"","window":{"width":"wide"}}',
  ])('%s costs no more than the defaults', (text) => {
    const file = join(tempFolder(), 'settings.json');
    writeFileSync(file, text);
    expect(openSettings(file).get()).toEqual({
      theme: 'auto',
      port: null,
      host: null,
      window: null,
      home: null,
    });
  });

  test('a folder that cannot be written is no error', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'settings.json'));
    const settings = openSettings(join(folder, 'settings.json'));
    settings.change({ theme: 'light' });
    expect(settings.get().theme).toBe('light');
  });
});

test('start words are found among those of Chromium', () => {
  const words = [
    '.',
    '--no-sandbox',
    '--home',
    'a',
    '--host',
    '::1',
    '--port=0',
    '--remote-debugging-port=1',
  ];
  expect(readStartWords(words)).toEqual({
    ...{ home: 'a', host: '::1', port: 0, userData: undefined },
  });
  expect(readStartWords(['--port', '70000', '--home'])).toEqual({
    ...{ home: undefined, host: undefined, port: undefined, userData: undefined },
  });
});

test('a page cannot send what a call does not take', () => {
  expect(CHECKS['engine:restart']({ port: 0 })).toBe(true);
  for (const odd of [undefined, null, [1], { port: '1' }, { port: 1.5 }, { home: '/' }]) {
    expect(CHECKS['engine:restart'](odd), JSON.stringify(odd)).toBe(false);
  }
  expect(CHECKS['engine:restart']({ port: 7_423, host: '0.0.0.0' })).toBe(true);
  expect(CHECKS['engine:restart']({ host: 'a machine' })).toBe(false);
  expect(CHECKS['shell:reveal']('a\0b')).toBe(false);
  const reveals = CHECKS['shell:reveal-in'];
  expect(reveals({ knowledgebase: 'main' })).toBe(true);
  expect(reveals({ knowledgebase: 'main', stream: 's', file: 'a.parquet' })).toBe(true);
  for (const odd of [
    ...[undefined, null, 'main', {}, { stream: 's' }, { knowledgebase: '' }],
    ...[
      { knowledgebase: 'main', file: 'a' },
      { knowledgebase: 'main', path: '/' },
    ],
    ...[{ knowledgebase: 'main', stream: undefined }, { knowledgebase: 'a\0' }],
  ]) {
    expect(reveals(odd), JSON.stringify(odd)).toBe(false);
  }
  expect(CHECKS['window:control']('destroy')).toBe(false);
});

test('what is shown is within its knowledgebase, links followed', () => {
  const folder = tempFolder();
  const root = join(folder, 'kb');
  mkdirSync(join(root, 'data'), { recursive: true });
  mkdirSync(join(folder, 'kb-two'));
  writeFileSync(join(root, 'data', 'a.parquet'), '');
  symlinkSync(folder, join(root, 'data', 'out'));
  const shown = (...names: string[]) => pathWithin({ root, path: join(root, ...names) });
  expect(shown()).toBe(realpathSync(root));
  expect(shown('data', 'a.parquet')).toBe(realpathSync(join(root, 'data', 'a.parquet')));
  expect(shown('..', 'kb-two')).toBeUndefined();
  expect(shown('..')).toBeUndefined();
  expect(shown('data', 'out')).toBeUndefined();
  expect(shown('data', 'none.parquet')).toBeUndefined();
  expect(pathWithin(null)).toBeUndefined();
});

test.skipIf(process.platform !== 'linux')('who listens on a port is found', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(holderOf(port)).toContain(`(process ${process.pid})`);
  server.close();
  await once(server, 'close');
  expect(holderOf(port)).toBeUndefined();
});
