// Rejects are found by page, by everything that narrows, by text, in groups; a body is read piece by piece.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { codeOf, rejectIn } from '../helpers/rejects.ts';
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

describe('finding', () => {
  const ids: string[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 5; n += 1)
      ids.push(await rejectIn(server, 'find', `{"n":"ÄÖ${n} Word"}{}\n`));
    ids.push(await rejectIn(server, 'find', '{"n":1,"N":2}\n', { 'user-agent': 'logger/2' }));
    ids.push(await rejectIn(server, 'other', '{"n":"word"}}\n'));
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
    const rejectId = await rejectIn(server, 'bodies', body);
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
    const rejectId = await rejectIn(server, 'bodies', LINE);
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
    const rejectId = await rejectIn(server, 'bodies', '<script>x</script>');
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
