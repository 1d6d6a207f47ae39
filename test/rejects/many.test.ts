// Ten thousand rejects: every one is found, in pages and groups; how long that takes is printed, not judged.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CATALOGUE } from '../../core/errors.ts';
import { parseBatch } from '../../core/ingest/ndjson/parse-batch.ts';
import type { Reject } from '../../core/model.ts';
import { causeOf } from '../../core/rejects/cause.ts';
import type { Reason } from '../../core/rejects/keep.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import { removeTempFolders, type Server, startServer, strataJson } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const COUNT = 10_000;
const BODIES = [
  (n: number) => `{"n":${n}}{"n":${n}}\n`,
  (n: number) => `{"n":${n},"N":1}\n`,
  (n: number) => `{"n":${n}}\n{"n":`,
  (n: number) => `{"f${n % 50}":1,"f${n % 50}":2}\n`,
];
const STREAMS = ['one', 'two'];
const knowledgebase = 'k';

let server: Server;
let admin: AdminClient;
const took: string[] = [];

const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const from = performance.now();
  const result = await work();
  took.push(`${what} ${(performance.now() - from).toFixed(0)} ms`);
  return result;
};

/** Puts a reject into a stream's folder as a landing thread keeps it. */
const keep = (stream: string, n: number, receivedAt: string): void => {
  const body = Buffer.from((BODIES[n % BODIES.length] as (n: number) => string)(n));
  const outcome = parseBatch(new Uint8Array(body));
  if (outcome.ok) throw new Error('It must be rejected.');
  const [fault] = outcome.faults;
  if (!fault) throw new Error('It has no fault.');
  const failed = join(server.home, knowledgebase, 'strata/streams', stream, 'failed');
  const id = `b${n}`;
  const { field, shape } = causeOf(new Uint8Array(body), fault);
  const reason: Reason = {
    ...{ reject_id: id, batch_id: id, stream, ...fault, hint: CATALOGUE[fault.code].hint },
    ...{ errors: outcome.faults, error_count: outcome.faultCount, received_at: receivedAt },
    ...{ sender: `127.0.0.1 shop-${n % 7}`, content_type: 'application/x-ndjson' },
    sha256: createHash('sha256').update(body).digest('hex'),
    ...{ body_bytes: body.length, field, shape, part_of: null },
  };
  writeFileSync(join(failed, `${id}.ndjson`), body);
  writeFileSync(join(failed, `${id}.err`), JSON.stringify(reason));
};

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: knowledgebase });
  for (const stream of STREAMS) await admin.streams.create({ knowledgebase, stream });
  await server.stop();
  const from = Date.now() - COUNT * 1_000;
  for (let n = 0; n < COUNT; n += 1) {
    keep(STREAMS[n % 2] as string, n, new Date(from + n * 1_000).toISOString());
  }
  const { home } = server;
  server = await timed('a start that finds them all', () => startServer({ home }));
  admin = adminOf(server);
  await timed('the list, first asked for', () => admin.rejects.list({ knowledgebase }));
}, 300_000);
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
  console.log(took.join('; '));
});

it('are paged through, each once', async () => {
  const found: Reject[] = [];
  await timed('all in pages of 1,000', async () => {
    for (let cursor: string | undefined; ; ) {
      const page = await admin.rejects.list({
        ...{ knowledgebase, limit: 1_000 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.rejects);
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
  });
  const ids = found.map(({ rejectId }) => rejectId);
  expect(new Set(ids)).toEqual(new Set(Array.from({ length: COUNT }, (_, n) => `b${n}`)));
  await timed('a page of 100', () => admin.rejects.list({ knowledgebase }));
  const narrow = { knowledgebase, stream: 'two', code: 'duplicate_key', field: 'f7' };
  const some = await timed('those of one field', () => admin.rejects.list(narrow));
  expect(some.rejects.length).toBe(100);
});

it('are grouped by cause', async () => {
  const { groups, totals } = await timed('groups', () => admin.rejects.groups({ knowledgebase }));
  expect(totals).toEqual({ open: COUNT, replayed: 0, discarded: 0 });
  const sizes = new Map(groups.map(({ title, open }) => [title, open]));
  expect(groups.length).toBe(3 + 25);
  expect(sizes.get('Two objects on one line')).toBe(COUNT / 4);
  expect(sizes.get('f7 stands twice in one record')).toBe(100);
  expect(groups.flatMap(({ spark }) => spark).reduce((sum, count) => sum + count)).toBe(COUNT);
});

it('are searched', async () => {
  const page = await timed('a text that one body has', async () => {
    let cursor: string | null | undefined;
    const found: Reject[] = [];
    do {
      const some = await admin.rejects.list({
        ...{ knowledgebase, text: '{"n":4}{' },
        ...(cursor ? { cursor } : {}),
      });
      found.push(...some.rejects);
      ({ cursor } = some);
    } while (cursor !== null);
    return found;
  });
  expect(page.map(({ rejectId }) => rejectId)).toEqual(['b4']);
});

it('are in SQL, for us and for any client', async () => {
  const sql = `SELECT count(*), count(DISTINCT reject_id), count(line_text) FROM raw_rejects."stream_one"`;
  const { rows } = await timed('SQL counts one stream', () =>
    admin.query.run({ knowledgebase, sql }),
  );
  expect(rows).toEqual([['5000', '5000', '5000']]);
  const reader = await until('kb.duckdb can be opened', () =>
    openForeignReader(join(server.home, knowledgebase)).catch(() => undefined),
  );
  const theirs = await reader.read(`SELECT count(*)::VARCHAR FROM raw_rejects."stream_two"`);
  expect([...theirs.rows].map((row) => [...row])).toEqual([['5000']]);
  reader.close();
});

it('one is shown, one is landed, and the command line lists them', async () => {
  const one = { knowledgebase, stream: 'one', rejectId: 'b4' };
  await timed('one in full', () => admin.rejects.get(one));
  const fixes = [{ kind: 'split-objects' as const }];
  const done = await timed('one landed', () => admin.rejects.replay({ ...one, fixes }));
  expect(done.attempt.rows).toBe(2);
  const sql = `SELECT state FROM raw_rejects."stream_one" WHERE reject_id = 'b4'`;
  const again = await timed('SQL after one change', () => admin.query.run({ knowledgebase, sql }));
  expect(again.rows).toEqual([['replayed']]);
  const { rejects } = await timed('command line', () =>
    strataJson<{ rejects: unknown[] }>(server.home, ['rejects', 'list', 'k', '--limit', '20000']),
  );
  expect(rejects.length).toBe(COUNT);
});
