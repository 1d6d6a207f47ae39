// A folder for each day of landing: where batches lie, and that a batch is known whichever day or setting it came with.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../core/engine/verify.ts';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

let home: string;
let core: TestCore;
let data: string;
beforeEach(() => {
  home = tempFolder();
  core = openTestCore({ home });
  core.createKnowledgebase('k').streams.create('s', null, { dateFolders: true });
  data = core.knowledgebase('k').streams.get('s').paths.data;
});
afterEach(() => core.close());

const BODY = '{"a":"1","dt":"mine"}\n{"a":"2","dt":null}\n';
const DAY = /^dt=\d{4}-\d\d-\d\d$/;

const files = (): string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(data.length + 1))
    .sort();

const switchTo = (dateFolders: boolean): void => {
  const path = join(data, '..', 'stream.json');
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...settings, date_folders: dateFolders }));
};

const reopened = async (change: () => void): Promise<void> => {
  await core.close();
  change();
  core = openTestCore({ home });
};

const removeLedger = (): void => {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(join(home, 'k', `ledger.sqlite${end}`), { force: true });
  }
};

/** Brings what landed today to another day, as if it had landed then. */
const age = (): void =>
  renameSync(join(data, readdirSync(data)[0] as string), join(data, 'dt=2001-02-03'));

const expectKnown = async (id = 'one'): Promise<void> => {
  const before = files();
  expect(await land(core, 's', BODY, id.toUpperCase())).toMatchObject({
    ...{ batch_id: id, rows: 2, replayed: true },
  });
  expect(await codeOf(land(core, 's', '{"a":"other"}\n', id))).toBe('batch_id_conflict');
  expect(files()).toEqual(before);
};

const expectToHold = async (): Promise<void> => {
  const { views } = core.knowledgebase('k');
  await views.settled(15_000);
  expect(await verify(core.knowledgebase('k'))).toMatchObject({
    ...{ holds: true, differences: [], streams: [{ differences: [] }] },
  });
};

describe('with folders of days', { timeout: 60_000 }, () => {
  it('a batch lies in the folder of its day, and a field `dt` is the producer’s', async () => {
    const before = new Date().toISOString().slice(0, 10);
    await land(core, 's', BODY, 'one');
    await land(core, 's', '{"b":"3"}\n');
    const after = new Date().toISOString().slice(0, 10);
    const [first, second] = files() as [string, string];
    expect([`dt=${before}`, `dt=${after}`]).toContain(second.split('/')[0]);
    expect([first, second].map((file) => DAY.test(file.split('/')[0] as string))).toEqual([
      ...[true, true],
    ]);
    expect([first, second].some((file) => file.endsWith('/one.parquet'))).toBe(true);
    await core.knowledgebase('k').views.settled(15_000);
    const { query, ledger } = core.knowledgebase('k');
    const page = await queryPage(query, 'SELECT * FROM raw_extracted.stream_s ORDER BY a');
    const at = page.columns.map(({ name }) => name);
    expect(at.sort()).toEqual(['_batch_id', '_line', 'a', 'b', 'dt', 'filename']);
    const values = await queryPage(query, 'SELECT a, dt, b FROM raw_extracted.stream_s ORDER BY a');
    expect(values.rows).toEqual([
      ['1', 'mine', null],
      ['2', null, null],
      [null, null, '3'],
    ]);
    const recorded = ledger().batches.list('s', 10);
    expect(recorded.map(({ file }) => file).sort()).toEqual([first, second]);
    await expectToHold();
  });

  it('a batch is known when the setting is another, both ways', async () => {
    await land(core, 's', BODY, 'one');
    switchTo(false);
    await expectKnown();
    await land(core, 's', BODY, 'two');
    expect(files()).toEqual([expect.stringMatching(/^dt=.*\/one\.parquet$/), 'two.parquet']);
    switchTo(true);
    await expectKnown('one');
    await expectKnown('two');
    await reopened(() => {});
    await expectKnown('two');
    await expectToHold();
  });

  it.each([
    ['on another day', () => {}],
    ['on another day, its ledger lost', removeLedger],
  ])('a batch that landed %s is known', async (_, lose) => {
    await land(core, 's', BODY, 'one');
    await reopened(() => {
      age();
      lose();
    });
    expect(core.knowledgebase('k').recovery).toMatchObject({ setAside: [], missing: [] });
    await expectKnown();
    expect(await land(core, 's', BODY, 'two')).toMatchObject({ replayed: false });
    expect(files()[0]).toBe('dt=2001-02-03/one.parquet');
    await core.repair('k');
    await expectKnown('one');
    await expectKnown('two');
    switchTo(false);
    await core.repair('k');
    await expectKnown('two');
    await expectToHold();
  });

  it('a file that a person moved between the folders is where it lies', async () => {
    switchTo(false);
    await land(core, 's', BODY, 'one');
    await land(core, 's', BODY, 'two');
    await reopened(() => {
      mkdirSync(join(data, 'dt=2001-02-03'));
      renameSync(join(data, 'one.parquet'), join(data, 'dt=2001-02-03', 'one.parquet'));
    });
    const { recovery, ledger } = core.knowledgebase('k');
    expect(recovery).toEqual({ recorded: 0, setAside: [], missing: [], swept: 0, broken: [] });
    expect(ledger().batches.get('s', 'one')).toMatchObject({
      ...{ file: 'dt=2001-02-03/one.parquet', recovered: false },
    });
    expect(ledger().streams.get('s')).toMatchObject({ received: 2, landed: 2, rows: 4, files: 2 });
    await expectKnown();
    await expectToHold();
  });

  it('a copy in the folder of another day is set aside, and so is what is broken there', async () => {
    await land(core, 's', BODY, 'one');
    await reopened(() => {
      mkdirSync(join(data, 'dt=2001-02-03'));
      const [file] = files() as [string];
      writeFileSync(join(data, 'dt=2001-02-03', 'one.parquet'), readFileSync(join(data, file)));
      writeFileSync(join(data, 'dt=2001-02-03', 'junk.parquet'), 'PAR1');
    });
    const { recovery } = core.knowledgebase('k');
    expect([...(recovery?.setAside ?? [])].sort()).toEqual([
      ...['s/dt=2001-02-03/junk.parquet', 's/dt=2001-02-03/one.parquet'],
    ]);
    expect(readdirSync(join(data, '..', 'failed')).sort()).toEqual([
      ...['dt=2001-02-03__junk.parquet', 'dt=2001-02-03__junk.parquet.txt'],
      ...['dt=2001-02-03__one.parquet', 'dt=2001-02-03__one.parquet.txt'],
    ]);
    await expectKnown();
    await expectToHold();
  });
});
