// Owns the proof of the pure parts of a review: moves and their keys, what they ask for, what comes next, words.

import { describe, expect, it } from 'vitest';
import type {
  AttributeMatch,
  Model,
  ModelChange,
  ObjectType,
  Plan,
  PlanItem,
  PlannedColumn,
} from '../../core/model.ts';
import {
  changeCounts,
  changesByType,
  originOf,
  restoreWords,
} from '../../renderer/screens/model/diff-words.ts';
import {
  decidedBy,
  decisionWord,
  editOf,
  moveOfKey,
  movesOf,
  nextUndecided,
  undecided,
} from '../../renderer/screens/model/plan-moves.ts';
import {
  applyWaits,
  columnsWords,
  decidedWords,
  isNews,
  keyNotes,
  planFacts,
  readWords,
  typesWords,
} from '../../renderer/screens/model/plan-words.ts';
import { evidenceOf, selectOf } from '../../renderer/screens/model/type-words.ts';
import { putTogether, takeApart } from '../../renderer/screens/settings/store-address.ts';

const type = (
  id: string,
  key: readonly string[],
  change: Partial<ObjectType> = {},
): ObjectType => ({
  ...{ id, name: id.toUpperCase(), kind: 'dimension', key, attributes: [], links: [] },
  ...{ streams: ['pay'], why: [], rows: null, repeated: 0 },
  ...change,
});

const match = (to: string, attribute: string): AttributeMatch => ({
  ...{ column: attribute, type: to, typeName: to.toUpperCase(), attribute, score: 0.9 },
  ...{ parts: [], runnerUp: null },
});

const item = (id: string, change: Partial<PlanItem> = {}): PlanItem => ({
  ...{ id: `type:${id}`, group: 'type', mark: 'new', type: id, title: id, evidence: [] },
  ...{ changes: [], match: null, merged: false, decision: null },
  ...change,
});

const plan = (items: readonly PlanItem[], change: Partial<Plan> = {}): Plan => ({
  promotion: {
    ...{ id: 'p', stream: 'pay', state: 'open', by: 'analyst', startedAt: '', endedAt: null },
    ...{ base: 4, version: null, words: '', items: items.length, decided: 0 },
  },
  snapshot: {
    ...{ promotion: 'p', stream: 'pay', table: 't', takenAt: '' },
    ...{ rows: 1_200, batches: 1, batchesSha256: '' },
  },
  ...{ next: 5, outdated: false, items, columns: [], seen: [], edits: [] },
  model: { types: [], leftOut: [] },
  before: { types: [type('employee', ['employee_id']), type('roster', ['shift_id'])], leftOut: [] },
  ...change,
});

describe('the moves of a proposal', () => {
  const words = (one: PlanItem): string[] =>
    movesOf(one, plan([one])).map(({ key, word }) => `${key} ${word}`);
  const merged = item('employee', {
    ...{ mark: 'changed', merged: true, match: match('employee', 'employee_id') },
  });
  const apart = item('employee-2', { match: match('employee', 'employee_id') });

  it('are those that it can have, by their keys', () => {
    expect(words(item('fact'))).toEqual(['A Accept', 'R Rename', 'X Refuse']);
    expect(words(merged)).toEqual(['M Merge', 'A Keep apart', 'R Rename', 'X Refuse']);
    expect(words(apart)).toEqual(['M Merge', 'A Keep apart', 'R Rename', 'X Refuse']);
    expect(words(item('gone', { mark: 'removed' }))).toEqual(['A Accept', 'X Refuse']);
    expect(words(item('key', { group: 'evidence', mark: 'warning' }))).toEqual(['A Accept']);
    expect(words(item('no', { decision: 'refused' }))).toEqual([]);
  });

  it('merge with a type by its key alone, not by another attribute of it', () => {
    expect(words(item('location', { match: match('roster', 'location') }))).toEqual([
      'A Accept',
      'R Rename',
      'X Refuse',
    ]);
  });

  it('answer to small and large letters, and to no others', () => {
    const keys = ['m', 'A', 'r', 'x', 'q'].map((key) => moveOfKey(merged, plan([merged]), key));
    expect(keys).toEqual(['merge', 'accept', 'rename', 'refuse', undefined]);
    expect(moveOfKey(item('fact'), plan([]), 'm')).toBe(undefined);
  });

  it('ask for an edit only where something changes', () => {
    expect(editOf(merged, 'merge')).toBe(null);
    expect(editOf(merged, 'accept')).toEqual({ kind: 'keep-apart', type: 'employee' });
    expect(editOf(apart, 'merge')).toEqual({ kind: 'merge', type: 'employee-2', into: 'employee' });
    expect(editOf(apart, 'accept')).toBe(null);
    expect(editOf(apart, 'refuse')).toEqual({ kind: 'refuse', item: 'type:employee-2' });
  });

  it('decide the item, or what it became', () => {
    expect(decidedBy(apart, null, plan([merged, apart]))).toEqual([apart]);
    const edit = editOf(apart, 'merge');
    expect(decidedBy(apart, edit, plan([merged]))).toEqual([merged]);
    expect(decidedBy(merged, editOf(merged, 'accept'), plan([apart]))).toEqual([apart]);
    expect(decidedBy(apart, editOf(apart, 'refuse'), plan([]))).toEqual([]);
  });

  it('are said when they are made', () => {
    expect([
      decisionWord(merged),
      decisionWord({ ...merged, decision: 'accepted' }),
      decisionWord({ ...apart, decision: 'accepted' }),
      decisionWord({ ...apart, decision: 'refused' }),
    ]).toEqual(['Decide', 'Merged', 'Accepted', 'Refused']);
  });
});

describe('a plan', () => {
  const items = [
    item('a', { decision: 'accepted' }),
    item('b'),
    item('c', { mark: 'changed', decision: 'refused' }),
    item('d'),
  ];

  it('goes on to the next that is undecided, and round', () => {
    const open = plan(items);
    expect([
      nextUndecided(open, null),
      nextUndecided(open, 'type:b'),
      nextUndecided(open, 'type:d'),
      nextUndecided(plan([item('a', { decision: 'accepted' })]), null),
    ]).toEqual(['type:b', 'type:d', 'type:b', null]);
    expect(undecided(open)).toBe(2);
  });

  it('says where it stands and what Apply waits for', () => {
    const open = plan(items);
    expect([planFacts(open), decidedWords(open), typesWords(open), applyWaits(open)]).toEqual([
      'v4 to v5, from 1,200 rows in 1 batch',
      '2 of 4 decided',
      '3 new, 1 changed',
      '2 decisions left',
    ]);
    expect(applyWaits(plan([item('a', { decision: 'accepted' })]))).toBe(null);
    expect(applyWaits(plan([item('a', { decision: 'refused' })]))).toBe('Everything is refused');
    expect(applyWaits(plan(items, { outdated: true }))).toBe('v4 is no longer the newest');
    const first = plan([item('b')]);
    const promotion = { ...first.promotion, base: null };
    expect(planFacts({ ...first, promotion, next: 1 })).toBe('v1, from 1,200 rows in 1 batch');
    expect(applyWaits(first)).toBe('1 decision left');
  });

  it('shows columns that are news', () => {
    const column = (change: Partial<PlannedColumn>): PlannedColumn => ({
      ...{ column: 'c', type: 'a', attribute: 'c', casts: 9, fails: 0, failing: [], words: '' },
      ...{ readAs: { type: 'VARCHAR', format: null }, flags: [], known: true },
      ...change,
    });
    const date = { type: 'DATE', format: '%d/%m/%Y' } as const;
    const columns = [
      column({}),
      column({ known: false, readAs: date }),
      column({ fails: 2, readAs: { type: 'BIGINT', format: null } }),
      column({ type: null, attribute: null, known: false, readAs: date }),
      column({ flags: ['offsets differ'] }),
    ];
    expect(columns.map((one) => isNews(one, plan([])))).toEqual([false, true, true, true, true]);
    expect(columns.map(readWords)).toEqual([
      'stays text',
      'DATE, %d/%m/%Y',
      'BIGINT',
      'left out',
      'stays text',
    ]);
    expect(columnsWords(columns)).toBe('2 cast, 2 values fail');
  });

  it('notes keys and links that differ, and nothing that does not', () => {
    const before: Model = { types: [type('a', ['x']), type('b', ['y'])], leftOut: [] };
    const link = { to: 'b', on: [{ from: 'y_id', to: 'y' }] };
    const model: Model = {
      types: [type('a', ['x', 'z'], { links: [link] }), type('b', ['y']), type('c', [])],
      leftOut: [],
    };
    expect(keyNotes({ model, before })).toEqual([
      { mark: 'changed', what: 'A', words: 'key x, z, was x' },
      { mark: 'new', what: 'C', words: 'no key, a row for each line' },
      { mark: 'new', what: 'A → B', words: 'on y_id' },
    ]);
    expect(keyNotes({ model: before, before: model }).at(-1)).toEqual({
      mark: 'removed',
      what: 'A → B',
      words: 'on y_id',
    });
    expect(keyNotes({ model, before: model })).toEqual([]);
  });
});

describe('versions', () => {
  const change = (one: Partial<ModelChange>): ModelChange => ({
    ...{ mark: 'changed', what: 'attribute', type: 'a', typeName: 'A', name: null },
    ...{ before: null, after: null },
    ...one,
  });

  it('say their differences by type', () => {
    const link = 'b on y_id';
    expect(
      changesByType([
        change({ what: 'name', typeName: 'B', before: 'A', after: 'B' }),
        change({ mark: 'new', typeName: 'B', name: 'x', after: 'text from pay.x' }),
        change({ mark: 'new', what: 'link', typeName: 'B', name: link, after: link }),
        change({ mark: 'removed', what: 'type', type: 'c', typeName: 'C', before: 'k' }),
      ]),
    ).toEqual([
      {
        ...{ type: 'a', name: 'B', mark: 'changed' },
        lines: [
          { mark: 'changed', words: 'name', before: 'A', after: 'B' },
          { mark: 'new', words: 'attribute x', before: null, after: 'text from pay.x' },
          { mark: 'new', words: 'link b on y_id', before: null, after: null },
        ],
      },
      {
        ...{ type: 'c', name: 'C', mark: 'removed' },
        lines: [{ mark: 'removed', words: 'type by k', before: null, after: null }],
      },
    ]);
  });

  it('tell what a type is from an attribute that is called kind', () => {
    const lines = changesByType([
      change({ what: 'name', name: 'kind', before: 'fact', after: 'dimension' }),
      change({ what: 'name', name: 'kind', before: 'sort', after: 'kind' }),
      change({ what: 'source', name: 'kind', before: 'a.kind', after: 'a.kind, b.kind' }),
    ])[0]?.lines.map(({ words, before, after }) => [words, before, after]);
    expect(lines).toEqual([
      ['kind', 'fact', 'dimension'],
      ['name kind', 'sort', 'kind'],
      ['source of kind', 'a.kind', 'a.kind, b.kind'],
    ]);
  });

  it('count them, and say where they come from', () => {
    expect(changeCounts({ changes: { added: 1_200, changed: 2, removed: 1 } })).toBe(
      '+1,200 ~2 −1',
    );
    expect(changeCounts({ changes: { added: 0, changed: 0, removed: 0 } })).toBe('no type changed');
    const version = {
      ...{ version: 3, at: '', by: '', why: '', promotion: null, snapshot: null },
      ...{ types: 1, links: 0, changes: { added: 0, changed: 0, removed: 0 } },
    };
    expect(originOf({ ...version, kind: 'restore', stream: null, restored: 1 })).toBe(
      'v1 restored',
    );
    expect(originOf({ ...version, kind: 'promotion', stream: 'pay', restored: null })).toBe('pay');
    expect(restoreWords(1, 4)).toMatch(/^v1 becomes the newest, as v5, .* v4 and all others stay/);
  });
});

describe('a type in words', () => {
  it('is a query of its attributes with what leads back', () => {
    const attribute = {
      type: 'VARCHAR',
      role: 'key',
      unit: null,
      sources: [],
      evidence: null,
    } as const;
    const odd = type('odd', [], { attributes: [{ ...attribute, name: 'a "b"' }] });
    expect(selectOf(odd)).toBe(
      'SELECT "a ""b""", _batch_id, _line\nFROM ontology."ODD"\nLIMIT 100',
    );
  });

  it('has its evidence in numbers', () => {
    const evidence = {
      ...{ stream: 'pay', rows: 60, nulls: 2, distinct: 1_024, casts: 57, fails: 1, conflicts: 0 },
      ...{ from: '1', to: '9', reason: 'Every value is a whole number.', flags: [], sketch: [] },
    };
    expect(evidenceOf(evidence)).toBe(
      '1,024 values in 60 rows, 1 to 9. 2 null. 1 do not cast. Every value is a whole number.',
    );
  });
});

describe('the address of a store', () => {
  it('is shown without its password, and sent with it', () => {
    const whole = 'postgresql://analyst:p%40ss%2Fw%C3%B6rd@host:5433/models?sslmode=require';
    const parts = takeApart(whole);
    expect(parts).toEqual({
      address: 'postgresql://analyst@host:5433/models?sslmode=require',
      password: 'p@ss/wörd',
    });
    expect(putTogether(parts?.address ?? '', parts?.password ?? '')).toBe(whole);
    expect(putTogether('postgres://analyst@host/db', '')).toBe('postgres://analyst@host/db');
  });

  it('is none where it is of no PostgreSQL', () => {
    for (const text of ['', 'postgres', 'http://host/db', 'postgresql://', 'sqlite']) {
      expect([takeApart(text), putTogether(text, 'x')]).toEqual([null, null]);
    }
  });
});
