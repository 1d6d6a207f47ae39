// Holds the model's lines beside the editor to their names, their order and the filter.

import { expect, test } from 'vitest';
import type { Attribute, ObjectType } from '../../core/model.ts';
import { modelLines } from '../../renderer/screens/query/model-lines.ts';

const attribute = (name: string, type: Attribute['type']): Attribute => ({
  ...{ name, type, role: 'attribute', unit: null, sources: [], evidence: null },
});
const type = (id: string, name: string, kind: ObjectType['kind'], attributes: Attribute[]) =>
  ({ ...{ id, name, kind, attributes, key: [], links: [] } }) as unknown as ObjectType;

const types = [
  type('1', 'PayFact', 'fact', [attribute('pay_id', 'VARCHAR'), attribute('bonus', 'BIGINT')]),
  type('2', 'Pay Grade', 'dimension', [attribute('pay_grade', 'VARCHAR')]),
];

const linesOf = (filter: string, ...toggled: string[]) => {
  const put: string[] = [];
  const into = (name: string): void => void put.push(name);
  const lines = modelLines(types, filter, new Set(toggled), { onView: into, onColumn: into });
  for (const { onEnter } of lines) onEnter();
  return { lines: lines.map(({ level, name, aside }) => [level, name, aside]), put };
};

test('types by name, their attributes where they are open', () => {
  expect(linesOf('').lines).toEqual([
    [1, 'Pay Grade', ''],
    [1, 'PayFact', 'fact'],
  ]);
  expect(linesOf('', '1')).toEqual({
    lines: [
      [1, 'Pay Grade', ''],
      [1, 'PayFact', 'fact'],
      [2, 'pay_id', 'text'],
      [2, 'bonus', 'bigint'],
    ],
    put: ['ontology."Pay Grade"', 'ontology.PayFact', 'pay_id', 'bonus'],
  });
});

test('a filter opens a type for its attributes, and leaves out what has it nowhere', () => {
  expect(linesOf('bonus').lines).toEqual([
    [1, 'PayFact', 'fact'],
    [2, 'bonus', 'bigint'],
  ]);
  expect(linesOf('payfact').lines).toEqual([[1, 'PayFact', 'fact']]);
  expect(linesOf('nowhere').lines).toEqual([]);
});
