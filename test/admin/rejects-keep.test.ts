// Rejects are handed out, their bodies let go, and recipes kept for those to come.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { codeOf, ended, rejectIn, verifyHolds } from '../helpers/rejects.ts';
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

describe('handing out', () => {
  test('a choice with its reasons is a tar file', async () => {
    const long = `${'long-'.repeat(24)}id`;
    const ids = [
      await rejectIn(server, 'out', '{"secret":1}{}\n'),
      await rejectIn(server, 'out', 'x\n', { 'x-batch-id': long }),
    ];
    const selection = { rejects: ids.map((rejectId) => ({ stream: 'out', rejectId })) };
    const folder = mkdtempSync(join(tmpdir(), 'strata-test-'));
    const path = join(folder, 'rejects.tar');
    const job = await ended(admin, await admin.rejects.export({ knowledgebase, selection, path }));
    expect(job.result).toMatchObject({ path, rejects: 2, file: 'rejects.tar' });
    execFileSync('tar', ['-xf', path, '-C', folder]);
    const names = ids.flatMap((id) => [`${id}.err`, `${id}.ndjson`]);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([...names].sort());
    expect(readFileSync(join(folder, 'out', `${ids[0]}.ndjson`), 'utf8')).toBe('{"secret":1}{}\n');
    const list = readFileSync(join(folder, 'rejects.csv'), 'utf8').trimEnd().split(/\r?\n/);
    expect(list.length).toBe(3);
    expect(list[1]?.startsWith(`out,${ids[0]},${ids[0]},open,not_json,1,13,`)).toBe(true);
    rmSync(folder, { recursive: true });

    const fetched = await ended(admin, await admin.rejects.export({ knowledgebase, selection }));
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
    const first = await rejectIn(server, 'recipes', '{"n":1}{"n":2}\n');
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
    const second = await rejectIn(server, 'recipes', '{"n":3}{"n":4}\n');
    const stateOf = async (rejectId: string) =>
      (await admin.rejects.get({ ...at, rejectId })).state;
    await until('the recipe lands it', async () => (await stateOf(second)) === 'replayed');
    expect(await admin.rejects.get({ ...at, rejectId: second })).toMatchObject({
      ...{ changedBy: 'recipe Split', landedAs: second },
    });
    // Another cause is not its own; its own cause with another fault beside it stays open, tried once.
    const other = await rejectIn(server, 'recipes', '{"n":1}}\n');
    const third = await rejectIn(server, 'recipes', '{"n":5}{"n":6}\nx\n');
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
    await verifyHolds(admin);
  });
});
