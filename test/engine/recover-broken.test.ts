// Owns the proof that a file which cannot stay in data/ is set aside into failed/ at the next opening, whole and with
// its reason, and never breaks a query after it.

import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../core/engine/verify.ts';
import { queryPage } from '../../core/lake/query.ts';
import { land } from '../helpers/core.ts';
import { type Filled, filledKnowledgebase, namesIn, withCore } from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

let filled: Filled;
beforeEach(async () => {
  filled = await filledKnowledgebase();
});

/** Opens for writing; what that found, the alerts it left, and how many rows the view then has. */
const opened = (rows: number) =>
  withCore(filled.home, async (core) => {
    const { recovery, ledger, query, views } = core.knowledgebase('k');
    await views.settled(15_000);
    const page = await queryPage(query, 'SELECT count(*) FROM raw_extracted.stream_s');
    expect(page.rows).toEqual([[String(rows)]]);
    expect(views.waitingFor).toBe(null);
    const alerts = ledger()
      .events.list(100)
      .filter(({ level }) => level === 'error')
      .map(({ kind, stream, message }) => ({ kind, stream, message }));
    return { recovery, alerts };
  });

const setAside = (file: string, reason: string) => ({
  kind: 'file-set-aside',
  stream: 's',
  message: `${file} was set aside in failed/: ${reason}`,
});

const kept = (): string[] =>
  namesIn(filled.at('failed')).filter((name) => !name.startsWith('bad.'));

describe('a file that is not whole Parquet', () => {
  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['a few bytes', () => Buffer.from('PAR1')],
    ['text', () => Buffer.from('{"a":1}\n'.repeat(500))],
    ['a batch cut in the middle', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
    ['a batch without its last byte', (whole: Buffer) => whole.subarray(0, -1)],
    ['a batch with bytes after it', (whole: Buffer) => Buffer.concat([whole, Buffer.from('x')])],
    [
      'a batch whose footer is zeros',
      (whole: Buffer) => Buffer.from(whole).fill(0, whole.length - 200, whole.length - 8),
    ],
  ])('%s', async (_, damage) => {
    const bytes = damage(readFileSync(filled.at('data', 'one.parquet')));
    writeFileSync(filled.at('data', 'broken.parquet'), bytes);
    const { recovery, alerts } = await opened(5);
    expect(recovery).toMatchObject({ recorded: 0, setAside: ['s/broken.parquet'], missing: [] });
    expect(kept()).toEqual(['broken.parquet', 'broken.parquet.txt']);
    expect(readFileSync(filled.at('failed', 'broken.parquet')).equals(bytes)).toBe(true);
    const reason = readFileSync(filled.at('failed', 'broken.parquet.txt'), 'utf8').trim();
    expect(reason).not.toBe('');
    expect(alerts).toEqual([setAside('broken.parquet', reason)]);
    expect(namesIn(filled.at('data'))).toEqual(['one.parquet', 'two.parquet']);
  });

  it('also where it was a batch that the ledger knows: that one is then missing', async () => {
    truncateSync(filled.at('data', 'two.parquet'), 300);
    const { recovery } = await opened(2);
    expect(recovery).toMatchObject({ setAside: ['s/two.parquet'], missing: [] });
    const again = await opened(2);
    expect(again.recovery).toMatchObject({ setAside: [], missing: ['s/two.parquet'] });
    expect(again.alerts[0]).toEqual({
      kind: 'file-missing',
      stream: 's',
      message: '1 landed files are missing, the first is two.parquet.',
    });
  });
});

describe('a whole Parquet file', () => {
  it('that Strata did not land', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT 1 AS a, 'x' AS filename) TO '${filled.at('data', 'foreign.parquet')}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
    const { recovery, alerts } = await opened(5);
    expect(recovery).toMatchObject({ setAside: ['s/foreign.parquet'] });
    expect(alerts).toEqual([
      setAside('foreign.parquet', 'Strata did not land it; import it instead.'),
    ]);
    expect(kept()).toEqual(['foreign.parquet', 'foreign.parquet.txt']);
  });

  it('that is a copy of a batch, under another name or in another folder', async () => {
    mkdirSync(filled.at('data', 'dt=2026-01-01'));
    copyFileSync(filled.at('data', 'one.parquet'), filled.at('data', 'copy.parquet'));
    copyFileSync(
      filled.at('data', 'one.parquet'),
      filled.at('data', 'dt=2026-01-01', 'one.parquet'),
    );
    const { recovery, alerts } = await opened(5);
    const reason = 'It holds the batch one, which is in one.parquet already.';
    expect(recovery?.setAside).toEqual(['s/dt=2026-01-01/one.parquet', 's/copy.parquet']);
    expect(alerts).toEqual([
      setAside('copy.parquet', reason),
      setAside('dt=2026-01-01/one.parquet', reason),
    ]);
    expect(kept()).toEqual([
      'copy.parquet',
      'copy.parquet.txt',
      'dt=2026-01-01__one.parquet',
      'dt=2026-01-01__one.parquet.txt',
    ]);
  });

  it('and its copy, both unknown to the ledger: one of them counts', async () => {
    rmSync(filled.paths.ledger);
    copyFileSync(filled.at('data', 'one.parquet'), filled.at('data', 'copy of one.parquet'));
    const { recovery } = await opened(5);
    expect([recovery?.recorded, recovery?.setAside.length]).toEqual([2, 1]);
    await withCore(filled.home, async (core) => {
      expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
      expect(await land(core, 's', '{"a":"1.10","filename":"x"}\n{"a":2}\n', 'one')).toMatchObject({
        replayed: true,
      });
    });
  });

  it('set aside twice under one name: both are kept', async () => {
    for (const text of ['first', 'second']) {
      writeFileSync(filled.at('data', 'broken.parquet'), text);
      await opened(5);
    }
    expect(kept()).toEqual([
      '2~broken.parquet',
      '2~broken.parquet.txt',
      'broken.parquet',
      'broken.parquet.txt',
    ]);
    expect(readFileSync(filled.at('failed', 'broken.parquet'), 'utf8')).toBe('first');
    expect(readFileSync(filled.at('failed', '2~broken.parquet'), 'utf8')).toBe('second');
  });
});

describe('what a view does not read', () => {
  it('stays where it is', async () => {
    writeFileSync(filled.at('data', 'notes.txt'), 'mine');
    mkdirSync(filled.at('data', 'empty'));
    const { recovery, alerts } = await opened(5);
    expect({ recovery, alerts }).toEqual({
      recovery: { recorded: 0, setAside: [], missing: [], swept: 0, broken: [] },
      alerts: [],
    });
    expect(namesIn(filled.at('data'))).toEqual([
      'empty',
      'notes.txt',
      'one.parquet',
      'two.parquet',
    ]);
  });

  it('but links are read, so they do not stay: what they lead to is left alone', async () => {
    const outside = `${filled.home}/outside.parquet`;
    copyFileSync(filled.at('data', 'two.parquet'), outside);
    symlinkSync(outside, filled.at('data', 'link.parquet'));
    symlinkSync(`${filled.home}/nothing.parquet`, filled.at('data', 'leads-nowhere.parquet'));
    rmSync(filled.at('data', 'two.parquet'));
    symlinkSync(outside, filled.at('data', 'two.parquet'));
    const { recovery, alerts } = await opened(2);
    expect(recovery?.setAside).toEqual([
      's/leads-nowhere.parquet',
      's/link.parquet',
      's/two.parquet',
    ]);
    expect(alerts[0]).toEqual(setAside('two.parquet', 'It is not a file of its own.'));
    expect(lstatSync(filled.at('failed', 'link.parquet')).isSymbolicLink()).toBe(true);
    expect(existsSync(outside)).toBe(true);
  });

  it('and a folder that is named as a file is none', async () => {
    mkdirSync(filled.at('data', 'folder.parquet'));
    expect((await opened(5)).recovery?.setAside).toEqual([]);
  });
});
