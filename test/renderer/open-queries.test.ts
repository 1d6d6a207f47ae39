// Owns the checks of open queries: opening, closing, keeping.

import { describe, expect, test } from 'vitest';
import {
  changeQuery,
  closeQuery,
  freshQueries,
  isChanged,
  openQuery,
  readQueries,
} from '../../renderer/screens/query/open-queries.ts';

const current = (open: ReturnType<typeof freshQueries>) =>
  open.list.find(({ key }) => key === open.current);

describe('open queries', () => {
  test('the first opened query takes the empty tab, the next has one of its own', () => {
    const one = openQuery(freshQueries(), { name: null, sql: 'SELECT 1' });
    expect(one.list).toHaveLength(1);
    const two = openQuery(one, { name: 'Two', sql: 'SELECT 2' });
    expect(two.list.map(({ name }) => name)).toEqual([null, 'Two']);
    expect(current(two)?.sql).toBe('SELECT 2');
  });

  test('a query that is open is gone to, not opened again', () => {
    const one = openQuery(freshQueries(), { name: 'One', sql: 'SELECT 1' });
    const two = openQuery(one, { name: null, sql: 'SELECT 2' });
    expect(openQuery(two, { name: 'One', sql: 'SELECT 1' })).toEqual({
      ...two,
      current: one.current,
    });
    expect(openQuery(two, { name: null, sql: 'SELECT 2' })).toEqual(two);
  });

  test('an empty tab opens beside an empty tab', () => {
    const open = openQuery(freshQueries(), { name: null, sql: '' });
    expect(open.list).toHaveLength(2);
  });

  test('closing goes to the neighbour, and the last leaves an empty tab', () => {
    let open = openQuery(freshQueries(), { name: null, sql: 'SELECT 1' });
    const first = open.current;
    open = openQuery(open, { name: null, sql: 'SELECT 2' });
    const second = open.current;
    expect(closeQuery(open, second).current).toBe(first);
    expect(closeQuery(open, first).current).toBe(second);
    const none = closeQuery(closeQuery(open, first), second);
    expect(none.list.map(({ sql }) => sql)).toEqual(['']);
  });

  test('a query is changed when it differs from what was saved', () => {
    const saved = openQuery(freshQueries(), { name: 'One', sql: 'SELECT 1' });
    expect(isChanged(saved.list[0]!)).toBe(false);
    const changed = changeQuery(saved, saved.current, { sql: 'SELECT 11' });
    expect(isChanged(changed.list[0]!)).toBe(true);
    const untitled = openQuery(freshQueries(), { name: null, sql: 'SELECT 1' });
    expect(isChanged(untitled.list[0]!)).toBe(true);
  });

  test('what was kept comes back; what is not whole is let go', () => {
    const open = openQuery(freshQueries(), { name: 'One', sql: 'SELECT 1' });
    expect(readQueries(JSON.stringify(open))).toEqual(open);
    for (const text of [null, '', '{', '{"list":[]}', '{"list":[{"key":1}]}', 'null']) {
      expect(readQueries(text).list.map(({ sql }) => sql)).toEqual(['']);
    }
    expect(readQueries(JSON.stringify({ ...open, current: 'gone' })).current).toBe(open.current);
  });
});
