// Owns the proof of the ontology over the contract, as a face uses it: promotion as a job, review, versions, documents.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { PAY } from '../helpers/promotion.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { failureOf, jobEnded } from '../helpers/window.ts';

let server: Server;
let admin: AdminClient;
const knowledgebase = 'k';
const pay = { knowledgebase, stream: 'pay' };

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: knowledgebase });
  const answer = await post(server.stream('k', 'pay'), PAY);
  expect(answer.status).toBe(200);
}, 60_000);
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  expect(server.stderr()).toBe('');
  removeTempFolders();
});

const document = (path: string, token = server.adminToken) =>
  fetch(`${server.adminUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });

describe.sequential('the ontology', () => {
  let promotion: string;

  it('is empty at first', async () => {
    expect(await admin.ontology.get({ knowledgebase })).toEqual({
      store: { kind: 'sqlite', address: null, model: null, fault: null },
      ...{ version: null, current: null, model: { types: [], leftOut: [] }, plans: [] },
    });
    expect(await admin.ontology.counts({ knowledgebase })).toEqual({});
    const answer = await document('/model/k.json');
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
      404,
      { code: 'no_such_version' },
    ]);
  });

  it('refuses with the reason before there is a job', async () => {
    await admin.streams.create({ knowledgebase, stream: 'empty' });
    expect(
      await failureOf(admin.ontology.promote({ knowledgebase, stream: 'empty' })),
    ).toMatchObject({
      ...{
        code: 'stream_has_no_rows',
        status: 409,
        message: 'The stream empty has no rows to model.',
      },
    });
    await admin.ontology.setStore({ knowledgebase, store: 'none' });
    expect(await failureOf(admin.ontology.promote(pay))).toMatchObject({
      code: 'model_store_none',
      status: 409,
    });
    expect(await admin.ontology.store({ knowledgebase })).toEqual({
      ...{ kind: 'none', address: null, model: null, fault: null },
    });
    await admin.ontology.setStore({ knowledgebase, store: 'sqlite' });
    expect((await admin.jobs.list()).filter(({ kind }) => kind === 'promotion')).toEqual([]);
  });

  it('promotes as a job that ends with an open plan', async () => {
    const job = await admin.ontology.promote({ ...pay, by: 'analyst' });
    expect(job).toMatchObject({ kind: 'promotion', title: 'Promoting pay', state: 'running' });
    const { state, result } = await jobEnded(admin, job);
    expect([state, result]).toMatchObject(['done', { state: 'open', stream: 'pay' }]);
    promotion = result?.promotion as string;
    const plan = await admin.ontology.plan({ knowledgebase, promotion });
    expect(plan).toMatchObject({
      ...{ next: 1, outdated: false, edits: [], before: { types: [] } },
      promotion: { id: promotion, state: 'open', by: 'analyst', items: 6, decided: 0 },
      snapshot: { rows: 60, batches: 1, stream: 'pay' },
    });
    expect((await admin.ontology.get({ knowledgebase })).plans.map(({ id }) => id)).toEqual([
      promotion,
    ]);
  });

  it('is reviewed: effect, edit, undo, decide, SQL', async () => {
    const id = { knowledgebase, promotion };
    expect(await admin.ontology.effect({ ...id, type: 'location' })).toMatchObject({
      rows: 4,
      fails: 0,
      conflicts: [],
    });
    const edited = await admin.ontology.edit({
      ...id,
      edit: { kind: 'rename', type: 'location', name: 'Place' },
    });
    expect(edited.model.types.map(({ name }) => name)).toContain('Place');
    const wrong = { kind: 'rename', type: 'location', name: 'Employee' } as const;
    expect(await failureOf(admin.ontology.edit({ ...id, edit: wrong }))).toMatchObject({
      ...{ code: 'edit_not_possible', status: 400, message: 'There is a type Employee already.' },
    });
    expect(
      await failureOf(
        admin.ontology.edit({
          ...id,
          edit: { kind: 'retype', type: 'pay-fact', attribute: 'bonus', to: 'INT' },
        }),
      ),
    ).toMatchObject({ code: 'edit_not_possible' });
    expect((await admin.ontology.undo(id)).edits).toEqual([]);
    expect((await admin.ontology.sql(id)).sql).toContain(
      'CREATE OR REPLACE VIEW ontology."Location" AS\nSELECT',
    );
    expect(await failureOf(admin.ontology.apply(id))).toMatchObject({
      code: 'plan_undecided',
      status: 409,
      message: '6 items are not decided.',
    });
    const { items } = await admin.ontology.plan(id);
    for (const { id: item } of items) await admin.ontology.decide({ ...id, item, accepted: true });
    expect((await admin.ontology.plan(id)).promotion).toMatchObject({ items: 6, decided: 6 });
  });

  it('is applied as a job, counted, and shown by type', async () => {
    const job = await admin.ontology.apply({
      knowledgebase,
      promotion,
      by: 'analyst',
      why: 'first',
    });
    expect(await jobEnded(admin, job)).toMatchObject({
      state: 'done',
      result: { promotion, version: 1 },
    });
    expect(await admin.ontology.get({ knowledgebase })).toMatchObject({
      current: 1,
      version: { by: 'analyst', why: 'first' },
      plans: [],
    });
    expect((await admin.ontology.counts({ knowledgebase }))['pay-fact']).toBe(60);
    expect(await admin.ontology.type({ knowledgebase, type: 'department' })).toMatchObject({
      rows: 5,
      version: 1,
    });
    expect((await admin.ontology.promotions({ knowledgebase }))[0]).toMatchObject({
      state: 'applied',
      version: 1,
      words: 'It is v1: 6 types.',
    });
    expect(
      await failureOf(admin.ontology.plan({ knowledgebase, promotion: 'nope' })),
    ).toMatchObject({ code: 'no_such_plan', status: 404 });
  });

  it('is handed over as JSON and as Markdown, with the token alone', async () => {
    const json = await document('/model/k.json');
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await json.json()).toMatchObject({ version: 1, model: { types: expect.any(Array) } });
    const markdown = await document('/model/k.md');
    expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    const text = await markdown.text();
    expect(text).toMatch(/^# The model of k, version 1\n/);
    expect(await admin.ontology.document({ knowledgebase, format: 'markdown' })).toEqual({
      name: 'k-model-v1.md',
      text,
    });
    expect((await document('/model/k.json', 'wrong')).status).toBe(401);
    expect((await document('/model/nope.json')).status).toBe(404);
    expect((await document('/model/k.xml')).status).toBe(404);
  });

  it('has versions: a diff, and a restore', async () => {
    await post(server.stream('k', 'pay'), '{"pay_id":"X1","extra":"e"}');
    const { result } = await jobEnded(admin, await admin.ontology.promote(pay));
    await jobEnded(
      admin,
      await admin.ontology.apply({
        knowledgebase,
        promotion: String(result?.promotion),
        acceptRest: true,
      }),
    );
    expect(
      (await admin.ontology.diff({ knowledgebase, from: 1, to: 2 })).changes.map(
        ({ name }) => name,
      ),
    ).toEqual(['extra']);
    expect(await admin.ontology.restore({ knowledgebase, version: 1 })).toMatchObject({
      version: 3,
      restored: 1,
    });
    expect(
      (await admin.ontology.versions({ knowledgebase })).map(({ version }) => version),
    ).toEqual([3, 2, 1]);
    expect(await failureOf(admin.ontology.restore({ knowledgebase, version: 7 }))).toMatchObject({
      code: 'no_such_version',
      status: 404,
    });
  });

  it('a plan can be refused whole', async () => {
    const { result } = await jobEnded(admin, await admin.ontology.promote(pay));
    const id = String(result?.promotion);
    expect(
      await admin.ontology.refuse({ knowledgebase, promotion: id, by: 'bo', why: 'No.' }),
    ).toMatchObject({ state: 'refused', words: 'Refused by bo. No.' });
    expect(await failureOf(admin.ontology.apply({ knowledgebase, promotion: id }))).toMatchObject({
      code: 'no_such_plan',
    });
  });
});
