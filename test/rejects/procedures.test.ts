// The procedures over rejects, on a server: finding, reading, checking, many at once, putting aside, handing out.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Job, LineChange } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;
const knowledgebase = 'lab';

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const reject = async (
  stream: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const answer = await post(server.stream('lab', stream), body, headers);
  const { reject_id: rejectId } = (await answer.json()) as { reject_id?: string };
  if (rejectId === undefined) throw new Error(`It was answered with ${answer.status}.`);
  return rejectId;
};
const ended = (job: Job): Promise<Job> =>
  until(`${job.title} ends`, async () => {
    const found = (await admin.jobs.list()).find(({ id }) => id === job.id);
    return found && found.state !== 'running' ? found : undefined;
  });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it ended well',
    (error: { code?: unknown }) => error.code,
  );
const failedFolder = (stream: string): string =>
  join(server.home, 'lab/strata/streams', stream, 'failed');
const verifyHolds = async () => {
  const { holds, streams } = await admin.knowledgebases.verify({ knowledgebase });
  expect([holds, streams.flatMap(({ differences }) => differences)]).toEqual([true, []]);
};

describe('finding', () => {
  const ids: string[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 5; n += 1) ids.push(await reject('find', `{"n":"ÄÖ${n} Word"}{}\n`));
    ids.push(await reject('find', '{"n":1,"N":2}\n', { 'user-agent': 'logger/2' }));
    ids.push(await reject('other', '{"n":"word"}}\n'));
  });
  const list = async (filter: Parameters<AdminClient['rejects']['list']>[0]) =>
    (await admin.rejects.list(filter)).rejects.map(({ rejectId }) => ids.indexOf(rejectId));

  test('by page, newest first', async () => {
    const first = await admin.rejects.list({ knowledgebase, limit: 3 });
    expect(first.rejects.map(({ rejectId }) => ids.indexOf(rejectId))).toEqual([6, 5, 4]);
    const { cursor } = first;
    const second = await admin.rejects.list({ knowledgebase, limit: 3, cursor: cursor as string });
    expect(second.rejects.map(({ rejectId }) => ids.indexOf(rejectId))).toEqual([3, 2, 1]);
    const last = { knowledgebase, limit: 3, cursor: second.cursor as string };
    expect(await admin.rejects.list(last)).toMatchObject({ rejects: [{}], cursor: null });
    expect(await codeOf(admin.rejects.list({ knowledgebase, cursor: 'x' }))).toBe(
      'invalid_argument',
    );
  });

  test('by everything that narrows', async () => {
    expect(await list({ knowledgebase, stream: 'FIND', code: 'not_json' })).toEqual([
      4, 3, 2, 1, 0,
    ]);
    expect(await list({ knowledgebase, shape: 'trailing' })).toEqual([6]);
    expect(await list({ knowledgebase, field: 'n' })).toEqual([5]);
    expect(await list({ knowledgebase, field: null, limit: 1 })).toEqual([6]);
    expect(await list({ knowledgebase, state: 'replayed' })).toEqual([]);
    const { rejects } = await admin.rejects.list({ knowledgebase });
    const { receivedAt: since } = rejects[1] as { receivedAt: string };
    expect(await list({ knowledgebase, since })).toEqual([6, 5]);
    expect(await list({ knowledgebase, until: since, limit: 1 })).toEqual([4]);
    const sender = rejects[1]?.sender as string;
    expect(sender).toContain('logger/2');
    expect(await list({ knowledgebase, sender })).toEqual([5]);
    expect(await codeOf(list({ knowledgebase, stream: 'nope' }))).toBe('no_such_stream');
  });

  test('by text in bodies and ids, ASCII letters without case', async () => {
    expect(await list({ knowledgebase, text: 'WORD' })).toEqual([6, 4, 3, 2, 1, 0]);
    expect(await list({ knowledgebase, text: 'ÄÖ3' })).toEqual([3]);
    expect(await list({ knowledgebase, text: 'word', stream: 'other' })).toEqual([6]);
    expect(await list({ knowledgebase, text: (ids[2] as string).slice(3) })).toEqual([2]);
    const page = await admin.rejects.list({ knowledgebase, text: 'word', limit: 2 });
    expect(page).toMatchObject({ searched: 3, rejects: [{}, {}] });
    const rest = await admin.rejects.list({
      ...{ knowledgebase, text: 'word', cursor: page.cursor as string },
    });
    expect([rest.rejects.length, rest.cursor]).toEqual([4, null]);
  });

  test('in groups', async () => {
    const { groups, totals, from, to } = await admin.rejects.groups({ knowledgebase });
    expect(totals).toEqual({ open: 7, replayed: 0, discarded: 0 });
    const found = groups.map(({ stream, title, open, spark, senders }) => ({
      ...{ stream, title, open, sparks: spark.reduce((sum, count) => sum + count, 0) },
      senders: senders.map(({ rejects }) => rejects),
    }));
    expect(found).toEqual([
      { stream: 'other', title: 'Something follows the record', open: 1, sparks: 1, senders: [1] },
      { stream: 'find', title: 'n stands in two spellings', open: 1, sparks: 1, senders: [1] },
      { stream: 'find', title: 'Two objects on one line', open: 5, sparks: 5, senders: [5] },
    ]);
    expect(groups.every(({ spark }) => spark.length === 12)).toBe(true);
    expect(from < to).toBe(true);
    const narrowed = await admin.rejects.groups({ knowledgebase, text: 'ÄÖ3', state: 'open' });
    expect(narrowed).toMatchObject({ groups: [{ open: 1 }], totals: { open: 1 } });
    expect((await admin.rejects.groups({ knowledgebase, state: 'discarded' })).groups).toEqual([]);
  });
});

describe('reading a body', () => {
  const at = { knowledgebase, stream: 'bodies' };
  const LINE = `{"a":"${'é'.repeat(400_000)}"}x`;

  test('by lines, each cut, with what is not UTF-8 marked', async () => {
    const body = new Uint8Array(Buffer.from(`{"a":1}\n\n{"b":"\xffz\xe9"}\nééé`, 'latin1'));
    const rejectId = await reject('bodies', body);
    const page = await admin.rejects.body({
      ...{ ...at, rejectId, range: { as: 'lines', line: 2, count: 2, width: 16 } },
    });
    expect(page).toEqual({
      ...{ bodyBytes: body.length, lines: 4, utf8: false },
      piece: {
        as: 'lines',
        lines: [
          { line: 2, offset: 8, bytes: 0, text: '', invalid: [], cut: false },
          {
            ...{ line: 3, offset: 9, bytes: 11, text: '{"b":"\ufffdz\ufffd"}', cut: false },
            invalid: [
              { at: 6, byte: 0xff },
              { at: 8, byte: 0xe9 },
            ],
          },
        ],
      },
    });
    const raw = await admin.rejects.body({
      ...{ ...at, rejectId, range: { as: 'base64', offset: 15, bytes: 3 } },
    });
    expect(raw.piece).toEqual({ as: 'base64', offset: 15, bytes: 3, base64: '/3rp' });
  });

  test('by pieces of one long line: together they are the line', async () => {
    const rejectId = await reject('bodies', LINE);
    let text = '';
    for (let offset = 0, pieces = 0; ; pieces += 1) {
      const { piece, bodyBytes } = await admin.rejects.body({
        ...{ ...at, rejectId, range: { as: 'text', offset, bytes: 65_537 } },
      });
      if (piece.as !== 'text' || piece.offset !== offset) throw new Error('Another piece.');
      text += piece.text;
      offset += piece.bytes;
      expect(pieces).toBeLessThan(20);
      if (offset === bodyBytes) break;
    }
    expect(text === LINE).toBe(true);
    const { piece } = await admin.rejects.body({ ...at, rejectId, range: { as: 'lines' } });
    if (piece.as !== 'lines') throw new Error('No lines.');
    // 4,096 bytes would end inside a character.
    expect([piece.lines[0]?.text.length, piece.lines[0]?.cut]).toEqual([2_051, true]);
  });

  test('as a download, with the token and as no page', async () => {
    const rejectId = await reject('bodies', '<script>x</script>');
    const url = `${server.adminUrl}/rejects/lab/Bodies/${rejectId}`;
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const answer = await fetch(url, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, '<script>x</script>']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' },
      'content-disposition': `attachment; filename="${rejectId}.ndjson"`,
    });
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}x`, { headers })).status).toBe(404);
    expect(
      (await fetch(`${server.adminUrl}/rejects/lab/bodies/..%2f..%2fstream`, { headers })).status,
    ).toBe(404);
  });
});

describe('mending by hand', () => {
  const at = { knowledgebase, stream: 'mend' };

  test('is checked, fails, and lands at last; nothing of what came or was tried is lost', async () => {
    await admin.streams.create({ ...at, columns: ['a', 'price'] });
    const body = new Uint8Array(
      Buffer.from('{"a":1,"prise":2}\n{"a":"\xff"}\n{"a":3}\n', 'latin1'),
    );
    const rejectId = await reject('mend', body, { 'x-batch-id': 'mine' });
    const detail = await admin.rejects.get({ ...at, rejectId });
    expect(detail.offers.map(({ title, passes, rows }) => [title, passes, rows])).toEqual([
      ['Register prise', false, 2],
      ['Rename prise to price', false, 2],
      ['Drop prise', false, 2],
      ['Drop the faulty lines', true, 1],
      ['Land the good lines, keep the rest open', true, 1],
    ]);
    expect(detail).toMatchObject({
      ...{ title: 'prise is not registered', status: 400, sourceLines: null, attempts: 0 },
      ...{ contentType: 'application/x-ndjson', history: [] },
      expects: { registered: ['a', 'price'], known: [] },
      now: { ok: false, faultCount: 2, badLines: [1, 2], records: 1, lines: 3 },
      alike: { open: 1, ofSender: 1, firstOfSenderAt: detail.receivedAt },
    });

    const edits = [{ line: 1, text: '{"a":1.0,"price":2}' }];
    const checked = await admin.rejects.check({ ...at, rejectId, edits });
    expect(checked).toMatchObject({ ok: false, faultCount: 1, badLines: [2], batchId: 'mine' });
    const shown = (text: string) => ({ text, invalid: [], cut: false });
    const change: LineChange = {
      ...{ line: 1, newLine: 1, before: [shown('{"a":1,"prise":2}')] },
      after: [shown('{"a":1.0,"price":2}')],
    };
    expect(checked).toMatchObject({ changes: [change], linesAdded: 1, linesRemoved: 1 });

    const first = await admin.rejects.replay({ ...at, rejectId, edits });
    expect(first).toMatchObject({ landed: false, reject: { state: 'open', attempts: 1 } });
    expect(first.attempt).toMatchObject({
      ...{ number: 1, by: 'window', edited: true, hasBody: true, outcome: 'failed', rows: null },
      fault: { code: 'invalid_utf8', line: 2 },
    });
    const kept = await admin.rejects.body({
      ...{ ...at, rejectId, attempt: 1, range: { as: 'base64' } },
    });
    const tried = Buffer.from('{"a":1.0,"price":2}\n{"a":"\xff"}\n{"a":3}\n', 'latin1');
    expect(kept.piece).toMatchObject({ base64: tried.toString('base64') });
    expect(
      await codeOf(admin.rejects.body({ ...at, rejectId, attempt: 2, range: { as: 'text' } })),
    ).toBe('reject_body_gone');

    const fixes = [{ kind: 'replace-invalid-utf8' as const }];
    const second = await admin.rejects.replay({ ...at, rejectId, edits, fixes });
    expect(second.attempt).toMatchObject({ number: 2, outcome: 'landed', rows: 3, fixes });
    expect(readFileSync(join(failedFolder('mend'), 'mine.ndjson')).equals(body)).toBe(true);
    expect(await codeOf(admin.rejects.replay({ ...at, rejectId }))).toBe('reject_not_open');
    const { rows } = await admin.streams.rows(at);
    expect(rows.map(({ line, values, batchId }) => [batchId, line, ...values])).toEqual([
      ['mine', 1, '1.0', '2'],
      ['mine', 2, '\ufffd', null],
      ['mine', 3, '3', null],
    ]);
    await verifyHolds();
  });

  test('says what cannot be done', async () => {
    const rejectId = await reject('mend', 'x');
    const one = { ...at, rejectId };
    expect(await codeOf(admin.rejects.check({ ...one, edits: [{ line: 9, text: '' }] }))).toBe(
      'fix_not_possible',
    );
    const long = { text: 'x'.repeat(1_048_577) };
    expect(await codeOf(admin.rejects.check({ ...one, body: long }))).toBe('body_too_large');
    expect(await codeOf(admin.rejects.get({ ...at, rejectId: 'nope' }))).toBe('no_such_reject');
    expect((await admin.rejects.get(one)).history).toEqual([]);
  });

  test('two tries at once land it once', async () => {
    const rejectId = await reject('mend', '{"a":1}\nx\n');
    const fixes = [{ kind: 'drop-lines' as const }];
    const both = await Promise.allSettled(
      [1, 2].map(() => admin.rejects.replay({ ...at, rejectId, fixes })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await admin.streams.batch({ ...at, batchId: rejectId })).toMatchObject({ rows: 1 });
    await verifyHolds();
  });
});

describe('many at once', () => {
  const at = { knowledgebase, stream: 'many' };
  const filter = { stream: 'many', state: 'open' as const };
  beforeAll(async () => {
    for (let n = 0; n < 12; n += 1) await reject('many', `{"n":${n}}{"n":${n}}\n`);
    await reject('many', '{"n":1}{"n":\n');
  });

  test('are tried without sending, discarded, taken back, and landed', async () => {
    const fixes = [{ kind: 'split-objects' as const }];
    expect(await admin.rejects.preview({ knowledgebase, selection: { filter }, fixes })).toEqual({
      ...{ rejects: 13, checked: 13, pass: 12, fail: 1, rows: 24, linesChanged: 12, linesLost: 0 },
      ...{ withoutBody: 0, registers: [] },
      remaining: [
        {
          ...{ code: 'not_json', field: null, shape: 'two_objects', rejects: 1 },
          title: 'Two objects on one line',
        },
      ],
    });
    const discarded = await ended(
      await admin.rejects.discardMany({ knowledgebase, selection: { filter } }),
    );
    expect(discarded).toMatchObject({ kind: 'discard', state: 'done', done: 13, total: 13 });
    expect(discarded.result).toMatchObject({ changed: 13, skipped: 0 });
    expect(await admin.streams.get(at)).toMatchObject({
      openRejects: 0,
      rejected: 13,
      received: 13,
    });
    const operation = discarded.result?.operation as string;
    const undo = { filter: { operation } };
    const reopened = await ended(
      await admin.rejects.reopenMany({ knowledgebase, selection: undo }),
    );
    expect(reopened.result).toMatchObject({ changed: 13, skipped: 0 });
    const job = await ended(
      await admin.rejects.replayMany({ knowledgebase, selection: { filter }, fixes }),
    );
    expect(job).toMatchObject({ kind: 'replay', state: 'done', unit: 'rejects' });
    expect(job.result).toMatchObject({ landed: 12, failed: 1, skipped: 0, rows: 24 });
    expect(await admin.streams.get(at)).toMatchObject({
      ...{ openRejects: 1, rejected: 13, received: 13, landed: 0, repaired: 12, rows: 24 },
    });
    const events = await admin.knowledgebases.events({ knowledgebase });
    const told = events.map(({ message }) => message);
    expect(told).toContain('12 rejects were landed, 1 still fail (window).');
    expect(told).toContain('13 rejects were discarded (window).');
    await verifyHolds();
  });

  test('one is discarded and opened again, and stays in the ledger', async () => {
    const rejectId = await reject('many', 'x');
    const one = { ...at, rejectId };
    expect(await admin.rejects.discard(one)).toMatchObject({
      state: 'discarded',
      changedBy: 'window',
    });
    expect(await codeOf(admin.rejects.discard(one))).toBe('reject_not_open');
    expect(await codeOf(admin.rejects.replay(one))).toBe('reject_not_open');
    expect(await admin.rejects.reopen(one)).toMatchObject({ state: 'open' });
    expect(await codeOf(admin.rejects.reopen(one))).toBe('reject_not_discarded');
    const kinds = (await admin.knowledgebases.events({ knowledgebase })).map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['reject-reopened', 'reject-discarded']);
  });

  test('live pulses say that rejects changed', async () => {
    const rejectId = await reject('many', 'y');
    const abort = new AbortController();
    const pulses = await admin.live.pulses(undefined, { signal: abort.signal });
    const next = pulses.next();
    await admin.rejects.discard({ ...at, rejectId });
    expect((await next).value).toMatchObject([{ stream: 'many', rejectsChanged: 1, batches: 0 }]);
    abort.abort();
  });
});

describe('handing out', () => {
  test('a choice with its reasons is a tar file', async () => {
    const long = `${'long-'.repeat(24)}id`;
    const ids = [
      await reject('out', '{"secret":1}{}\n'),
      await reject('out', 'x\n', { 'x-batch-id': long }),
    ];
    const selection = { rejects: ids.map((rejectId) => ({ stream: 'out', rejectId })) };
    const folder = mkdtempSync(join(tmpdir(), 'strata-test-'));
    const path = join(folder, 'rejects.tar');
    const job = await ended(await admin.rejects.export({ knowledgebase, selection, path }));
    expect(job.result).toMatchObject({ path, rejects: 2, file: 'rejects.tar' });
    execFileSync('tar', ['-xf', path, '-C', folder]);
    const names = ids.flatMap((id) => [`${id}.err`, `${id}.ndjson`]);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([...names].sort());
    expect(readFileSync(join(folder, 'out', `${ids[0]}.ndjson`), 'utf8')).toBe('{"secret":1}{}\n');
    const list = readFileSync(join(folder, 'rejects.csv'), 'utf8').trimEnd().split(/\r?\n/);
    expect(list.length).toBe(3);
    expect(list[1]?.startsWith(`out,${ids[0]},${ids[0]},open,not_json,1,13,`)).toBe(true);
    rmSync(folder, { recursive: true });

    const fetched = await ended(await admin.rejects.export({ knowledgebase, selection }));
    const answer = await fetch(`${server.adminUrl}/exports/${fetched.id}`, {
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    expect((await answer.arrayBuffer()).byteLength).toBe(fetched.result?.sizeBytes);
    const inside = join(server.home, 'x.tar');
    expect(await codeOf(admin.rejects.export({ knowledgebase, selection, path: inside }))).toBe(
      'invalid_argument',
    );
  });

  test('the report has no data unless it is wanted', async () => {
    const selection = { filter: { stream: 'out' } };
    const { text } = await admin.rejects.report({ knowledgebase, selection });
    expect(text).toContain('2 batches were rejected.');
    expect(text).toContain('## Two objects on one line');
    expect(text).not.toMatch(/secret|stands where/);
    const full = await admin.rejects.report({ knowledgebase, selection, withData: true });
    expect(full.text).toContain('\n      {"secret":1}{}\n');
  });
});

describe('registering a column', () => {
  test('offers what it would let in, which then lands', async () => {
    const at = { knowledgebase, stream: 'letin' };
    await admin.streams.create({ ...at, columns: ['a'] });
    const ids = [];
    for (const body of ['{"b":1}', '{"a":1,"B":2}\n{"a":3}', '{"b":1,"c":2}', '{"b":1}\nx']) {
      ids.push(await reject('letin', body));
    }
    const offer = await admin.rejects.letIn({ ...at, columns: ['b'] });
    const named = [ids[1], ids[0]].map((rejectId) => ({ stream: 'letin', rejectId }));
    expect(offer).toEqual({ count: 2, checked: 4, rows: 3, selection: { rejects: named } });
    await admin.streams.update({ ...at, columns: ['a', 'b'] });
    const selection = { rejects: named as { stream: string; rejectId: string }[] };
    const job = await ended(await admin.rejects.replayMany({ knowledgebase, selection }));
    expect(job.result).toMatchObject({ landed: 2, failed: 0, rows: 3 });
    expect(await admin.rejects.letIn({ ...at, columns: ['c'] })).toMatchObject({ count: 1 });
    await verifyHolds();
  });
});

describe('retention', () => {
  test('removes bodies by age and size, the closed ones first, and never a row', async () => {
    await admin.knowledgebases.create({ id: 'kept' });
    const kb = { knowledgebase: 'kept' };
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const answer = await post(server.stream('kept', 's'), `${n}${'x'.repeat(99)}`);
      ids.push((await answer.json()).reject_id);
    }
    await admin.rejects.discard({ ...kb, stream: 's', rejectId: ids[2] as string });
    expect(await admin.rejects.retention.get(kb)).toEqual({
      ...{ days: null, bytes: null, bodies: 4, bodyBytes: 400 },
    });
    const none = { bodies: 0, bodyBytes: 0, open: 0, oldestAt: null, newestAt: null, streams: [] };
    expect(await admin.rejects.retention.preview({ ...kb, days: 1 })).toEqual(none);
    expect(await admin.rejects.retention.preview({ ...kb, bytes: 250 })).toMatchObject({
      ...{ bodies: 2, bodyBytes: 200, open: 1, streams: [{ stream: 's', bodies: 2 }] },
    });
    expect(await admin.rejects.retention.apply(kb)).toEqual(none);
    expect((await admin.rejects.retention.update({ ...kb, bytes: 250 })).bytes).toBe(250);
    expect(await admin.rejects.retention.apply(kb)).toMatchObject({ bodies: 2, open: 1 });
    const folder = join(server.home, 'kept/strata/streams/s/failed');
    const left = ids.filter((id) => existsSync(join(folder, `${id}.ndjson`)));
    expect(left).toEqual([ids[1], ids[3]]);
    const gone = { ...kb, stream: 's', rejectId: ids[0] as string };
    const detail = await admin.rejects.get(gone);
    expect(detail).toMatchObject({
      state: 'open',
      now: null,
      offers: [],
      bodyRemovedAt: expect.any(String),
    });
    expect(detail.faults.length).toBe(1);
    expect(await codeOf(admin.rejects.body({ ...gone, range: { as: 'text' } }))).toBe(
      'reject_body_gone',
    );
    expect(await codeOf(admin.rejects.replay(gone))).toBe('reject_body_gone');
    const headers = { authorization: `Bearer ${server.adminToken}` };
    expect((await fetch(`${server.adminUrl}/rejects/kept/s/${ids[0]}`, { headers })).status).toBe(
      410,
    );
    const sql = 'SELECT reject_id, line_text IS NULL FROM raw_rejects."stream_s" ORDER BY ALL';
    const { rows } = await admin.query.run({ ...kb, sql });
    expect(rows).toEqual(
      ids
        .map((id, at) => [id, String(at === 0 || at === 2)])
        .sort((x, y) => ((x[0] as string) < (y[0] as string) ? -1 : 1)),
    );
    const proof = await admin.knowledgebases.verify(kb);
    expect([proof.holds, proof.streams[0]?.totals.rejected]).toEqual([true, 4]);
  });
});

describe('recipes', () => {
  const at = { knowledgebase, stream: 'recipes' };
  const fixes = [{ kind: 'split-objects' as const }];

  test('are kept with the stream, applied when asked, counted, and applied by themselves', async () => {
    const first = await reject('recipes', '{"n":1}{"n":2}\n');
    const recipe = await admin.rejects.recipes.create({
      ...at,
      rejectId: first,
      name: ' Split ',
      fixes,
    });
    expect(recipe).toMatchObject({ name: 'Split', automatic: false, tried: 0, open: 1, fixes });
    const { id } = recipe;
    const file = join(server.home, 'lab/strata/streams/recipes/recipes.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      recipes: [{ id, name: 'Split' }],
    });
    const again = admin.rejects.recipes.create({ ...at, rejectId: first, name: 'Split', fixes });
    expect(await codeOf(again)).toBe('recipe_exists');
    const done = await admin.rejects.replay({ ...at, rejectId: first, recipe: id });
    expect(done.attempt).toMatchObject({ by: 'recipe Split', recipeId: id, rows: 2, fixes });

    expect((await admin.rejects.recipes.update({ ...at, id, automatic: true })).automatic).toBe(
      true,
    );
    const second = await reject('recipes', '{"n":3}{"n":4}\n');
    const stateOf = async (rejectId: string) =>
      (await admin.rejects.get({ ...at, rejectId })).state;
    await until('the recipe lands it', async () => (await stateOf(second)) === 'replayed');
    expect(await admin.rejects.get({ ...at, rejectId: second })).toMatchObject({
      ...{ changedBy: 'recipe Split', landedAs: second },
    });
    // Another cause is not its own; its own cause with another fault beside it stays open, tried once.
    const other = await reject('recipes', '{"n":1}}\n');
    const third = await reject('recipes', '{"n":5}{"n":6}\nx\n');
    const tried = await until('the recipe has tried', async () => {
      const detail = await admin.rejects.get({ ...at, rejectId: third });
      return detail.attempts > 0 ? detail : undefined;
    });
    expect(tried).toMatchObject({ state: 'open', history: [{ outcome: 'failed', recipeId: id }] });
    expect(await admin.rejects.get({ ...at, rejectId: other })).toMatchObject({ attempts: 0 });
    expect(await admin.rejects.recipes.list({ knowledgebase })).toMatchObject([
      { id, stream: 'recipes', tried: 3, landed: 2, rows: 4, open: 1, lastAt: expect.any(String) },
    ]);
    expect(await admin.rejects.recipes.remove({ ...at, id })).toEqual({ id });
    expect(await codeOf(admin.rejects.recipes.remove({ ...at, id }))).toBe('no_such_recipe');
    expect(await admin.rejects.recipes.list(at)).toEqual([]);
    await verifyHolds();
  });
});
