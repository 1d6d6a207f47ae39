// Compaction of a stream whose batches land in folders of days: a day that is over becomes one file in its own folder,
// and a batch in it is known whichever day it comes again, also when the folder alone tells of it.

import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { verify } from '../../../core/engine/verify.ts';
import { queryPage } from '../../../core/lake/query.ts';
import { compact, undo } from '../../helpers/compacting.ts';
import { codeOf, land, openTestCore, type TestCore } from '../../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const DAYS = ['2001-02-03', '2001-02-04'] as const;
let home: string;
let core: TestCore;
let data: string;

const bodyOf = (id: string): string => `{"a":"${id}","dt":"mine"}\n`;

/** Every file, by its place. */
const files = (): string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(data.length + 1))
    .sort();

const reopened = async (change: () => void): Promise<void> => {
  await core.close();
  change();
  core = openTestCore({ home });
};

/** Two batches on each of two days that are over, and one of today. */
beforeEach(async () => {
  home = tempFolder();
  core = openTestCore({ home });
  core.createKnowledgebase('k').streams.create('s', null, { dateFolders: true });
  data = core.knowledgebase('k').streams.get('s').paths.data;
  for (const [day, ids] of [
    [DAYS[0], ['a1', 'a2']],
    [DAYS[1], ['b1', 'b2']],
  ] as const) {
    for (const id of ids) await land(core, 's', bodyOf(id), id);
    await reopened(() => {
      const today = readdirSync(data).find((name) => !DAYS.some((past) => name === `dt=${past}`));
      renameSync(join(data, today as string), join(data, `dt=${day}`));
    });
  }
  await land(core, 's', bodyOf('now'), 'now');
  await core.knowledgebase('k').views.settled(15_000);
});
afterEach(() => core.close());

const IDS = ['a1', 'a2', 'b1', 'b2', 'now'];

const expectAll = async (): Promise<void> => {
  const knowledgebase = core.knowledgebase('k');
  await knowledgebase.views.settled(15_000);
  const sql = 'SELECT a, dt, _batch_id FROM raw_extracted.stream_s ORDER BY a';
  const { rows } = await queryPage(knowledgebase.query, sql);
  expect(rows).toEqual(IDS.map((id) => [id, 'mine', id]));
  const proof = await verify(knowledgebase);
  expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
  expect(proof.holds).toBe(true);
  const before = files();
  for (const id of IDS) {
    expect(await land(core, 's', bodyOf(id), id.toUpperCase())).toMatchObject({
      ...{ batch_id: id, rows: 1, replayed: true },
    });
    expect(await codeOf(land(core, 's', '{"a":"other"}\n', id))).toBe('batch_id_conflict');
  }
  expect(files()).toEqual(before);
};

it('merges each day that is over in its own folder, and leaves today alone', async () => {
  const loose = files();
  const { run } = await compact(core);
  const today = loose.at(-1) as string;
  const made = [`dt=${DAYS[0]}/c~${run}-1.parquet`, `dt=${DAYS[1]}/c~${run}-2.parquet`];
  expect(files()).toEqual([...made, today]);
  expect(readdirSync(join(data, '..', 'processed', run)).sort()).toEqual(
    DAYS.map((day) => `dt=${day}`),
  );
  await expectAll();
  await undo(core);
  expect(files()).toEqual(loose);
  await expectAll();
});

it('a batch of it is known before the first POST when the ledger is lost', async () => {
  await compact(core);
  await reopened(() => {
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(home, 'k', `ledger.sqlite${end}`), { force: true });
    }
  });
  await expectAll();
  await core.repair('k');
  await expectAll();
});

it('a compacted file that a person moved to another folder is where it lies', async () => {
  const { run } = await compact(core);
  const [from, to] = [`dt=${DAYS[0]}/c~${run}-1.parquet`, `dt=${DAYS[1]}/c~${run}-1.parquet`];
  await reopened(() => renameSync(join(data, from), join(data, to)));
  const { recovery, ledger } = core.knowledgebase('k');
  expect(recovery).toEqual({ recorded: 0, setAside: [], missing: [], swept: 0, broken: [] });
  expect(ledger().batches.get('s', 'a2')).toMatchObject({
    ...{ file: to, landedFile: `dt=${DAYS[0]}/a2.parquet`, rowInFile: 1 },
  });
  expect(ledger().alerts.open()).toEqual(new Map());
  await expectAll();
});
