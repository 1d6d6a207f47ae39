// Owns the proof that a ledger opens from whatever it finds: nothing, an older one, a newer one, or no ledger at all.

import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../core/ledger/migrations/index.ts';
import { openLedger } from '../../core/ledger/open.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { bundled, runModule } from '../helpers/run-module.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const LEDGER_VERSION = MIGRATIONS.length;

let path: string;
beforeEach(() => {
  path = join(tempFolder(), 'ledger.sqlite');
});
afterAll(removeTempFolders);

const versionOf = (): unknown => {
  const db = openSqlite(path);
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return version;
};

const AT = '2026-01-01T00:00:00.000Z';

describe('opening', () => {
  it('makes a ledger where there is none, or an empty file', () => {
    openLedger(path).close();
    expect(versionOf()).toBe(LEDGER_VERSION);
    rmSync(path);
    writeFileSync(path, '');
    const ledger = openLedger(path);
    ledger.streams.ensure('s', AT);
    expect([versionOf(), ledger.faults(), ledger.streams.list().length]).toEqual([
      LEDGER_VERSION,
      [],
      1,
    ]);
    ledger.close();
  });

  it('again finds what was there', () => {
    const first = openLedger(path);
    first.streams.ensure('S', 'a guess', { isGuess: true });
    first.streams.ensure('s', AT);
    first.streams.ensure('s', 'another guess', { isGuess: true });
    first.close();
    const second = openLedger(path);
    expect(second.streams.list()).toMatchObject([{ stream: 'S', createdAt: AT, received: 0 }]);
    second.close();
  });

  it('a newer one is refused, and left as it is', () => {
    openLedger(path).close();
    const db = openSqlite(path);
    db.pragma(`user_version = ${LEDGER_VERSION + 1}`);
    db.exec('CREATE TABLE of_the_future (a)');
    db.close();
    const expected = {
      code: 'format_too_new',
      message: `The ledger has version ${LEDGER_VERSION + 1}; this Strata knows ${LEDGER_VERSION}: ${path}.`,
    };
    expect(() => openLedger(path)).toThrow(expect.objectContaining(expected));
    expect(versionOf()).toBe(LEDGER_VERSION + 1);
  });

  it.each([
    [
      'text',
      () => writeFileSync(path, 'this is no database, it is a sentence that goes on and on'),
    ],
    ['zeros', () => writeFileSync(path, Buffer.alloc(20_000, 1))],
    [
      'a database cut short',
      () => {
        openLedger(path).close();
        truncateSync(path, 6_000);
      },
    ],
  ])('%s is refused as broken, and left as it is', (_, damage) => {
    damage();
    const before = readFileSync(path);
    const expected = { code: 'ledger_broken', message: `The ledger is damaged: ${path}.` };
    expect(() => openLedger(path)).toThrow(expect.objectContaining(expected));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a folder in its place cannot be opened', () => {
    mkdirSync(path);
    const expected = {
      code: 'folder_not_writable',
      message: `The ledger cannot be opened for writing: ${path}.`,
    };
    expect(() => openLedger(path)).toThrow(expect.objectContaining(expected));
  });

  it('by many processes at once makes it once', { timeout: 60_000 }, async () => {
    const module = await bundled(new URL('../helpers/open-ledger.ts', import.meta.url));
    const all = Array.from({ length: 8 }, (_, n) => runModule(module, [path, `s${n}`]));
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: '' })));
    const ledger = openLedger(path);
    expect(ledger.streams.list().map(({ stream }) => stream)).toEqual(
      Array.from({ length: 8 }, (_, n) => `s${n}`),
    );
    ledger.close();
  });
});

describe('a handle', () => {
  it('knows when its file was removed or replaced', () => {
    const ledger = openLedger(path);
    expect(ledger.inPlace()).toBe(true);
    rmSync(path);
    expect(ledger.inPlace()).toBe(false);
    const other = openLedger(path);
    expect([ledger.inPlace(), other.inPlace()]).toEqual([false, true]);
    ledger.close();
    other.close();
  });

  it('undoes a transaction that fails', () => {
    const ledger = openLedger(path);
    const failing = (): void =>
      ledger.transaction(() => {
        ledger.streams.ensure('s', AT);
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(ledger.streams.list()).toEqual([]);
    ledger.close();
  });
});

describe('events', () => {
  it('are kept to the last 10,000, newest first', () => {
    const ledger = openLedger(path);
    ledger.transaction(() => {
      for (let n = 1; n <= 10_050; n += 1) {
        ledger.events.add({ at: AT, level: 'info', kind: 'test', stream: null, message: `${n}` });
      }
    });
    const kept = ledger.events.list(20_000);
    expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([10_000, '10050', '51']);
    ledger.close();
  });
});
