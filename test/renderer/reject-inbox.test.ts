// Holds the inbox of rejects to its order, its keys, and the words of what can be done.

import { describe, expect, it } from 'vitest';
import type {
  Fix,
  FixOffer,
  GroupPreview,
  Recipe,
  Reject,
  RejectDetail,
  RejectGroup,
} from '../../core/model.ts';
import {
  checkedWords,
  choicesOf,
  fixesWords,
  manyWords,
  nameAtFault,
  oneWords,
} from '../../renderer/rejects/choices.ts';
import {
  afterGone,
  between,
  groupKey,
  heldGroups,
  type InboxItem,
  itemsOf,
  namesOf,
  rejectKey,
} from '../../renderer/rejects/inbox-items.ts';
import { inboxAct } from '../../renderer/rejects/inbox-keys.ts';
import { shortSender } from '../../renderer/rejects/sender-words.ts';

const group = (stream: string, open = 1): RejectGroup => ({
  ...{
    stream,
    code: 'not_json',
    field: null,
    shape: 'two_objects',
    title: 'Two objects on one line',
  },
  ...{ open, replayed: 0, discarded: 0 },
  ...{ firstSeenAt: '2026-07-12T10:00:00.000Z', lastSeenAt: '2026-07-12T14:00:00.000Z' },
  ...{ senders: [], spark: [] },
});
const reject = (stream: string, rejectId: string): Reject =>
  ({ stream, rejectId, bodyRemovedAt: null }) as Reject;

describe('the lines of the inbox', () => {
  const [a, b] = [group('a', 9), group('b')];
  const rejects = Array.from({ length: 9 }, (_, at) => reject('a', `r${at}`));
  const shape = (items: readonly InboxItem[]): string[] =>
    items.map((item) => (item.kind === 'more' ? `more ${item.count}` : `${item.kind} ${item.key}`));

  it('are groups, and under the open one its first rejects', () => {
    const open = { key: groupKey(a), rejects, count: 9, isWhole: false };
    expect(shape(itemsOf([a, b], open))).toEqual([
      `group ${groupKey(a)}`,
      ...[0, 1, 2, 3, 4, 5, 6].map((at) => `reject a/r${at}`),
      'more 2',
      `group ${groupKey(b)}`,
    ]);
    expect(shape(itemsOf([a, b], null))).toEqual([`group ${groupKey(a)}`, `group ${groupKey(b)}`]);
  });

  it('are all of them once asked for, and say that more is on its way', () => {
    const open = { key: groupKey(a), rejects, count: 9, isWhole: true };
    expect(shape(itemsOf([a], open))).toHaveLength(10);
    expect(shape(itemsOf([a], { ...open, count: 12 })).at(-1)).toBe(`waiting ${groupKey(a)} waits`);
    expect(shape(itemsOf([a], { ...open, rejects: undefined }))).toEqual([
      `group ${groupKey(a)}`,
      `waiting ${groupKey(a)} waits`,
    ]);
  });

  it('keep their order while others come and go', () => {
    const c = group('c');
    const streams = (groups: readonly RejectGroup[]): string[] =>
      groups.map(({ stream }) => stream);
    expect(streams(heldGroups([], [b, a]))).toEqual(['b', 'a']);
    expect(streams(heldGroups([groupKey(a), groupKey(b)], [c, b, a]))).toEqual(['a', 'b', 'c']);
    expect(streams(heldGroups([groupKey(a), groupKey(b)], [b]))).toEqual(['b']);
  });

  it('are chosen from one to another, and left for the next that stays', () => {
    const items = itemsOf([a, b], { key: groupKey(a), rejects, count: 9, isWhole: true });
    expect(between(items, 'a/r3', 'a/r1')).toEqual(['a/r1', 'a/r2', 'a/r3']);
    expect(between(items, 'gone', 'a/r1')).toEqual(['a/r1']);
    expect(between(items, 'a/r1', 'gone')).toEqual([]);
    expect(afterGone(items, 'a/r3', new Set(['a/r3']))).toBe('a/r4');
    expect(afterGone(items, 'a/r3', new Set(['a/r3', 'a/r4']))).toBe('a/r5');
    expect(afterGone(items, 'a/r8', new Set(['a/r8']))).toBe('a/r7');
    expect(afterGone(items, 'a/r8', new Set(rejects.map(rejectKey)))).toBe(null);
    expect(afterGone(items, 'gone', new Set())).toBe(null);
  });

  it('name a reject by its stream and id, whatever is in the id', () => {
    expect(namesOf('a/x~2')).toEqual({ stream: 'a', rejectId: 'x~2' });
    expect(namesOf('a/b/c')).toEqual({ stream: 'a', rejectId: 'b/c' });
    expect([namesOf(''), namesOf('a'), namesOf('a/'), namesOf('/b')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('keys in the inbox', () => {
  const items = itemsOf([group('a', 3), group('b')], {
    ...{ key: groupKey(group('a')), count: 3, isWhole: false },
    rejects: [reject('a', '1'), reject('a', '2')],
  });
  const act = (key: string, at: number, more: { shiftKey?: boolean; ctrlKey?: boolean } = {}) =>
    inboxAct(
      { ...{ key, shiftKey: false, ctrlKey: false, metaKey: false }, ...more },
      { items, at, page: 3, isOpen: (one) => one === groupKey(group('a')) },
    );
  const to = (index: number, isExtended = false) => ({
    ...{ act: 'move', to: index },
    extends: isExtended,
  });

  it('move line by line, page by page, to the ends', () => {
    expect([act('ArrowDown', 0), act('j', 0), act('ArrowUp', 0), act('k', 2)]).toEqual([
      to(1),
      to(1),
      to(0),
      to(1),
    ]);
    expect([act('PageDown', 0), act('PageUp', 4), act('Home', 3), act('End', 0)]).toEqual([
      to(3),
      to(1),
      to(0),
      to(4),
    ]);
    expect(act('ArrowDown', 1, { shiftKey: true })).toEqual(to(2, true));
  });

  it('open and close groups, and go in and out of them', () => {
    expect(act('ArrowRight', 0)).toEqual(to(1));
    expect(act('ArrowRight', 4)).toEqual({ act: 'open' });
    expect(act('ArrowLeft', 0)).toEqual({ act: 'close' });
    expect(act('ArrowLeft', 2)).toEqual(to(0));
    expect(act('ArrowLeft', 4)).toBe(null);
    expect([act('Enter', 0), act('Enter', 4)]).toEqual([{ act: 'close' }, { act: 'open' }]);
    expect([act('Enter', 1), act('Enter', 3)]).toEqual([{ act: 'into' }, { act: 'more' }]);
  });

  it('choose several', () => {
    expect(act(' ', 1)).toEqual({ act: 'toggle' });
    expect(act(' ', 0)).toBe(null);
    expect(act('a', 1, { ctrlKey: true })).toEqual({ act: 'all' });
    expect(act('Escape', 1)).toEqual({ act: 'none' });
    expect(act('x', 1)).toBe(null);
    expect(act('ArrowDown', 1, { ctrlKey: true })).toBe(null);
  });
});

const SPLIT: FixOffer = {
  ...{ fix: { kind: 'split-objects' }, title: 'Split objects onto their own lines' },
  ...{ passes: true, rows: 23, linesLost: 0, linesChanged: 1 },
};
const DROP: FixOffer = {
  ...{ fix: { kind: 'drop-lines' }, title: 'Drop the faulty line' },
  ...{ passes: true, rows: 21, linesLost: 1, linesChanged: 0 },
};
const detail = (more: Partial<RejectDetail> = {}): RejectDetail =>
  ({
    ...{ stream: 'orders', rejectId: 'x', state: 'open' },
    ...{ code: 'not_json', field: null, shape: 'two_objects' },
    now: { ok: false, records: 21, badLines: [7], badLineCount: 1 },
    offers: [SPLIT, DROP],
    ...more,
  }) as unknown as RejectDetail;
const recipe = (more: Partial<Recipe> = {}): Recipe =>
  ({
    ...{ id: 'r1', stream: 'Orders', name: 'Split', fixes: [{ kind: 'split-objects' }] },
    cause: { code: 'not_json', field: null, shape: 'two_objects' },
    ...more,
  }) as Recipe;

describe('what can be done', () => {
  const keys = (...given: Parameters<typeof choicesOf>): string[] =>
    choicesOf(...given).map(({ title }) => title);

  it('is the edit, sending it as it came, recipes of its cause, offers', () => {
    expect(keys(detail(), undefined, [])).toEqual([SPLIT.title, DROP.title]);
    const ok = detail({ now: { ok: true, records: 22 } as RejectDetail['now'] });
    const edit = { kind: 'lines', edits: [{ line: 7, text: null }], version: 1 } as const;
    const others = [
      recipe({ id: 'r2', stream: 'other' }),
      recipe({ id: 'r3', cause: { code: 'not_json', field: null, shape: 'cut_short' } }),
    ];
    expect(keys(ok, edit, [recipe(), ...others])).toEqual([
      'Your edit',
      'Send it as it came',
      'Split',
      SPLIT.title,
      DROP.title,
    ]);
    expect(choicesOf(ok, edit, [])[0]?.mend).toEqual({ edits: edit.edits });
    const text = { kind: 'text', text: '{}', version: 2 } as const;
    expect(choicesOf(ok, text, [])[0]?.mend).toEqual({ body: { text: '{}' } });
  });

  it('is nothing for one that is not open, or has no body', () => {
    expect(choicesOf(detail({ state: 'replayed' }), undefined, [recipe()])).toEqual([]);
    expect(choicesOf(detail({ now: null }), undefined, [recipe()])).toEqual([]);
  });

  it('is said in words', () => {
    const [split, drop] = choicesOf(detail(), undefined, []);
    if (!split || !drop) throw new Error('offers are missing');
    expect(oneWords(split, detail())).toBe(
      '23 records land. 1 line changes, every record is kept.',
    );
    expect(oneWords(drop, detail())).toBe('21 records land. 1 line is lost.');
    const preview: GroupPreview = {
      ...{ rejects: 23, checked: 23, pass: 23, fail: 0, rows: 529, linesChanged: 23 },
      ...{ linesLost: 0, withoutBody: 0, remaining: [], registers: [] },
    };
    const fixes: Fix[] = [{ kind: 'split-objects' }];
    expect(manyWords(preview, fixes)).toBe('23 of 23 pass. Every record is kept.');
    expect(manyWords({ ...preview, pass: 20, fail: 2, withoutBody: 1, checked: 22 }, fixes)).toBe(
      '20 of 22 pass. Every record is kept. 2 stay open. 1 have no body any more.',
    );
    expect(manyWords({ ...preview, linesLost: 46 }, [{ kind: 'drop-lines' }])).toBe(
      '23 of 23 pass. 46 lines are lost.',
    );
    expect(manyWords({ ...preview, rejects: 9_000, checked: 2_000, pass: 2_000 }, fixes)).toBe(
      '2,000 of the newest 2,000 pass. Every record is kept.',
    );
    expect(manyWords({ ...preview, rows: 478 }, [{ kind: 'land-good-lines' }])).toBe(
      '478 records land, the other lines stay open.',
    );
  });

  it('says what a check found', () => {
    const good = { ok: true, lines: 23, records: 23, faultCount: 0, partial: false };
    expect(checkedWords(good)).toBe('23 lines, 23 records, no fault.');
    expect(checkedWords({ ...good, ok: false, records: 21, faultCount: 2 })).toBe(
      '23 lines, 21 records, still 2 faults.',
    );
    expect(checkedWords({ ...good, ok: false, records: 22, faultCount: 1, partial: true })).toBe(
      '23 lines, 22 records. They land; 1 fault stays open.',
    );
  });

  it('says what a recipe does', () => {
    expect(fixesWords([{ kind: 'unpack' }, { kind: 'drop-field', field: 'x' }])).toBe(
      'Unpack the body, then drop the field x of faulty records',
    );
  });
});

describe('renaming', () => {
  const at = (code: RejectDetail['code'], text: string, column: number | null) =>
    nameAtFault({ code }, text, column);

  it('takes the exact name that stands at the fault', () => {
    expect(at('column_case_conflict', '{"Temp":1,"temp":2}', 11)).toBe('temp');
    expect(at('unknown_column', '{"😀":1, "a\\"b" : 2}', 9)).toBe('a"b');
    expect(at('invalid_column_name', '{"":2}', 2)).toBe('');
    expect(at('unknown_column', '{"a":1}', 1)).toBe(null);
    expect(at('unknown_column', '{"a":1}', null)).toBe(null);
    expect(at('unknown_column', '{"a\\x":1}', 2)).toBe(null);
    expect(at('not_json', '{"a":1}', 2)).toBe(null);
  });

  it('is offered where the engine offers none', () => {
    const conflict = detail({
      ...{ code: 'column_case_conflict', field: 'temp', offers: [] },
      expects: { registered: null, known: [] },
    });
    expect(
      choicesOf(conflict, undefined, [], 'temp').map(({ title, mend }) => [title, mend]),
    ).toEqual([
      ['Rename temp', { fixes: [{ kind: 'rename-field', field: 'temp', to: 'temp_2' }] }],
    ]);
    const known = {
      fix: { kind: 'rename-field', field: 'a', to: 'b' },
      title: 'Rename a to b',
    } as FixOffer;
    const offered = detail({ code: 'unknown_column', offers: [known] });
    expect(choicesOf(offered, undefined, [], 'a').map(({ title }) => title)).toEqual([
      'Rename a to b',
    ]);
  });
});

it('a program of this machine is named by what it calls itself, others with their address', () => {
  expect(shortSender('127.0.0.1 vector/0.48.0')).toBe('vector/0.48.0');
  expect(shortSender('::1 curl/8.5.0')).toBe('curl/8.5.0');
  expect(shortSender('127.0.0.1')).toBe('127.0.0.1');
  expect(shortSender('10.0.0.127 vector/0.48.0')).toBe('10.0.0.127 vector/0.48.0');
});
