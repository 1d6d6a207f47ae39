// Owns the proof that work in a lake process gives what it gives here, holds nothing afterwards, and fails alone.
// Never mocks a process: each is one that was started.

import { getPriority } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/errors.ts';
import { lakesHere } from '../../../core/lake/apart/here.ts';
import { keepLake } from '../../../core/lake/apart/keep.ts';
import { type Lake, runToEnd } from '../../../core/lake/apart/lake.ts';
import type { LakeKind } from '../../../core/lake/apart/priority.ts';
import { type QueryContext, queryPage, streamRows } from '../../../core/lake/query.ts';
import { adminOf } from '../../helpers/admin.ts';
import { isLake, lakesOf, startLake } from '../../helpers/lake.ts';
import { emptyContext } from '../../helpers/query.ts';
import { removeTempFolders, startServer, strata, tempFolder } from '../../helpers/server.ts';
import { until } from '../../helpers/until.ts';

const never = new AbortController().signal;

const open: Lake[] = [];
const lakeApart = (kind: LakeKind = 'reading', idleMs = 60_000): Lake => {
  const lake = keepLake({ start: () => startLake(kind), idleMs });
  open.push(lake);
  return lake;
};
afterEach(async () => {
  for (const lake of open.splice(0)) await lake.close();
});
afterAll(removeTempFolders);

const apart = async (): Promise<QueryContext> => ({ ...(await emptyContext()), lake: lakeApart() });

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it went through',
    ({ code, message, hint, details }: AppError) => ({ code, message, hint, details }),
  );

describe.runIf(process.platform === 'linux')('a lake process', () => {
  it.each([
    ['values', "SELECT 1.10 AS a, NULL AS b, 'ü' AS c, [1, 2] AS d"],
    [
      'more rows than come at once',
      'SELECT i, i % 7 AS k FROM range(7_000) AS t(i) ORDER BY i DESC',
    ],
    ['no row', 'SELECT 1 AS one WHERE false'],
  ])('answers with the same columns and rows: %s', async (_, sql) => {
    const context = await apart();
    const here = { ...context, lake: lakesHere().reading };
    const pages = [];
    for (const one of [here, context]) {
      const { elapsedMs, ...page } = await queryPage(one, sql, { limit: 10_000 });
      pages.push(page);
    }
    expect(pages[1]).toEqual(pages[0]);
  });

  it.each([
    ['SELECT *\nFROM nowhere', 'query_failed'],
    ['CREATE TABLE t (a INT)', 'query_not_allowed'],
    ["SELECT * FROM read_text('/etc/hostname')", 'query_failed'],
  ])('refuses %s in the same words', async (sql, code) => {
    const context = await apart();
    const here = { ...context, lake: lakesHere().reading };
    const fault = await faultOf(queryPage(context, sql));
    expect(fault).toMatchObject({ code });
    expect(fault).toEqual(await faultOf(queryPage(here, sql)));
  });

  it('stops a query by its time and by a person, and goes on with the next', async () => {
    const context = await apart();
    const long = 'SELECT count(*) FROM range(10_000_000) AS a(i), range(1_000_000) AS b(j)';
    const late = await faultOf(queryPage(context, long, { timeoutMs: 300 }));
    expect(late).toMatchObject({ code: 'query_timeout', details: { timeoutMs: 300 } });
    const [pid] = lakesOf(process.pid);
    const abort = new AbortController();
    const stopped = faultOf(queryPage(context, long, { signal: abort.signal }));
    abort.abort();
    expect(await stopped).toMatchObject({ code: 'query_cancelled' });
    expect((await queryPage(context, 'SELECT 1 AS one')).rows).toEqual([['1']]);
    expect(lakesOf(process.pid)).toEqual([pid]);
  });

  it('lets go of kb.duckdb when rows are not read to their end', async () => {
    const context = await apart();
    const first = await streamRows(context, 'SELECT i FROM range(10_000_000) AS t(i)', {}, (rows) =>
      rows.chunks().next(),
    );
    expect(first.value?.[0]).toEqual(['0']);
    const instance = await DuckDBInstance.create(context.paths.duckdb);
    instance.closeSync();
  });

  it('that dies takes its query along, and the next has another', async () => {
    const context = await apart();
    const dying = faultOf(
      streamRows(context, 'SELECT i FROM range(10_000_000) AS t(i)', {}, async ({ chunks }) => {
        for await (const _ of chunks()) {
          for (const pid of lakesOf(process.pid)) process.kill(pid, 'SIGKILL');
        }
      }),
    );
    expect(await dying).toEqual({
      code: 'work_interrupted',
      message: 'The process that did this ended (SIGKILL) before it was done.',
      hint: 'Nothing was changed. Do it again; if it happens again, the log has more.',
      details: {},
    });
    expect((await queryPage(context, 'SELECT 1 AS one')).rows).toEqual([['1']]);
  });

  it('gives long lists over whole and in order', async () => {
    const lake = lakeApart('merging');
    const folder = tempFolder();
    const paths = Array.from({ length: 1_201 }, (_, at) => join(folder, `${at}.parquet`));
    const question = { paths, column: 'a', batchId: 'b' };
    // DuckDB names the first file that it does not find.
    for (const lost of [paths, [...paths].reverse()]) {
      const asked = runToEnd(lake.run('time', { ...question, paths: lost }, never));
      await expect(asked).rejects.toThrow(lost[0] as string);
    }
  });

  it('steps back for others, and ends when it has had nothing to do', async () => {
    const priorities: number[] = [];
    for (const kind of ['reading', 'merging'] as const) {
      const lake = lakeApart(kind, 1);
      const sums = { rows: 0, bodyBytes: 0, columns: 1 };
      const input = { paths: [], times: 1, target: '', column: 'a', sums, largestBody: 0 };
      const running = lake.run('sample', input, never);
      const failed = expect(running.next()).rejects.toThrow();
      await until('a lake process is there', () => lakesOf(process.pid).length === 1);
      const [pid] = lakesOf(process.pid);
      await failed;
      priorities.push(getPriority(pid));
      await until('it is gone', () => lakesOf(process.pid).length === 0);
    }
    expect(priorities).toEqual([5, 10]);
  });

  it('ends with the engine that it works for, killed or stopped', async () => {
    for (const end of ['kill', 'stop'] as const) {
      const home = tempFolder();
      await strata(home, ['kb', 'create', 'k']);
      const server = await startServer({ home });
      const page = await adminOf(server).query.run({ knowledgebase: 'k', sql: 'SELECT 1 AS one' });
      expect(page.rows).toEqual([['1']]);
      const [lake] = lakesOf(server.pid);
      expect(lake).toBeGreaterThan(0);
      await server[end]();
      await until('its lake process is gone', () => !isLake(lake as number));
    }
  });
});
