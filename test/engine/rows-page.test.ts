// Pages of a filter: one count for all of them, and an abort that stops what reads.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import type { RowsRequest } from '../../core/engine/row-conditions.ts';
import { rowsPage } from '../../core/engine/rows-page.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let core: TestCore;
let knowledgebase: OpenKnowledgebase;
/** How often DuckDB was gone to, and how many of those are not back. */
let reads = 0;
let reading = 0;

beforeAll(async () => {
  core = openTestCore();
  core.createKnowledgebase('k');
  for (let batch = 0; batch < 40; batch += 1) {
    const lines = Array.from({ length: 50 }, (_, at) => `{"n":"${batch}-${at}","t":"x"}`);
    await land(core, 's', `${lines.join('\n')}\n`, `b${99 - batch}`);
  }
  const opened = core.knowledgebase('k');
  const { gate } = opened.query;
  const read = async <T>(work: () => Promise<T>): Promise<T> => {
    reads += 1;
    reading += 1;
    try {
      return await gate.read(work);
    } finally {
      reading -= 1;
    }
  };
  knowledgebase = { ...opened, query: { ...opened.query, gate: { ...gate, read } } };
});
afterAll(async () => {
  await core.close();
  removeTempFolders();
});

const page = (request: Partial<RowsRequest>, signal?: AbortSignal) =>
  rowsPage(
    knowledgebase,
    knowledgebase.streams.get('s'),
    { order: 'oldest', offset: 0, limit: 10, filters: [], ...request },
    signal,
  );

const seven = { filters: [{ column: 'n', is: 'contains', value: '-7' }] } as const;

/** How often a request goes to DuckDB. */
const readsOf = async (request: Partial<RowsRequest>): Promise<number> => {
  const before = reads;
  await page(request);
  return reads - before;
};

describe('pages of one filter', () => {
  it('are counted once while `before` is the same, whichever way they go', async () => {
    expect(await readsOf({ ...seven, before: 2_000 })).toBe(2);
    expect(await readsOf({ ...seven, before: 2_000, offset: 10 })).toBe(1);
    expect(await readsOf({ ...seven, before: 2_000, order: 'newest' })).toBe(1);
    expect(await readsOf({ ...seven, before: 2_000, offset: 999 })).toBe(0);
    expect(await readsOf({ ...seven, before: 1_000 })).toBe(2);
    expect(await readsOf({ find: '-7', before: 2_000 })).toBe(2);
    expect(await readsOf(seven)).toBe(1);
  });

  it('asked for at once, are counted once', async () => {
    const before = reads;
    const pages = [0, 10, 20].map((offset) => page({ find: '-8', offset }));
    expect((await Promise.all(pages)).map(({ total }) => total)).toEqual([40, 40, 40]);
    expect(reads - before).toBe(4);
  });

  it('are counted anew when more has landed and nobody says before what', async () => {
    expect((await page(seven)).total).toBe(40);
    await land(core, 's', '{"n":"x-7"}\n', 'later');
    const { rows, total } = await page({ ...seven, order: 'newest', limit: 1 });
    expect(total).toBe(41);
    expect(rows).toEqual([{ row: 2_000, batchId: 'later', line: 1, values: ['x-7', null] }]);
    expect((await page({ ...seven, before: 2_000 })).total).toBe(40);
  });
});

it('a file whose batches are in another one by now is found there', async () => {
  const { streams } = knowledgebase;
  const { data } = streams.get('s').paths;
  expect(await readsOf({ find: '-9', before: 2_000 })).toBe(2);
  const before = await page({ find: '-9', before: 2_000, offset: 1 });
  renameSync(join(data, 'b98.parquet'), join(data, 'other.parquet'));
  expect(await readsOf({ find: '-9', before: 2_000, offset: 1 })).toBe(3);
  expect(await page({ find: '-9', before: 2_000, offset: 1 })).toEqual(before);
  renameSync(join(data, 'other.parquet'), join(data, 'b98.parquet'));
});

it('a home whose name has what globs are made of', async () => {
  const other = openTestCore({ home: join(tempFolder(), 'a[b]*{c}') });
  const { streams, views } = other.createKnowledgebase('k');
  await land(other, 's', '{"a":"1"}\n{"a":"2"}\n', 'one');
  await land(other, 's', '{"b":"2"}\n', 'two');
  await views.settled(15_000);
  const ask = (change: Partial<RowsRequest>) =>
    rowsPage(other.knowledgebase('k'), streams.get('s'), {
      ...{ order: 'oldest', offset: 0, limit: 10, filters: [], ...change },
    });
  const rows = [
    { row: 0, batchId: 'one', line: 1, values: ['1', null] },
    { row: 1, batchId: 'one', line: 2, values: ['2', null] },
    { row: 2, batchId: 'two', line: 1, values: [null, '2'] },
  ];
  expect((await ask({})).rows).toEqual(rows);
  expect((await ask({ find: '2' })).rows).toEqual(rows.slice(1));
  await other.close();
});

describe('an abort', () => {
  const WAYS: [string, Partial<RowsRequest>][] = [
    ['by place', { limit: 1_000, offset: 25 }],
    ['that match', { find: 'never counted before' }],
    ['of a page whose count is known', { ...seven, before: 2_000 }],
  ];

  it.each(WAYS)('before rows %s are read', async (_, request) => {
    await page({ ...seven, before: 2_000 });
    expect(await codeOf(page(request, AbortSignal.abort()))).toBe('query_cancelled');
    expect(reading).toBe(0);
  });

  it.each(WAYS)('while rows %s are read stops the reading', async (_, request) => {
    const stop = new AbortController();
    const before = reads;
    const asked = codeOf(page(request, stop.signal));
    await until('it reads', () => reads > before);
    stop.abort();
    expect(await asked).toBe('query_cancelled');
    await until('nothing reads any more', () => reading === 0);
  });
});
