// `strata rejects`: listed, shown, landed and put aside, beside a running server and without one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Proof } from '../../core/model.ts';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;
const files = tempFolder();

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const run = (...words: string[]) => strata(server.home, ['rejects', ...words]);
const json = <T>(...words: string[]): Promise<T> =>
  strataJson<T>(server.home, ['rejects', ...words]);
const reject = async (stream: string, body: string, id: string): Promise<void> => {
  const answer = await post(server.stream('lab', stream), body, { 'x-batch-id': id });
  expect(answer.status).toBe(400);
};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('beside a running server', () => {
  test('lists, of a stream or all, newest first, narrowed', async () => {
    await reject('one', '{"a":1}\n{"a":\n', 'first');
    await reject('one', '{"a":1,"a":2}\n', 'second');
    await reject('two', 'x', 'first');
    const { rejects } = await json<{ rejects: { stream: string; reject_id: string }[] }>(
      'list',
      'lab',
    );
    expect(rejects.map(({ stream, reject_id: id }) => `${stream}/${id}`)).toEqual([
      ...['two/first', 'one/second', 'one/first'],
    ]);
    expect(rejects[2]).toEqual({
      ...{ reject_id: 'first', stream: 'one', batch_id: 'first', state: 'open', code: 'not_json' },
      ...{
        line: 2,
        column: 6,
        error_count: 1,
        received_at: TIME,
        last_received_at: TIME,
        times: 1,
      },
      message: 'Line 2, column 6: the line ends where a value is expected.',
      ...{
        sender: expect.any(String),
        body_bytes: 14,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      ...{
        landed_as: null,
        part_of: null,
        changed_at: null,
        changed_by: null,
        body_removed_at: null,
      },
    });
    const of = async (...words: string[]) =>
      (await json<{ rejects: { reject_id: string }[] }>('list', 'lab', ...words)).rejects.length;
    expect(await of('ONE')).toBe(2);
    expect(await of('--code', 'duplicate_key')).toBe(1);
    expect(await of('--state', 'replayed')).toBe(0);
    expect(await of('--limit', '1')).toBe(1);
    const table = await run('list', 'lab', 'one');
    expect(table.stdout).toContain('second  one     open   duplicate_key');
    expect((await run('list', 'lab', '--state', 'x')).code).toBe(2);
    expect((await run('list', 'lab', 'nope')).stderr).toContain('There is no stream "nope"');
  });

  test('shows one; an id that is in several streams is told so', async () => {
    const both = await run('show', 'lab', 'first');
    expect([both.code, both.stdout]).toEqual([1, '']);
    expect(both.stderr).toBe(
      'strata: The reject id first is in several streams: one, two. Name the stream too: one/first.\n',
    );
    expect(await json('show', 'lab', 'one/first')).toMatchObject({
      ...{
        reject_id: 'first',
        stream: 'one',
        errors: [{ line: 2 }],
        attempts: [],
        registered: null,
      },
      now: { ok: false, badLines: [2] },
    });
    const shown = await run('show', 'lab', 'two/first');
    expect(shown.stdout).toContain('first  open  A line is no record');
    expect((await run('show', 'lab', 'nope')).stderr).toContain(
      'There is no reject "nope" in lab.',
    );
  });

  test('lands one as it came, or with a body from a file; the server sees it at once', async () => {
    const as = await run('replay', 'lab', 'second');
    expect([as.code, as.stdout]).toEqual([1, '']);
    expect(as.stderr).toContain(
      'The reject second stays open: Line 1, column 8: the field "a" stands twice',
    );
    const file = join(files, 'mended.ndjson');
    writeFileSync(file, '{"a":2.50}\n');
    expect(await json('replay', 'lab', 'second', '--body', file)).toMatchObject({
      ...{ reject_id: 'second', state: 'replayed', landed: true, rows: 1, landed_as: 'second' },
      changed_by: 'command line',
    });
    const detail = await admin.rejects.get({
      knowledgebase: 'lab',
      stream: 'one',
      rejectId: 'second',
    });
    expect(detail.history.map(({ outcome, edited }) => [outcome, edited])).toEqual([
      ['failed', false],
      ['landed', true],
    ]);
    expect(await rowsInView(admin, 'lab', 'one')).toBe(1);
    const late = await post(server.stream('lab', 'one'), '{"a":1,"a":2}\n', {
      'x-batch-id': 'second',
    });
    expect(await late.json()).toMatchObject({ batch_id: 'second', replayed: true });
    const stdin = await strata(
      server.home,
      ['rejects', 'replay', 'lab', 'two/first', '--body', '-'],
      {
        stdin: '{"b":1}\n{"b":2}\n',
      },
    );
    expect(stdin.stdout).toBe('Landed 2 rows as first.\n');
    const gone = await run('replay', 'lab', 'two/first');
    expect([gone.code, gone.stderr]).toEqual([
      1,
      'strata: The reject first has landed as first. A discarded one can be reopened; a replayed one has landed.\n',
    ]);
    expect((await run('replay', 'lab', 'one/first', '--body', join(files, 'none'))).code).toBe(1);
  });

  test('what the server rejects, a query of the command line reads', async () => {
    const sql = `SELECT reject_id, line, "column", line_text, state FROM raw_rejects.stream_one
      WHERE received_at > '2020-01-01'::TIMESTAMPTZ ORDER BY reject_id`;
    const rows = await until('the files follow', async () => {
      const page = await strataJson<{ rows: unknown[][] }>(server.home, ['query', 'lab', sql]);
      return page.rows.some((row) => row[4] === 'replayed') ? page.rows : undefined;
    });
    expect(rows).toEqual([
      ['first', '2', '6', '{"a":', 'open'],
      ['second', '1', '8', '{"a":1,"a":2}', 'replayed'],
    ]);
  });

  test('discards one and takes it back', async () => {
    expect(await json('discard', 'lab', 'one/first')).toMatchObject({ state: 'discarded' });
    expect(await json('list', 'lab', '--state', 'discarded')).toMatchObject({
      rejects: [{ reject_id: 'first', changed_by: 'command line' }],
    });
    expect((await run('discard', 'lab', 'one/first')).code).toBe(1);
    expect((await run('reopen', 'lab', 'one/first')).stdout).toBe('first is open again.\n');
    expect((await admin.streams.get({ knowledgebase: 'lab', stream: 'one' })).openRejects).toBe(1);
  });

  test('wrong use is 2', async () => {
    for (const words of [[], ['nope'], ['show', 'lab'], ['list'], ['replay', 'lab', 'a', 'b']]) {
      expect((await run(...words)).code).toBe(2);
    }
  });

  test('and everything holds', async () => {
    const proof = await strataJson<Proof>(server.home, ['verify', 'lab']);
    expect(proof.holds).toBe(true);
    const text = await strata(server.home, ['verify', 'lab']);
    expect(text.stdout).toContain('1 of these files is a reject that landed later');
  });
});

test('land tells of lines that stayed behind, and applies recipes before it ends', async () => {
  const at = { knowledgebase: 'lab', stream: 'landed' };
  await admin.streams.create(at);
  await reject('landed', '{"a":1}{"a":2}\n', 'like');
  await admin.rejects.recipes.create({
    ...{ ...at, rejectId: 'like', name: 'split', automatic: true },
    fixes: [{ kind: 'split-objects' }],
  });
  const file = join(files, 'two.ndjson');
  writeFileSync(file, '{"a":3}{"a":4}\n');
  const rejected = await strata(server.home, ['land', 'lab', 'landed', file]);
  expect(rejected.code).toBe(1);
  expect(await rowsInView(admin, 'lab', 'landed')).toBe(2);
  await admin.streams.update({ ...at, partialLanding: true });
  writeFileSync(file, '{"a":5}\nx\n');
  const part = await strata(server.home, ['land', 'lab', 'landed', file]);
  expect([part.code, part.stdout]).toEqual([
    0,
    expect.stringContaining('landed, 1 bad line kept as reject'),
  ]);
});
