// Owns the proof of a promotion from a stream to its views, on both model stores: the plan, applying, versions, refusals.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setModelStore } from '../../core/engine/model-store.ts';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { verify } from '../../core/engine/verify.ts';
import { beginApply, restoreVersion } from '../../core/ontology/apply.ts';
import { beginPromotion } from '../../core/ontology/promote.ts';
import { refusePlan, showPlan } from '../../core/ontology/review.ts';
import { countTypes, diffVersions, showModel, showType } from '../../core/ontology/show.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { namesIn } from '../helpers/filled.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import {
  applyPlan,
  EXPECTED,
  landRecords,
  PAY,
  promoteAndApply,
  promoteOnly,
  promoteToPlan,
  QUESTION,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders } from '../helpers/server.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  await postgres.stop();
  removeTempFolders();
});

let core: TestCore;
let kb: OpenKnowledgebase;
let count = 0;

const open = async (store: string): Promise<void> => {
  core = openTestCore();
  kb = core.createKnowledgebase('k');
  if (store !== 'postgres') return;
  count += 1;
  expect(await setModelStore(kb, postgres.url, `model-${count}`)).toMatchObject({ fault: null });
};

afterEach(async () => {
  await core.close();
  expect(core.logged).toEqual([]);
});

const ANSWER = EXPECTED.answer.map(([name, salary]) => [name, String(salary)]);
const answered = async () =>
  (await rowsOf(kb, QUESTION)).map(([name, salary]) => [name, String(Number(salary))]);

describe.each(['sqlite', 'postgres'])('with the model in %s', (store) => {
  beforeEach(() => open(store));

  it('the worked example gives the expected types, column types, views and answer', async () => {
    await land(core, 'pay', PAY, 'pay-1');
    const plan = await promoteToPlan(kb, 'pay');
    expect(
      await rowsOf(kb, "SELECT count(*) FROM duckdb_views() WHERE schema_name = 'ontology'"),
    ).toEqual([['0']]);
    const version = await applyPlan(kb, plan);
    expect(version).toMatchObject({
      ...{ version: 1, by: 'analyst', why: 'a test', kind: 'promotion', stream: 'pay' },
      ...{ types: 6, links: 5, changes: { added: 6, changed: 0, removed: 0 } },
    });
    const { model } = await showModel(kb.ontology);
    const shown = model.types.map(({ name, kind, key, attributes }) => ({
      ...{ name, kind, key: key.join() },
      attributes: attributes
        .filter(({ role }) => !['key', 'reference'].includes(role))
        .map((one) => one.name),
    }));
    expect(shown).toEqual(
      EXPECTED.object_types.map((one) => ({
        attributes: ['effective_date', 'annual_salary', 'bonus', 'currency'],
        ...one,
      })),
    );
    const types = Object.fromEntries(
      model.types.flatMap(({ attributes }) => attributes.map(({ name, type }) => [name, type])),
    );
    expect(types).toMatchObject(EXPECTED.types);
    expect(
      await rowsOf(
        kb,
        "SELECT view_name FROM duckdb_views() WHERE schema_name = 'ontology' ORDER BY 1",
      ),
    ).toEqual(EXPECTED.object_types.map(({ name }) => [name]).sort());
    expect(await answered()).toEqual(ANSWER);
    expect(await countTypes(kb.ontology)).toEqual({
      ...{ 'pay-fact': 60, employee: 24, department: 5, location: 4, 'pay-grade': 4 },
      'employment-type': 3,
    });
    expect(await verify(kb)).toMatchObject({
      ...{ holds: true, model: { version: 1, types: 6, views: 6, bound: 6 } },
    });
  });

  it('every row of a view leads back to its batches', async () => {
    const lines = PAY.trim().split('\n');
    await land(core, 'pay', lines.slice(0, 30).join('\n'), 'first');
    await land(core, 'pay', lines.slice(30).join('\n'), 'second');
    await promoteAndApply(kb, 'pay');
    expect(
      await rowsOf(
        kb,
        "SELECT pay_id, _batch_id, _line FROM ontology.\"PayFact\" WHERE pay_id IN ('P00001', 'P00060') ORDER BY 1",
      ),
    ).toEqual([
      ['P00001', 'first', '1'],
      ['P00060', 'second', '30'],
    ]);
    expect(
      await rowsOf(
        kb,
        'SELECT employee_id, _batch_ids, _rows, _conflicts FROM ontology."Employee" WHERE employee_id = \'E1001\'',
      ),
    ).toEqual([['E1001', '[first, second]', '3', '0']]);
  });

  it('promoting again without anything new proposes nothing and leaves nothing but the record', async () => {
    await land(core, 'pay', PAY);
    const { version } = await promoteAndApply(kb, 'pay');
    const tables = namesIn(`${kb.paths.strata}/tables`);
    expect(await promoteOnly(kb, 'pay')).toMatchObject({
      state: 'unchanged',
      base: version,
      version: null,
      words: 'Nothing has changed since v1: 60 rows in 1 batch were looked at.',
    });
    expect(namesIn(`${kb.paths.strata}/tables`)).toEqual(tables);
    expect((await kb.ontology.store().versions()).map((one) => one.version)).toEqual([1]);
  });

  it('new rows alone change nothing; the views have them at once', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const more = PAY.trim()
      .split('\n')
      .map((line) => line.replace('"P0', '"Q0'))
      .join('\n');
    await land(core, 'pay', more);
    expect(await countTypes(kb.ontology)).toMatchObject({ 'pay-fact': 120, employee: 24 });
    expect(await promoteOnly(kb, 'pay')).toMatchObject({ state: 'unchanged' });
  });

  it('a new column finds its type, and what no longer holds is said before it is applied', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const rows = PAY.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const region = new Map([
      ['Engineering', 'North'],
      ['Finance', 'South'],
      ['Operations', 'East'],
      ['People', 'West'],
      ['Sales', 'Isles'],
    ]);
    const next = rows.map((row, at) => ({
      ...row,
      pay_id: at === 0 ? 'P00060' : `Q${at}`,
      head: region.get(row.department),
    }));
    next[1] = { ...next[1], effective_date: '2026-13-01', cost_center: 'CC-999' };
    await landRecords(core, 'pay', next);
    // Half of the rows have no head yet, so it is not fixed by the department in every row.
    const plan = await promoteToPlan(kb, 'pay');
    expect(plan.items.map(({ mark, title, evidence }) => [mark, title, ...evidence])).toEqual([
      ['changed', 'PayFact gains head', 'head: The values are texts.'],
      [
        'warning',
        'pay_id does not tell every row of PayFact apart',
        '1 key in more than one of 120 rows.',
      ],
      [
        'warning',
        'PayFact.effective_date is not always DATE',
        '1 of 120 values are read as NULL: "2026-13-01".',
      ],
      [
        'warning',
        'department does not fix Department.cost_center',
        '1 of 5 keys have rows that disagree; the one that landed last wins.',
      ],
    ]);
    expect(await applyPlan(kb, plan)).toMatchObject({
      ...{ version: 2, changes: { added: 0, changed: 1, removed: 0 } },
    });
    expect(
      await rowsOf(
        kb,
        'SELECT cost_center, _conflicts FROM ontology."Department" WHERE department = \'Finance\'',
      ),
    ).toEqual([['CC-200', '1']]);
    // What was accepted once is not asked again.
    expect(await promoteOnly(kb, 'pay')).toMatchObject({ state: 'unchanged' });
  });

  it('versions are listed, told apart and restored as new ones', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    await landRecords(core, 'pay', [{ pay_id: 'X1', note: 'hello' }]);
    await promoteAndApply(kb, 'pay');
    expect(await diffVersions(kb.ontology, 1, 2)).toEqual({
      from: 1,
      to: 2,
      changes: [
        {
          ...{ mark: 'new', what: 'attribute', type: 'pay-fact', typeName: 'PayFact' },
          ...{ name: 'note', before: null, after: 'text from pay.note' },
        },
      ],
    });
    expect(await codeOf(restoreVersion(kb.ontology, 9, { by: 'bo', why: '' }))).toBe(
      'no_such_version',
    );
    expect(await codeOf(restoreVersion(kb.ontology, 2, { by: 'bo', why: '' }))).toBe(
      'invalid_argument',
    );
    expect(await restoreVersion(kb.ontology, 1, { by: 'bo', why: 'no notes' })).toMatchObject({
      ...{ version: 3, kind: 'restore', restored: 1, by: 'bo', why: 'no notes' },
    });
    const names = await rowsOf(kb, 'SELECT column_name FROM (DESCRIBE ontology."PayFact")');
    expect(names.flat()).not.toContain('note');
    const versions = await kb.ontology.store().versions();
    expect(versions.map(({ version, kind, by }) => [version, kind, by])).toEqual([
      [3, 'restore', 'bo'],
      [2, 'promotion', 'analyst'],
      [1, 'promotion', 'analyst'],
    ]);
    expect((await diffVersions(kb.ontology, 1, 3)).changes).toEqual([]);
    expect(await verify(kb)).toMatchObject({ holds: true, model: { version: 3 } });
  });

  it('a plan that another version came before cannot be applied', async () => {
    await land(core, 'pay', PAY);
    await landRecords(core, 'notes', [{ note: 'a' }, { note: 'b' }]);
    const first = await promoteToPlan(kb, 'pay');
    const second = await promoteToPlan(kb, 'notes');
    await applyPlan(kb, first);
    expect(await codeOf(applyPlan(kb, second))).toBe('plan_outdated');
    expect(await showPlan(kb.ontology, second.promotion.id)).toMatchObject({ outdated: true });
    await promoteAndApply(kb, 'notes');
    expect((await showModel(kb.ontology)).model.types.map(({ name }) => name)).toContain('Note');
  });

  it('one promotion at a time: the second is told who runs the first', async () => {
    await land(core, 'pay', PAY);
    await landRecords(core, 'notes', [{ note: 'a' }]);
    const begun = await beginPromotion(kb.ontology, 'pay', 'analyst');
    await expect(beginPromotion(kb.ontology, 'notes', 'bo')).rejects.toMatchObject({
      code: 'promotion_running',
      message: expect.stringMatching(
        new RegExp(
          `^pay is being promoted by analyst \\(process ${process.pid} on .+, since .+\\)\\.$`,
        ),
      ),
      details: { holder: { stream: 'pay', by: 'analyst', pid: process.pid } },
    });
    await begun.run(() => {});
    await promoteOnly(kb, 'notes');
  });

  it('every item has to be decided, unless the rest is accepted', async () => {
    await land(core, 'pay', PAY);
    const { promotion } = await promoteToPlan(kb, 'pay');
    await expect(
      beginApply(kb.ontology, promotion.id, { by: 'analyst', why: '' }, false),
    ).rejects.toMatchObject({
      code: 'plan_undecided',
      message: '6 items are not decided.',
    });
    await (await beginApply(kb.ontology, promotion.id, { by: 'analyst', why: '' }, true)).run();
  });

  it('a refused plan leaves its record and nothing else', async () => {
    await land(core, 'pay', PAY);
    const { promotion } = await promoteToPlan(kb, 'pay');
    expect(await refusePlan(kb.ontology, promotion.id, 'bo', 'Not now.')).toMatchObject({
      ...{ state: 'refused', words: 'Refused by bo. Not now.', version: null },
    });
    expect(await codeOf(showPlan(kb.ontology, promotion.id))).toBe('no_such_plan');
    expect(namesIn(`${kb.paths.strata}/tables`)).toEqual([]);
    expect(
      await rowsOf(kb, "SELECT source FROM _strata_manifest WHERE source <> 'stream:pay'"),
    ).toEqual([]);
    expect((await showModel(kb.ontology)).version).toBe(null);
  });

  it("a type's page has its SQL, rows now, a sample, and who refers to it", async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const detail = await showType(kb.ontology, 'pay-grade');
    expect(detail).toMatchObject({
      ...{ version: 1, rows: 4, conflicts: 0, fault: null },
      referredFrom: [{ type: 'pay-fact', typeName: 'PayFact', on: ['pay_grade'] }],
    });
    expect(detail.columns.slice(0, 3)).toEqual([
      { name: 'pay_grade', type: 'VARCHAR' },
      { name: 'grade_min', type: 'BIGINT' },
      { name: 'grade_max', type: 'BIGINT' },
    ]);
    expect(detail.sample.map(([grade, min]) => `${grade} ${min}`).sort()).toEqual([
      ...['G1 28000', 'G2 36000', 'G3 48000', 'G4 64000'],
    ]);
    expect(await codeOf(showType(kb.ontology, 'nope'))).toBe('no_such_type');
  });
});

describe('refused at once', () => {
  beforeEach(() => open('sqlite'));

  it('without a model store', async () => {
    await land(core, 'pay', PAY);
    await setModelStore(kb, 'none');
    await expect(beginPromotion(kb.ontology, 'pay', 'analyst')).rejects.toMatchObject({
      ...{ code: 'model_store_none', status: 409, message: 'k keeps no model.' },
    });
    expect(kb.ledger().promotions.list(10)).toEqual([]);
  });

  it('without a row', async () => {
    kb.streams.create('empty', null);
    await expect(beginPromotion(kb.ontology, 'empty', 'analyst')).rejects.toMatchObject({
      ...{ code: 'stream_has_no_rows', status: 409 },
      message: 'The stream empty has no rows to model.',
    });
  });

  it('a store that is none', async () => {
    expect(await codeOf(setModelStore(kb, 'mysql://x/y'))).toBe('invalid_argument');
  });
});
