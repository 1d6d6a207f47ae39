// Owns the proof that views follow the streams by themselves: once, off every request's path, whoever has the file.

import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { takeWriterLock } from '../../core/knowledgebase/writer-lock.ts';
import { queryPage } from '../../core/lake/query.ts';
import { LOOKING } from '../../core/lake/reader.ts';
import { land, openTestCore, type TestCore } from '../helpers/core.ts';
import { startHolding } from '../helpers/foreign-client.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import { removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let core: TestCore;
let kb: OpenKnowledgebase;

beforeEach(async () => {
  core = openTestCore();
  kb = core.createKnowledgebase('k');
  expect(await kb.views.settled(15_000)).toBe(true);
});
afterEach(async () => {
  await core.close();
  expect(core.logged).toEqual([]);
});
afterAll(removeTempFolders);

/** Names of the views and the manifest, as another program sees them. */
const outside = async () => {
  const reader = await openForeignReader(kb.paths.root);
  const views = await reader.read(
    "SELECT view_name FROM duckdb_views() WHERE schema_name = 'raw_extracted' ORDER BY 1",
  );
  const manifest = await reader.read(
    'SELECT source, relation, row_count FROM _strata_manifest ORDER BY 1',
  );
  reader.close();
  return { views: views.rows.flat(), manifest: manifest.rows };
};

const messages = (kind: string): string[] =>
  kb
    .ledger()
    .events.list(100)
    .filter((event) => event.kind === kind)
    .map(({ message }) => message)
    .reverse();

describe('views', () => {
  it('a new stream is in the manifest, its first file brings its view', async () => {
    kb.streams.create('Temp-1', null);
    expect(await kb.views.settled(15_000)).toBe(true);
    expect([await outside(), kb.views.has('Temp-1')]).toEqual([
      { views: [], manifest: [['stream:Temp-1', null, null]] },
      false,
    ]);
    await land(core, 'temp-1', '{"a":1}');
    expect(await kb.views.settled(15_000)).toBe(true);
    expect([await outside(), kb.views.has('Temp-1')]).toEqual([
      {
        views: ['stream_Temp-1'],
        manifest: [['stream:Temp-1', 'raw_extracted."stream_Temp-1"', null]],
      },
      true,
    ]);
    expect(messages('view-created')).toEqual(['The view of Temp-1 is there.']);
  });

  it('are asked for once for many streams at once, and each is made once', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `s${n + 10}`);
    await Promise.all(names.map((name) => land(core, name, '{"a":1}')));
    expect(await kb.views.settled(15_000)).toBe(true);
    expect((await outside()).views).toEqual(names.map((name) => `stream_${name}`));
    expect(messages('view-created').sort()).toEqual(
      names.map((name) => `The view of ${name} is there.`),
    );
  });

  it('that are right are left alone: a sync again tells of nothing', async () => {
    await land(core, 's', '{"a":1}');
    await kb.views.settled(15_000);
    const before = kb.ledger().events.list(100);
    for (let n = 0; n < 3; n += 1) {
      kb.views.request();
      expect(await kb.views.settled(15_000)).toBe(true);
    }
    expect(kb.ledger().events.list(100)).toEqual(before);
  });

  it('dropped by somebody are made again', async () => {
    await land(core, 's', '{"a":1}');
    await kb.views.settled(15_000);
    const { openDuckdb } = await import('../../core/lake/duckdb.ts');
    const duckdb = await openDuckdb(kb.paths.duckdb);
    await duckdb.connection.run('DROP VIEW raw_extracted.stream_s');
    await duckdb.connection.run('DELETE FROM _strata_manifest');
    duckdb.close();
    kb.views.request();
    expect(await kb.views.settled(15_000)).toBe(true);
    expect(await outside()).toEqual({
      views: ['stream_s'],
      manifest: [['stream:s', 'raw_extracted."stream_s"', null]],
    });
  });
});

describe('waiting', { timeout: 60_000 }, () => {
  it('for a program that has the file: says for whom, once, and ends when that lets go', async () => {
    const holder = await startHolding(kb.paths.root, 'READ_ONLY');
    onTestFinished(holder.stop);
    await land(core, 's', '{"a":1}');
    const reason = await until('it waits', () => kb.views.waitingFor ?? undefined);
    expect(reason).toMatch(new RegExp(`^kb\\.duckdb is open in .+ \\(pid ${holder.pid}\\)\\.$`));
    expect([await kb.views.settled(1), kb.views.has('s')]).toEqual([false, false]);
    const { rows } = await queryPage(kb.query, 'SELECT a FROM raw_extracted.stream_s');
    expect(rows).toEqual([['1']]);
    await holder.stop();
    expect(await kb.views.settled(15_000)).toBe(true);
    expect([kb.views.waitingFor, kb.views.has('s'), (await outside()).views]).toEqual([
      null,
      true,
      ['stream_s'],
    ]);
    expect(messages('views-waiting')).toEqual([`Views wait: ${reason}`]);
  });

  it('for a process that has the writer lock', async () => {
    const lock = takeWriterLock(kb.paths, 'moving files');
    await land(core, 's', '{"a":1}');
    const reason = await until('it waits', () => kb.views.waitingFor ?? undefined);
    expect(reason).toMatch(
      new RegExp(
        `^The writer lock is held by process ${process.pid} on .+ \\(moving files, since .+\\)\\.$`,
      ),
    );
    lock.release();
    expect(await kb.views.settled(15_000)).toBe(true);
    expect([kb.views.waitingFor, kb.views.has('s')]).toEqual([null, true]);
  });

  it('for a reader that only looks whether the lock is free is not worth saying', async () => {
    const lock = takeWriterLock(kb.paths, LOOKING);
    await land(core, 's', '{"a":1}');
    expect([await kb.views.settled(1), kb.views.waitingFor]).toEqual([false, null]);
    lock.release();
    expect(await kb.views.settled(15_000)).toBe(true);
    expect([kb.views.has('s'), messages('views-waiting')]).toEqual([true, []]);
  });

  it('for a query of our own that runs on', async () => {
    const abort = new AbortController();
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) AS a, range(10000000) AS b';
    const query = queryPage(kb.query, endless, { signal: abort.signal }).catch(() => {});
    await land(core, 's', '{"a":1}');
    expect(await until('it waits', () => kb.views.waitingFor ?? undefined)).toBe(
      'Queries are still running.',
    );
    abort.abort();
    await query;
    expect(await kb.views.settled(15_000)).toBe(true);
    expect(kb.views.waitingFor).toBe(null);
  });

  it('ends when the knowledgebase is closed', async () => {
    const lock = takeWriterLock(kb.paths, 'a test');
    await land(core, 's', '{"a":1}');
    await until('it waits', () => kb.views.waitingFor ?? undefined);
    await core.close();
    lock.release();
    expect(kb.views.has('s')).toBe(false);
  });
});

describe('a view that DuckDB refuses', () => {
  it('keeps no other stream from its own, and is said', async () => {
    kb.streams.create('broken', null);
    await kb.views.settled(15_000);
    await land(core, 'broken', '{"a":1}');
    await kb.views.settled(15_000);
    const { openDuckdb } = await import('../../core/lake/duckdb.ts');
    const duckdb = await openDuckdb(kb.paths.duckdb);
    await duckdb.connection.run('DROP VIEW raw_extracted.stream_broken');
    duckdb.close();
    writeFileSync(`${kb.paths.stream('broken').data}/zz.parquet`, 'not Parquet');
    await land(core, 'whole', '{"a":1}');
    const reason = await until('it is said', () => kb.views.waitingFor ?? undefined);
    expect(reason).toMatch(/^DuckDB refuses the view of broken: .*zz\.parquet/);
    await until('the other has its view', async () =>
      (await outside().catch(() => undefined))?.views.includes('stream_whole'),
    );
    expect(kb.views.has('broken')).toBe(false);
    expect(messages('views-waiting')).toEqual([`Views wait: ${reason}`]);
  });
});
