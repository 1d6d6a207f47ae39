// Owns the proof of what a person may change in a plan, and of how two models are told apart: plain data in and out.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Model, ObjectType, PlanEdit, Profile } from '../../core/model.ts';
import { diffModels } from '../../core/ontology/diff.ts';
import { queryOf } from '../../core/ontology/generate.ts';
import { deriveModel } from '../../core/ontology/plan.ts';
import type { PlanDocument } from '../../core/ontology/plan-document.ts';
import { profileOf, type Sent } from '../helpers/measured.ts';
import { PAY } from '../helpers/promotion.ts';

const EMPTY: Model = { types: [], leftOut: [] };
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const documentOf = (
  profile: Profile,
  base: Model = EMPTY,
  edits: PlanEdit[] = [],
): PlanDocument => ({
  snapshot: {
    ...{ promotion: 'p', stream: profile.stream, table: 't', takenAt: '', rows: profile.rows },
    ...{ batches: 1, batchesSha256: '' },
  },
  ...{ profile, base, baseVersion: null, edits, accepted: [], checks: {} },
});

const derive = (profile: Profile, edits: PlanEdit[] = [], base: Model = EMPTY): Model =>
  deriveModel(documentOf(profile, base, edits)).model;

const typeOf = ({ types }: Model, name: string): ObjectType => {
  const found = types.find((type) => type.name === name);
  if (!found) throw new Error(`No ${name} in ${types.map((type) => type.name).join(', ')}.`);
  return found;
};
const namesOf = (type: ObjectType): string[] => type.attributes.map(({ name }) => name);
const outline = (model: Model) =>
  model.types.map(({ name, kind, key, attributes, links }) => [
    ...[name, kind, key.join('+')],
    attributes.map((one) => one.name).join(','),
    links.map(({ to, on }) => `${on.map(({ from }) => from).join('+')}>${to}`).join(','),
  ]);

let pay: Profile;
let roster: Profile;
beforeAll(async () => {
  pay = await profileOf(
    'pay',
    PAY.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sent),
  );
  roster = await profileOf(
    'roster',
    times(
      30,
      (at): Sent => ({
        ...{ employee_id: `E${1001 + at}`, employee_name: `Name ${at}`, manager: `M${at % 4}` },
        badge: `${at * 37}-${at}`,
      }),
    ),
  );
});

/** Why an edit is not possible. */
const refusal = (edit: PlanEdit, ...before: PlanEdit[]): string => {
  try {
    derive(pay, [...before, edit]);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    expect(code).toBe('edit_not_possible');
    return message;
  }
  throw new Error('It was possible.');
};

describe('an edit', () => {
  it('renames a type and an attribute, and every link with it', () => {
    const model = derive(pay, [
      { kind: 'rename', type: 'pay-grade', name: 'Band' },
      { kind: 'rename', type: 'pay-grade', attribute: 'pay_grade', name: 'band' },
      { kind: 'rename', type: 'pay-fact', attribute: 'annual_salary', name: 'salary' },
    ]);
    expect([typeOf(model, 'Band').key, namesOf(typeOf(model, 'Band'))]).toEqual([
      ['band'],
      ['band', 'grade_min', 'grade_max'],
    ]);
    expect(typeOf(model, 'PayFact').links).toContainEqual({
      to: 'pay-grade',
      on: [{ from: 'pay_grade', to: 'band' }],
    });
    expect(queryOf(typeOf(model, 'PayFact'))).toContain('AS "salary"');
    expect(refusal({ kind: 'rename', type: 'pay-grade', name: 'employee' })).toBe(
      'There is a type Employee already.',
    );
    expect(refusal({ kind: 'rename', type: 'pay-grade', name: ' ' })).toBe(
      'A name has 1 to 255 bytes and no control characters.',
    );
    expect(
      refusal({ kind: 'rename', type: 'pay-fact', attribute: 'bonus', name: 'CURRENCY' }),
    ).toBe('PayFact has currency already.');
    expect(refusal({ kind: 'rename', type: 'pay-fact', attribute: 'bonus', name: '_line' })).toBe(
      '"_line" is a column that every view has itself.',
    );
    expect(refusal({ kind: 'rename', type: 'nope', name: 'X' })).toBe(
      'There is no type "nope" in the plan.',
    );
    expect(refusal({ kind: 'rename', type: 'employee', attribute: 'nope', name: 'X' })).toBe(
      'Employee has no "nope".',
    );
  });

  it('retypes, with a format where a date needs one', () => {
    const model = derive(pay, [
      { kind: 'retype', type: 'pay-fact', attribute: 'bonus', to: 'DECIMAL(18,2)' },
      { kind: 'retype', type: 'employee', attribute: 'hire_date', to: 'DATE', format: '%d/%m/%Y' },
    ]);
    expect(typeOf(model, 'PayFact').attributes.find(({ name }) => name === 'bonus')?.type).toBe(
      'DECIMAL(18,2)',
    );
    expect(queryOf(typeOf(model, 'Employee'))).toContain("'%d/%m/%Y'");
    expect(
      refusal({ kind: 'retype', type: 'pay-fact', attribute: 'bonus', to: 'INT' as 'BIGINT' }),
    ).toBe('"INT" is no type for a column.');
  });

  it('drops an attribute, which is not proposed again', () => {
    const model = derive(pay, [{ kind: 'drop', type: 'employee', attribute: 'hire_date' }]);
    expect(namesOf(typeOf(model, 'Employee'))).toEqual(['employee_id', 'employee_name']);
    expect(model.leftOut).toEqual([{ stream: 'pay', column: 'hire_date' }]);
    expect(outline(derive(pay, [], model))).toEqual(outline(model));
    expect(refusal({ kind: 'drop', type: 'employee', attribute: 'employee_id' })).toBe(
      'employee_id is the key of Employee.',
    );
  });

  it('drops a dimension: its attributes return to the fact, and it is not proposed again', () => {
    const model = derive(pay, [{ kind: 'drop', type: 'location' }]);
    expect(model.types.map(({ name }) => name)).not.toContain('Location');
    expect(typeOf(model, 'PayFact').links.map(({ to }) => to)).not.toContain('location');
    expect(namesOf(typeOf(model, 'PayFact'))).toContain('country');
    expect(model.leftOut).toEqual([]);
    expect(outline(derive(pay, [], model))).toEqual(outline(model));
  });

  it('splits a dimension off; its key stays behind as a reference', () => {
    const model = derive(pay, [
      { kind: 'split', type: 'pay-fact', key: ['currency'], attributes: [], name: 'Currency' },
    ]);
    expect(typeOf(model, 'Currency')).toMatchObject({
      id: 'currency',
      kind: 'dimension',
      key: ['currency'],
    });
    expect(typeOf(model, 'PayFact').links.at(-1)).toEqual({
      to: 'currency',
      on: [{ from: 'currency', to: 'currency' }],
    });
    expect(typeOf(model, 'PayFact').attributes.find(({ name }) => name === 'currency')?.role).toBe(
      'reference',
    );
    expect(
      refusal({
        kind: 'split',
        type: 'employee',
        key: ['employee_id'],
        attributes: ['hire_date'],
        name: 'X',
      }),
    ).toBe('That is the key of Employee itself.');
    expect(
      refusal({
        kind: 'split',
        type: 'pay-fact',
        key: ['currency'],
        attributes: ['pay_id'],
        name: 'X',
      }),
    ).toBe('pay_id is in the key of PayFact and has to stay there.');
  });

  it('changes a key; who refers to the type refers by the new one', () => {
    const model = derive(pay, [{ kind: 'key', type: 'department', key: ['cost_center'] }]);
    expect([typeOf(model, 'Department').key, namesOf(typeOf(model, 'Department'))]).toEqual([
      ['cost_center'],
      ['cost_center', 'department'],
    ]);
    expect(typeOf(model, 'PayFact').links).toContainEqual({
      to: 'department',
      on: [{ from: 'cost_center', to: 'cost_center' }],
    });
    expect(namesOf(typeOf(model, 'PayFact'))).toContain('cost_center');
    expect(derive(pay, [{ kind: 'key', type: 'pay-fact', key: [] }]).types[0]?.key).toEqual([]);
    expect(refusal({ kind: 'key', type: 'department', key: [] })).toBe(
      'Department has one row for each key and needs one.',
    );
  });

  it('refuses an item: a new type goes, a changed one is as it was', () => {
    const model = derive(pay, [{ kind: 'refuse', item: 'type:location' }]);
    expect(model.types.map(({ name }) => name)).not.toContain('Location');
    const base = derive(pay);
    const refused = derive(roster, [{ kind: 'refuse', item: 'type:employee' }], base);
    expect(outline(refused)).toEqual(outline(base));
    expect(refused.leftOut.map(({ column }) => column).sort()).toEqual([
      'badge',
      'employee_id',
      'employee_name',
      'manager',
    ]);
    expect(refusal({ kind: 'refuse', item: 'type:nope' })).toBe(
      'There is no item "type:nope" in the plan.',
    );
  });

  it('cannot merge what has other keys, or would read one attribute from two columns', () => {
    expect(refusal({ kind: 'merge', type: 'location', into: 'location' })).toBe(
      'Location cannot be merged with itself.',
    );
    expect(refusal({ kind: 'merge', type: 'location', into: 'pay-fact' })).toBe(
      'pay_id would have two columns of the stream pay.',
    );
    expect(
      refusal(
        { kind: 'merge', type: 'location', into: 'pay-fact' },
        { kind: 'key', type: 'pay-fact', key: [] },
      ),
    ).toBe('Location has a key of 1 columns, PayFact one of 0.');
  });
});

describe('a stream that tells of a type that is there', () => {
  it('is merged with it: what it knows besides is gained', () => {
    const base = derive(pay);
    const { model, merged } = deriveModel(documentOf(roster, base));
    expect([...merged.keys()]).toEqual(['employee']);
    expect(merged.get('employee')).toEqual({
      ...{
        column: 'employee_id',
        type: 'employee',
        typeName: 'Employee',
        attribute: 'employee_id',
        score: 0.93,
      },
      parts: [
        { part: 'name', score: 1, words: 'employee_id, the same' },
        { part: 'type', score: 1, words: 'text in both' },
        { part: 'values', score: 0.8, words: '24 of 30 values known' },
      ],
      // The name shares only the word id, the type is text in both, no value is known: (0.2 * 0.45 + 0.15) / 0.9.
      runnerUp: { type: 'pay-fact', typeName: 'PayFact', attribute: 'pay_id', score: 0.27 },
    });
    const employee = typeOf(model, 'Employee');
    expect([employee.streams, namesOf(employee)]).toEqual([
      ['pay', 'roster'],
      ['employee_id', 'employee_name', 'hire_date', 'manager', 'badge'],
    ]);
    expect(diffModels(base, model).map(({ mark, what, name }) => [mark, what, name])).toEqual([
      ['changed', 'source', 'employee_id'],
      ['changed', 'source', 'employee_name'],
      ['new', 'attribute', 'manager'],
      ['new', 'attribute', 'badge'],
    ]);
  });

  it('is kept apart where a person says so, and merged again by hand', () => {
    const base = derive(pay);
    const apart: PlanEdit[] = [{ kind: 'keep-apart', type: 'employee' }];
    expect(outline(derive(roster, apart, base)).at(-1)).toEqual([
      ...['Roster', 'fact', 'employee_id', 'employee_id,employee_name,manager,badge', ''],
    ]);
    const merged = derive(
      roster,
      [
        ...apart,
        { kind: 'merge', type: 'roster', into: 'employee', on: { employee_name: 'employee_name' } },
      ],
      base,
    );
    expect(typeOf(merged, 'Employee')).toMatchObject({
      kind: 'dimension',
      streams: ['pay', 'roster'],
    });
    expect(namesOf(typeOf(merged, 'Employee'))).toEqual([
      ...['employee_id', 'employee_name', 'hire_date', 'manager', 'badge'],
    ]);
  });

  it('a bare id is that of its own stream: two streams with ids of the same values stay two types', async () => {
    const customers = await profileOf(
      'customers',
      times(50, (at): Sent => ({ id: at + 1, city: `City ${at}` })),
    );
    const orders = await profileOf(
      'orders',
      times(200, (at): Sent => ({ id: at + 1, customer_id: (at % 50) + 1, total: `${at}.50` })),
    );
    const base = derive(customers);
    expect(outline(base)).toEqual([['Customer', 'fact', 'id', 'id,city', '']]);
    expect(outline(derive(orders, [], base))).toEqual([
      ['Customer', 'dimension', 'id', 'id,city', ''],
      ['OrderFact', 'fact', 'id', 'id,customer_id,total', 'customer_id>customer'],
    ]);
  });
});
