// raw_rejects: rejects in SQL, for Strata's own queries and any DuckDB client, wherever the folder is.

import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { discardReject } from '../../core/engine/rejects/set-aside.ts';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const ACTOR = { by: 'test', recipeId: null, operation: null };
const BODY = '{"a":1}\n{"a":"\u202e\\"x"}}\n{"a":\n';
const SQL = `SELECT reject_id, batch_id, typeof(received_at), code, line, "column", line_text, state
  FROM raw_rejects."stream_s" ORDER BY line`;
const rowsIn = (state: string) => [
  ['one', 'one', 'TIMESTAMP WITH TIME ZONE', 'not_json', '2', '13', '{"a":"\u202e\\"x"}}', state],
  ['one', 'one', 'TIMESTAMP WITH TIME ZONE', 'not_json', '3', '6', '{"a":', state],
];

let home: string;
beforeEach(() => {
  home = tempFolder();
});
afterAll(removeTempFolders);

const withCore = async (work: (core: TestCore) => Promise<void>): Promise<void> => {
  const core = openTestCore({ home });
  try {
    await work(core);
  } finally {
    await core.close();
  }
};
const makeReject = async (core: TestCore): Promise<void> => {
  core.createKnowledgebase('k');
  expect(await codeOf(land(core, 's', BODY, 'one'))).toBe('not_json');
};
const ours = async (core: TestCore, sql = SQL) =>
  (await queryPage(core.knowledgebase('k').query, sql)).rows;
const theirs = async (root: string) => {
  const reader = await openForeignReader(root);
  const { rows } = await reader.read(SQL);
  reader.close();
  return rows.map((row) => row.map(String));
};
const settled = async (core: TestCore): Promise<void> => {
  const { views, rejectIndex } = core.knowledgebase('k');
  await rejectIndex.flush();
  expect(await views.settled(15_000)).toBe(true);
};

it('has a row for each fault, at once for us, and soon for any client', async () => {
  await withCore(async (core) => {
    await makeReject(core);
    expect(await ours(core)).toEqual(rowsIn('open'));
    discardReject(core.rejects('k'), 's', 'one', ACTOR);
    expect(await ours(core)).toEqual(rowsIn('discarded'));
    await settled(core);
    expect(await theirs(join(home, 'k'))).toEqual(rowsIn('discarded'));
  });
});

it('binds where nothing was rejected', async () => {
  await withCore(async (core) => {
    core.createKnowledgebase('k');
    core.knowledgebase('k').streams.create('s', null);
    expect(await ours(core)).toEqual([]);
    await settled(core);
    expect(await theirs(join(home, 'k'))).toEqual([]);
  });
});

it('is read while kb.duckdb is away, and listed with it', async () => {
  await withCore(async (core) => {
    await makeReject(core);
    await settled(core);
    const list = `SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL`;
    expect(await ours(core, list)).toEqual([['raw_rejects', 'stream_s']]);
    rmSync(join(home, 'k/kb.duckdb'));
    expect(await ours(core)).toEqual(rowsIn('open'));
    expect(await ours(core, list)).toEqual([['raw_rejects', 'stream_s']]);
  });
});

it('follows its folder when that is moved', async () => {
  await withCore(async (core) => {
    await makeReject(core);
    await settled(core);
  });
  const moved = tempFolder();
  renameSync(join(home, 'k'), join(moved, 'k'));
  home = moved;
  await withCore(async (core) => {
    await settled(core);
    expect(await theirs(join(moved, 'k'))).toEqual(rowsIn('open'));
  });
});

it('comes back when its files were lost', async () => {
  await withCore(makeReject);
  rmSync(join(home, 'k/strata/streams/s/rejects'), { recursive: true });
  await withCore(async (core) => {
    expect(await ours(core)).toEqual(rowsIn('open'));
    await settled(core);
    expect(await theirs(join(home, 'k'))).toEqual(rowsIn('open'));
  });
});

it('comes back when its files and the ledger were lost', async () => {
  await withCore(makeReject);
  const folder = join(home, 'k/strata/streams/s/rejects');
  const files = readdirSync(folder).sort();
  expect(files).toEqual(['00000000.ndjson', 'none.ndjson']);
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(home, `k/ledger.sqlite${end}`), { force: true });
  rmSync(folder, { recursive: true });
  await withCore(async (core) => {
    expect(await ours(core)).toEqual(rowsIn('open'));
    expect(readdirSync(folder).sort()).toEqual(files);
    discardReject(core.rejects('k'), 's', 'one', ACTOR);
    expect(await ours(core)).toEqual(rowsIn('discarded'));
  });
});
