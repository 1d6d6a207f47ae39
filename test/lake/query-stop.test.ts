// Owns the proof that a query stops when it is told to, at whatever moment, and leaves others alone.

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { queryPage, streamRows } from '../../core/lake/query.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

const context = await emptyContext();
let core: TestCore | undefined;
afterEach(async () => {
  await core?.close();
  core = undefined;
});
afterAll(removeTempFolders);

/** Runs for hours unless it is stopped. */
const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(10000000) AS a, range(10000000) AS b';

describe('cancelling', { timeout: 60_000 }, () => {
  it('before it has begun', async () => {
    const asked = queryPage(context, 'SELECT 1', { signal: AbortSignal.abort() });
    expect(await codeOf(asked)).toBe('query_cancelled');
  });

  it('while its database is being opened', async () => {
    const abort = new AbortController();
    const asked = queryPage(context, ENDLESS, { signal: abort.signal });
    abort.abort();
    expect(await codeOf(asked)).toBe('query_cancelled');
  });

  it('at any moment', async () => {
    // Each turn of the event loop is another moment of opening, preparing or running.
    for (let turns = 1; turns <= 40; turns += 1) {
      const abort = new AbortController();
      const asked = codeOf(queryPage(context, ENDLESS, { signal: abort.signal }));
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      abort.abort();
      expect(await asked).toBe('query_cancelled');
    }
  });

  it('between two chunks of a stream', async () => {
    const abort = new AbortController();
    const asked = streamRows(
      context,
      'SELECT range FROM range(10000000000)',
      { signal: abort.signal },
      async ({ chunks }) => {
        let seen = 0;
        for await (const chunk of chunks()) {
          seen += chunk.length;
          if (seen > 10_000) abort.abort();
        }
      },
    );
    expect(await codeOf(asked)).toBe('query_cancelled');
  });

  it('leaves the next query as it is', async () => {
    const abort = new AbortController();
    const asked = codeOf(queryPage(context, ENDLESS, { signal: abort.signal }));
    const other = queryPage(context, 'SELECT count(*) FROM range(1000000)');
    abort.abort();
    expect([await asked, (await other).rows]).toEqual(['query_cancelled', [['1000000']]]);
    expect((await queryPage(context, 'SELECT 1')).rows).toEqual([['1']]);
  });
});

describe('the time limit', () => {
  it('stops a query that runs on', async () => {
    const asked = queryPage(context, ENDLESS, { timeoutMs: 100 });
    await expect(asked).rejects.toMatchObject({
      code: 'query_timeout',
      message: 'The query was stopped after 0.1 s.',
      details: { timeoutMs: 100 },
    });
  });

  it('of 1 ms is over before there is anything to interrupt', async () => {
    expect(await codeOf(queryPage(context, ENDLESS, { timeoutMs: 1 }))).toBe('query_timeout');
  });

  it('stops an EXPLAIN ANALYZE too', async () => {
    const asked = queryPage(context, `EXPLAIN ANALYZE ${ENDLESS}`, { timeoutMs: 100 });
    expect(await codeOf(asked)).toBe('query_timeout');
  });
});

describe('many at once', { timeout: 60_000 }, () => {
  it('queries, landings and views that come in between: every answer is a whole one', async () => {
    core = openTestCore();
    const { query, views } = core.createKnowledgebase('k');
    await land(core, 's0', '{"n":1}\n'.repeat(7));
    const counts = Array.from({ length: 24 }, async (_, index) => {
      const stream = `s${index % 6}`;
      await land(core as TestCore, stream, `{"n":${index}}\n`.repeat(7));
      views.request();
      const { rows } = await queryPage(
        query,
        `SELECT count(*) FROM raw_extracted.stream_${stream}`,
      );
      return Number(rows[0]?.[0]);
    });
    for (const count of await Promise.all(counts)) {
      expect(count % 7).toBe(0);
      expect(count).toBeGreaterThanOrEqual(7);
    }
    expect(await views.settled(15_000)).toBe(true);
    const { rows } = await queryPage(
      query,
      "SELECT view_name FROM duckdb_views() WHERE schema_name = 'raw_extracted' ORDER BY 1",
    );
    expect(rows).toEqual([0, 1, 2, 3, 4, 5].map((n) => [`stream_s${n}`]));
    expect(core.logged).toEqual([]);
  });

  it('a sync of the views does not wait for a query that runs on, nor break it', async () => {
    core = openTestCore();
    const { query, views } = core.createKnowledgebase('k');
    await land(core, 'one', '{"n":1}');
    expect(await views.settled(15_000)).toBe(true);
    const abort = new AbortController();
    const long = codeOf(queryPage(query, ENDLESS, { signal: abort.signal }));
    await land(core, 'two', '{"n":2}');
    const { rows } = await queryPage(query, 'SELECT n FROM raw_extracted.stream_two');
    expect(rows).toEqual([['2']]);
    abort.abort();
    expect(await long).toBe('query_cancelled');
    expect(await views.settled(15_000)).toBe(true);
    expect(views.has('two')).toBe(true);
  });
});
