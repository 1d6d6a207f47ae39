// Knowledgebases elsewhere in one process: opened, moved, gone and back, taken off the list while they are in use.

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findReject } from '../../core/engine/rejects/find.ts';
import { replayReject } from '../../core/engine/rejects/replay.ts';
import { verify } from '../../core/engine/verify.ts';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { filledKnowledgebase } from '../helpers/filled.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

afterAll(removeTempFolders);

let core: TestCore;
let folder: string;
beforeEach(async () => {
  folder = join((await filledKnowledgebase()).home, 'k');
  core = openTestCore();
});
afterEach(() => core.close());

const listed = (path: string, fault: string | null = null, streams = 1) => ({
  ...{ id: 'k', path, streams: fault === null ? streams : 0, inHome: false, fault },
});

const rowsOfView = async (): Promise<string | null | undefined> => {
  const { query, views } = core.knowledgebase('k');
  await views.settled(15_000);
  const { rows, unavailable } = await queryPage(
    query,
    'SELECT count(*) FROM raw_extracted.stream_s',
  );
  expect([unavailable, views.waitingFor]).toEqual([null, null]);
  return rows[0]?.[0];
};

/** Which folder the view in kb.duckdb names. */
const viewIsOf = async (path: string): Promise<void> => {
  const { rows } = await queryPage(
    core.knowledgebase('k').query,
    "SELECT sql FROM duckdb_views() WHERE view_name = 'stream_s' AND database_name = 'kb'",
  );
  expect(rows[0]?.[0]).toContain(join(path, 'strata', 'streams', 's', 'data'));
};

it('one is opened, lands, and is there after a restart', async () => {
  expect((await core.openFolder(folder)).id).toBe('k');
  expect(core.listKnowledgebases()).toEqual([listed(folder)]);
  await land(core, 's', '{"a":1}\n', 'three');
  expect(await rowsOfView()).toBe('6');
  const { home } = core;
  await core.close();
  core = openTestCore({ home });
  expect(core.listKnowledgebases()).toEqual([listed(folder)]);
  expect(await land(core, 's', '{"a":1}\n', 'three')).toMatchObject({ replayed: true });
});

it('opening one that is open gives it back', async () => {
  const first = await core.openFolder(folder);
  expect(await core.openFolder(folder)).toBe(first);
});

describe('one that was moved while it was open', { timeout: 60_000 }, () => {
  const moved = async (): Promise<string> => {
    await core.openFolder(folder);
    await rowsOfView();
    const now = join(tempFolder(), 'new place');
    renameSync(folder, now);
    return now;
  };

  it('says so, takes nothing in, and has all rows where it is opened', async () => {
    const now = await moved();
    const gone = `The folder is gone: ${folder}`;
    expect(core.listKnowledgebases()).toEqual([listed(folder, gone)]);
    expect(await codeOf(land(core, 's', '{"a":1}\n', 'three'))).toBe('folder_gone');
    expect(existsSync(folder)).toBe(false);
    await core.openFolder(now);
    expect(core.listKnowledgebases()).toEqual([listed(now)]);
    expect(await rowsOfView()).toBe('5');
    await viewIsOf(now);
    expect(await land(core, 's', '{"A":3}\n{"b":4}\n{"b":null}\n', 'two')).toMatchObject({
      replayed: true,
    });
    expect(await land(core, 's', '{"a":1}\n', 'three')).toMatchObject({ replayed: false });
    expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
  });

  it('comes back as it was', async () => {
    const now = await moved();
    await until('it is closed', () => core.opened().length === 0);
    renameSync(now, folder);
    expect(await rowsOfView()).toBe('5');
    expect(await land(core, 's', '{"a":1}\n', 'three')).toMatchObject({ replayed: false });
  });

  it('and landed elsewhere meanwhile: new columns and rows are known', async () => {
    await core.openFolder(folder);
    await land(core, 's', '{"a":1}\n', 'three');
    const now = join(tempFolder(), 'k');
    renameSync(folder, now);
    await until('it is closed', () => core.opened().length === 0);
    const other = openTestCore();
    await other.openFolder(now);
    await land(other, 's', '{"A":1,"New":2}\n', 'four');
    await other.close();
    renameSync(now, folder);
    await until('it is there', () => core.listKnowledgebases()[0]?.fault === null);
    await land(core, 's', '{"new":3}\n', 'five');
    const { ledger } = core.knowledgebase('k');
    expect(
      ledger()
        .columns.list('s')
        .map(({ landed }) => landed),
    ).toEqual(['a', 'filename_', 'b', 'New']);
    expect(await rowsOfView()).toBe('8');
  });
});

describe('one that is taken off the list', { timeout: 60_000 }, () => {
  it('is closed, its folder left as it is, and can be opened again', async () => {
    await core.openFolder(folder);
    await rowsOfView();
    expect(await core.forgetKnowledgebase('K')).toEqual(listed(folder));
    expect(core.listKnowledgebases()).toEqual([]);
    expect(core.opened()).toEqual([]);
    expect(await codeOf(land(core, 's', '{"a":1}\n'))).toBe('no_such_knowledgebase');
    // Nothing of it is held: it can be moved and opened by anybody.
    const now = join(tempFolder(), 'k');
    renameSync(folder, now);
    await core.openFolder(now);
    expect(await rowsOfView()).toBe('5');
    expect(await codeOf(core.forgetKnowledgebase('nope'))).toBe('no_such_knowledgebase');
  });

  it('of the home too, also through a restart', async () => {
    core.createKnowledgebase('mine');
    const path = join(core.home, 'mine');
    const mine = { id: 'mine', path, streams: 0, inHome: true, fault: null };
    expect(await core.forgetKnowledgebase('mine')).toEqual(mine);
    expect(() => core.createKnowledgebase('mine')).toThrow(
      `${path} is a knowledgebase already; it was taken off the list.`,
    );
    const { home } = core;
    await core.close();
    core = openTestCore({ home });
    expect(core.listKnowledgebases()).toEqual([]);
    await core.openFolder(path);
    expect(core.listKnowledgebases()).toEqual([mine]);
    await core.forgetKnowledgebase('mine');
    rmSync(path, { recursive: true });
    core.createKnowledgebase('mine');
    expect(core.listKnowledgebases()).toEqual([mine]);
  });

  it('lets what has begun end first', async () => {
    await core.openFolder(folder);
    const target = core.intake.target('k', 's');
    const { release } = target.hold();
    const order: string[] = [];
    const forgotten = core.forgetKnowledgebase('k').then(() => order.push('forgotten'));
    expect(await codeOf(land(core, 's', '{"a":1}\n'))).toBe('no_such_knowledgebase');
    const again = core.openFolder(folder).then(() => order.push('opened again'));
    expect(await codeOf(land(core, 's', '{"a":1}\n'))).toBe('knowledgebase_closing');
    const landing = await target.land({
      ...{ body: new TextEncoder().encode('{"a":1}\n'), batchId: 'three', sender: null },
      ...{ contentType: null, receivedAt: new Date().toISOString() },
    });
    expect(landing).toMatchObject({ rows: 1, replayed: false });
    order.push('landed');
    release();
    await Promise.all([forgotten, again]);
    expect(order).toEqual(['landed', 'forgotten', 'opened again']);
    expect(await rowsOfView()).toBe('6');
  });

  it('lets a reject that is on its way land first, and opens nothing again afterwards', async () => {
    await core.openFolder(folder);
    expect(await codeOf(land(core, 's', '{"a":1}\nx\n', 'bad'))).toBe('not_json');
    const knowledgebase = core.knowledgebase('k');
    const mend = { fixes: [{ kind: 'drop-lines' as const }] };
    const actor = { by: 'test', recipeId: null, operation: null };
    const replay = replayReject(core.rejects('k'), 's', 'bad', mend, actor);
    const [{ landed }] = await Promise.all([replay, core.forgetKnowledgebase('k')]);
    expect(landed).toBe(true);
    expect(() => knowledgebase.ledger()).toThrow('k is closed.');
    await core.openFolder(folder);
    expect(await rowsOfView()).toBe('6');
    const reject = findReject(core.knowledgebase('k'), 's', 'bad');
    expect([reject.state, reject.landedAs]).toEqual(['replayed', 'bad']);
  });
});

describe('an id that is taken', () => {
  it('cannot be made', async () => {
    await core.openFolder(folder);
    expect(() => core.createKnowledgebase('K')).toThrow(
      `There is a knowledgebase "k" already: ${folder}.`,
    );
  });

  it('by a copy cannot be opened', async () => {
    await core.openFolder(folder);
    const copy = join(tempFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    expect(await codeOf(core.openFolder(copy))).toBe('knowledgebase_exists');
    expect(core.listKnowledgebases()).toEqual([listed(folder)]);
  });
});
