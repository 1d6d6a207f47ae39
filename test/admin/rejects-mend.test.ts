// Rejects are mended by hand and by fixes, one and many at once, put aside and taken back.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LineChange } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { codeOf, ended, failedFolder, rejectIn, verifyHolds } from '../helpers/rejects.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

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

describe('mending by hand', () => {
  const at = { knowledgebase, stream: 'mend' };

  test('is checked, fails, and lands at last; nothing of what came or was tried is lost', async () => {
    await admin.streams.create({ ...at, columns: ['a', 'price'] });
    const body = new Uint8Array(
      Buffer.from('{"a":1,"prise":2}\n{"a":"\xff"}\n{"a":3}\n', 'latin1'),
    );
    const rejectId = await rejectIn(server, 'mend', body, { 'x-batch-id': 'mine' });
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
    expect(readFileSync(join(failedFolder(server, 'mend'), 'mine.ndjson')).equals(body)).toBe(true);
    expect(await codeOf(admin.rejects.replay({ ...at, rejectId }))).toBe('reject_not_open');
    const { rows } = await admin.streams.rows(at);
    expect(rows.map(({ line, values, batchId }) => [batchId, line, ...values])).toEqual([
      ['mine', 1, '1.0', '2'],
      ['mine', 2, '\ufffd', null],
      ['mine', 3, '3', null],
    ]);
    await verifyHolds(admin);
  });

  test('says what cannot be done', async () => {
    const rejectId = await rejectIn(server, 'mend', 'x');
    const one = { ...at, rejectId };
    expect(await codeOf(admin.rejects.check({ ...one, edits: [{ line: 9, text: '' }] }))).toBe(
      'fix_not_possible',
    );
    const long = { text: 'x'.repeat(4 * 1_048_576 + 1) };
    expect(await codeOf(admin.rejects.check({ ...one, body: long }))).toBe('body_too_large');
    expect(await codeOf(admin.rejects.get({ ...at, rejectId: 'nope' }))).toBe('no_such_reject');
    expect((await admin.rejects.get(one)).history).toEqual([]);
  });

  test('two tries at once land it once', async () => {
    const rejectId = await rejectIn(server, 'mend', '{"a":1}\nx\n');
    const fixes = [{ kind: 'drop-lines' as const }];
    const both = await Promise.allSettled(
      [1, 2].map(() => admin.rejects.replay({ ...at, rejectId, fixes })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await admin.streams.batch({ ...at, batchId: rejectId })).toMatchObject({ rows: 1 });
    await verifyHolds(admin);
  });
});

describe('many at once', () => {
  const at = { knowledgebase, stream: 'many' };
  const filter = { stream: 'many', state: 'open' as const };
  beforeAll(async () => {
    for (let n = 0; n < 12; n += 1) await rejectIn(server, 'many', `{"n":${n}}{"n":${n}}\n`);
    await rejectIn(server, 'many', '{"n":1}{"n":\n');
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
      admin,
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
      admin,
      await admin.rejects.reopenMany({ knowledgebase, selection: undo }),
    );
    expect(reopened.result).toMatchObject({ changed: 13, skipped: 0 });
    const job = await ended(
      admin,
      await admin.rejects.replayMany({ knowledgebase, selection: { filter }, fixes }),
    );
    expect(job).toMatchObject({ kind: 'replay', state: 'done', unit: 'rejects' });
    expect(job.result).toMatchObject({ landed: 12, failed: 1, skipped: 0, rows: 24 });
    expect(await admin.streams.get(at)).toMatchObject({
      ...{ openRejects: 1, rejected: 13, received: 13, landed: 0, repaired: 12, rows: 24 },
    });
    const events = await admin.knowledgebases.events({ knowledgebase });
    const told = events.map(({ message }) => message);
    expect(told).toContain('12 rejects were landed, 1 still fails (window).');
    expect(told).toContain('13 rejects were discarded (window).');
    await verifyHolds(admin);
  });

  test('one is discarded and opened again, and stays in the ledger', async () => {
    const rejectId = await rejectIn(server, 'many', 'x');
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
    const rejectId = await rejectIn(server, 'many', 'y');
    const abort = new AbortController();
    const pulses = await admin.live.pulses(undefined, { signal: abort.signal });
    const next = pulses.next();
    await admin.rejects.discard({ ...at, rejectId });
    expect((await next).value).toMatchObject([{ stream: 'many', rejectsChanged: 1, batches: 0 }]);
    abort.abort();
  });
});

describe('registering a column', () => {
  test('offers what it would let in, which then lands', async () => {
    const at = { knowledgebase, stream: 'letin' };
    await admin.streams.create({ ...at, columns: ['a'] });
    const ids = [];
    for (const body of ['{"b":1}', '{"a":1,"B":2}\n{"a":3}', '{"b":1,"c":2}', '{"b":1}\nx']) {
      ids.push(await rejectIn(server, 'letin', body));
    }
    const offer = await admin.rejects.letIn({ ...at, columns: ['b'] });
    const named = [ids[1], ids[0]].map((rejectId) => ({ stream: 'letin', rejectId }));
    expect(offer).toEqual({ count: 2, checked: 4, rows: 3, selection: { rejects: named } });
    await admin.streams.update({ ...at, columns: ['a', 'b'] });
    const selection = { rejects: named as { stream: string; rejectId: string }[] };
    const job = await ended(admin, await admin.rejects.replayMany({ knowledgebase, selection }));
    expect(job.result).toMatchObject({ landed: 2, failed: 0, rows: 3 });
    expect(await admin.rejects.letIn({ ...at, columns: ['c'] })).toMatchObject({ count: 1 });
    await verifyHolds(admin);
  });
});
