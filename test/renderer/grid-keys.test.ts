// Owns the proof of the keys of the grid: where each leads.

import { describe, expect, it } from 'vitest';
import { cellAfter, jsonOf } from '../../renderer/ui/grid-keys.ts';

const size = { rows: 10_000_000, columns: 30, page: 25 };

describe('keys of the grid', () => {
  it.each([
    ['ArrowDown', false, 6, 3],
    ['k', false, 4, 3],
    ['PageDown', false, 30, 3],
    ['PageUp', false, 0, 3],
    ['Home', false, 5, 0],
    ['End', false, 5, 29],
    ['Home', true, 0, 0],
    ['End', true, 9_999_999, 29],
  ])('%s held %s leads to row %i, column %i', (key, isHeld, row, column) => {
    expect(cellAfter({ row: 5, column: 3 }, key, isHeld, size)).toEqual({ row, column });
  });

  it('does not move for other keys', () => {
    expect(cellAfter({ row: 5, column: 3 }, 'x', false, size)).toBeUndefined();
    expect(cellAfter({ row: 5, column: 3 }, 'k', true, size)).toBeUndefined();
  });

  it('copies a row as JSON with every value as it is', () => {
    const columns = [{ name: 'n"' }, { name: 'a' }, { name: 'a' }];
    expect(jsonOf(columns, ['1.10', null, ''])).toBe('{"n\\"":"1.10","a":null,"a":""}');
  });
});
