// Owns the proof of reviewing a plan over real rows: what an edit does to them, decisions, and what outlives what.

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { verify } from '../../core/engine/verify.ts';
import { beginPromotion } from '../../core/ontology/promote.ts';
import {
  decideItem,
  editPlan,
  showEffect,
  showPlan,
  showSql,
  undoEdit,
} from '../../core/ontology/review.ts';
import { showModel, showType } from '../../core/ontology/show.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { startHolding } from '../helpers/foreign-client.ts';
import {
  applyPlan,
  landRecords,
  PAY,
  promoteAndApply,
  promoteToPlan,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let core: TestCore;
let kb: OpenKnowledgebase;
beforeEach(() => {
  core = openTestCore();
  kb = core.createKnowledgebase('k');
});
afterEach(async () => {
  await core.close();
  expect(core.logged).toEqual([]);
});
afterAll(removeTempFolders);

/** Reopens everything over the same home. */
const reopen = async (): Promise<void> => {
  const { home } = core;
  await core.close();
  core = openTestCore({ home });
  kb = core.knowledgebase('k');
  expect(await kb.views.settled(15_000)).toBe(true);
};

const RECORDS = [
  { order_id: 'A1', customer: 'Acme', amount: '10.50', placed: '2026-01-02' },
  { order_id: 'A2', customer: 'Acme', amount: '7', placed: '2026-01-03' },
  { order_id: 'A3', customer: 'Bolt', amount: 'free', placed: '2026-01-04' },
  { order_id: 'A3', customer: 'Bolt', amount: '1.25', placed: '' },
];

describe('an edit', () => {
  it('shows what it does to the rows: values that fail, keys that repeat, rows that disagree', async () => {
    await landRecords(core, 'orders', RECORDS, 'b1');
    const plan = await promoteToPlan(kb, 'orders');
    expect(plan.columns.map(({ column, readAs, fails }) => [column, readAs.type, fails])).toEqual([
      ['order_id', 'VARCHAR', 0],
      ['customer', 'VARCHAR', 0],
      ['amount', 'VARCHAR', 0],
      ['placed', 'DATE', 0],
    ]);
    const { id } = plan.promotion;
    await decideItem(kb.ontology, id, 'type:order', true);
    const retyped = await editPlan(kb.ontology, id, {
      kind: 'retype',
      type: 'order',
      attribute: 'amount',
      to: 'DECIMAL(18,2)',
    });
    const keyed = await editPlan(kb.ontology, id, {
      kind: 'key',
      type: 'order',
      key: ['order_id'],
    });
    expect(
      retyped.items.map(({ title, evidence, decision }) => [title, ...evidence, decision]),
    ).toEqual([
      ['Order, one row for each line that landed', expect.any(String), 'accepted'],
      ['Order.amount is not always DECIMAL(18,2)', '1 of 4 values are read as NULL: "free".', null],
    ]);
    // The item says something else now, so it is to be decided again.
    expect(keyed.items.map(({ title, decision }) => [title, decision])).toEqual([
      ['Order, one row for each order_id', null],
      ['order_id does not tell every row of Order apart', null],
      ['Order.amount is not always DECIMAL(18,2)', null],
    ]);
    expect(await showEffect(kb.ontology, id, 'order')).toEqual({
      ...{ type: 'order', rows: 4, fails: 1, withoutKey: 0, repeated: 1 },
      columns: ['order_id', 'customer', 'amount', 'placed', '_batch_id', '_line'],
      sample: [
        ['A1', 'Acme', '10.50', '2026-01-02', 'b1', '1'],
        ['A2', 'Acme', '7.00', '2026-01-03', 'b1', '2'],
        ['A3', 'Bolt', null, '2026-01-04', 'b1', '3'],
        ['A3', 'Bolt', '1.25', null, 'b1', '4'],
      ],
      failing: [{ attribute: 'amount', value: 'free', batchId: 'b1', line: 3 }],
      ...{
        repeatedKeys: [['A3']],
        conflicts: [],
        sql: expect.stringContaining('FROM raw_extracted."stream_orders"'),
      },
    });
    await editPlan(kb.ontology, id, {
      kind: 'split',
      type: 'order',
      key: ['customer'],
      attributes: ['amount'],
      name: 'Customer',
    });
    expect(await showEffect(kb.ontology, id, 'customer')).toMatchObject({
      ...{ rows: 2, fails: 1, withoutKey: 0 },
      conflicts: [{ attribute: 'amount', keys: 1, examples: ['Acme'] }],
    });
    expect(showSql(kb.ontology, id)).toContain('CREATE OR REPLACE VIEW ontology."Customer" AS');
    const undone = await undoEdit(kb.ontology, id);
    expect(undone.model.types.map(({ name }) => name)).toEqual(['Order']);
    expect(undone.edits.map(({ kind }) => kind)).toEqual(['retype', 'key']);
  });

  it('that is not possible changes nothing; nor can a plan be edited that is applied', async () => {
    await landRecords(core, 'orders', RECORDS);
    const { promotion, edits } = await promoteToPlan(kb, 'orders');
    const wrong = { kind: 'rename', type: 'order', attribute: 'amount', name: 'placed' } as const;
    expect(await codeOf(editPlan(kb.ontology, promotion.id, wrong))).toBe('edit_not_possible');
    expect((await showPlan(kb.ontology, promotion.id)).edits).toEqual(edits);
    expect(await codeOf(undoEdit(kb.ontology, promotion.id))).toBe('edit_not_possible');
    expect(await codeOf(decideItem(kb.ontology, promotion.id, 'type:nope', true))).toBe(
      'edit_not_possible',
    );
    await applyPlan(kb, { promotion });
    expect(await codeOf(editPlan(kb.ontology, promotion.id, wrong))).toBe('no_such_plan');
    expect((await showPlan(kb.ontology, promotion.id)).promotion).toMatchObject({
      state: 'applied',
      version: 1,
    });
  });

  it('outlives another promotion of the stream as far as it fits', async () => {
    await landRecords(core, 'orders', RECORDS);
    const first = await promoteToPlan(kb, 'orders');
    await editPlan(kb.ontology, first.promotion.id, {
      kind: 'rename',
      type: 'order',
      name: 'Sale',
    });
    await landRecords(core, 'orders', [{ order_id: 'A9', channel: 'web' }]);
    const second = await promoteToPlan(kb, 'orders');
    expect(second.model.types.map(({ name }) => name)).toEqual(['Sale']);
    expect(await codeOf(showPlan(kb.ontology, first.promotion.id))).toBe('no_such_plan');
    expect(
      kb
        .ledger()
        .promotions.list(9)
        .map(({ state }) => state),
    ).toEqual(['open', 'refused']);
  });

  it('a refused item stays refused, and the version is made of the rest', async () => {
    await land(core, 'pay', PAY);
    const { promotion } = await promoteToPlan(kb, 'pay');
    const plan = await editPlan(kb.ontology, promotion.id, {
      kind: 'refuse',
      item: 'type:location',
    });
    expect(plan.items.find(({ id }) => id === 'type:location')).toMatchObject({
      decision: 'refused',
      title: 'Location by location',
    });
    expect(plan.promotion).toMatchObject({ items: 6, decided: 1 });
    await applyPlan(kb, plan);
    const { model } = await showModel(kb.ontology);
    expect(model.types.map(({ name }) => name)).toEqual([
      'PayFact',
      'Employee',
      'Department',
      'PayGrade',
      'EmploymentType',
    ]);
  });
});

describe('the latest landed wins', () => {
  it('whatever the batches are called, also for batches that no view has been made since', async () => {
    const day = (name: string, city: string) =>
      Array.from({ length: 12 }, (_, at) => ({
        row: `${name}-${at}`,
        user_id: `u${at % 3}`,
        city: `${city}${at % 3}`,
      }));
    await landRecords(core, 'visits', day('one', 'a'), 'zz-first');
    await landRecords(core, 'visits', day('two', 'a'), 'yy-second');
    await promoteAndApply(kb, 'visits');
    await landRecords(core, 'visits', day('three', 'b'), 'aa-third');
    const cities = async () =>
      (
        await rowsOf(
          kb,
          'SELECT user_id, city, _conflicts, _batch_id FROM ontology."User" ORDER BY 1',
        )
      ).map((row) => row.join(' '));
    expect(await cities()).toEqual(['u0 b0 1 aa-third', 'u1 b1 1 aa-third', 'u2 b2 1 aa-third']);
    expect((await showType(kb.ontology, 'user')).conflicts).toBe(3);
    // After the order was written anew, the third comes third, and a fourth after it.
    kb.views.request();
    expect(await kb.views.settled(15_000)).toBe(true);
    await landRecords(core, 'visits', day('four', 'c'), 'AA-fourth');
    expect(await cities()).toEqual(['u0 c0 1 AA-fourth', 'u1 c1 1 AA-fourth', 'u2 c2 1 AA-fourth']);
  });
});

describe('names of every kind', () => {
  it('survive: quotes, words of SQL, other letters, names that a view needs itself', async () => {
    const records = Array.from({ length: 30 }, (_, at) => ({
      ...{
        'a"b': `v${at}`,
        "it's": at,
        'größe (cm)': `${at}.5`,
        select: at % 3,
        filename: `f${at}`,
      },
      ...{ _line: 'own', 'Kunde-ID': `k${at % 4}`, 'Kunde "Name"': `n${at % 4}` },
    }));
    await landRecords(core, 'Odd-Names', records);
    const plan = await promoteToPlan(kb, 'Odd-Names');
    const name = `Kunde "x" 'y'`;
    await editPlan(kb.ontology, plan.promotion.id, { kind: 'rename', type: 'kunde', name });
    await applyPlan(kb, plan);
    const { model } = await showModel(kb.ontology);
    expect(model.types.map((type) => [type.name, type.key])).toEqual([
      ['OddNameFact', ['a"b']],
      [name, ['Kunde-ID']],
    ]);
    const fact = await rowsOf(
      kb,
      `SELECT "a""b", "it's", "größe (cm)", "select", "filename_", "_line_", _line
       FROM ontology."OddNameFact" ORDER BY _line LIMIT 1`,
    );
    expect(fact).toEqual([['v0', '0', '0.5', '0', 'f0', 'own', '1']]);
    const customers = `SELECT "Kunde ""Name""", _rows FROM ontology."Kunde ""x"" 'y'" ORDER BY 1`;
    expect(await rowsOf(kb, customers)).toEqual([
      ['n0', '8'],
      ['n1', '8'],
      ['n2', '7'],
      ['n3', '7'],
    ]);
    expect(await verify(kb)).toMatchObject({ holds: true, model: { bound: 2 } });
    await reopen();
    expect(await verify(kb)).toMatchObject({ holds: true, model: { bound: 2 } });
  });
});

describe('a promotion under way', () => {
  it('can be cancelled: nothing stays but the record', async () => {
    await land(core, 'pay', PAY);
    const abort = new AbortController();
    const begun = await beginPromotion(kb.ontology, 'pay', 'analyst');
    await expect(
      begun.run((_done, _total, _unit, words) => {
        if (words === 'Measuring columns') abort.abort();
      }, abort.signal),
    ).rejects.toThrow();
    expect(kb.ledger().promotions.get(begun.id)).toMatchObject({
      state: 'cancelled',
      words: 'It was cancelled. The model is as it was.',
    });
    expect(
      await rowsOf(kb, "SELECT source FROM _strata_manifest WHERE source LIKE 'snapshot%'"),
    ).toEqual([]);
    await promoteAndApply(kb, 'pay');
  });

  it('fails with who has kb.duckdb open, and works when that lets go', {
    timeout: 120_000,
  }, async () => {
    await land(core, 'pay', PAY);
    expect(await kb.views.settled(15_000)).toBe(true);
    const holder = await startHolding(kb.paths.root, 'READ_ONLY');
    try {
      await expect(
        (await beginPromotion(kb.ontology, 'pay', 'analyst')).run(() => {}),
      ).rejects.toMatchObject({ code: 'duckdb_locked' });
    } finally {
      await holder.stop();
    }
    expect(kb.ledger().promotions.list(1)[0]).toMatchObject({ state: 'failed' });
    await until('it can be promoted', () => promoteAndApply(kb, 'pay'));
  });
});
