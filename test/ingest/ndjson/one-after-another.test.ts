// Batches parsed one after another: what one was scanned with serves the next, and no result changes afterwards.

import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../core/ingest/ndjson/parse-batch.ts';
import { batchOf, bodyOf, columnsOf } from '../../helpers/read-batch.ts';

/** Records with `columns` fields, every `gap`-th of them left out, the names and values marked. */
const records = (mark: string, rows: number, columns: number, gap: number): string =>
  Array.from({ length: rows }, (_, row) => {
    const fields = Array.from({ length: columns }, (_, column) => column)
      .filter((column) => (row + column) % gap !== 0)
      .map((column) => `"${mark}${column}":"${mark}-${row}-${column}"`);
    return `{${fields.join(',')}}\n`;
  }).join('');

const expected = (mark: string, rows: number, columns: number, gap: number) => {
  const names = new Map<string, { firstLine: number; values: (string | null)[] }>();
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if ((row + column) % gap === 0) continue;
      const key = `${mark}${column}`;
      const known = names.get(key) ?? { firstLine: row + 1, values: Array(rows).fill(null) };
      known.values[row] = `${mark}-${row}-${column}`;
      names.set(key, known);
    }
  }
  return [...names].map(([key, rest]) => ({ key, ...rest }));
};

describe('batches one after another', () => {
  test('keep their own values, whatever the size of those before and after', () => {
    const shapes: [string, number, number, number][] = [
      ['a', 3, 4, 2],
      ['b', 1_000, 30, 7],
      ['c', 1, 1, 5],
      ['d', 300, 3, 3],
      ['e', 2, 40, 9],
      ['f', 40_000, 2, 4],
      ['g', 5, 5, 5],
    ];
    const parsed = shapes.map((shape) => batchOf(parseBatch(bodyOf(records(...shape)))));
    expect(parsed.map(columnsOf)).toEqual(shapes.map((shape) => expected(...shape)));
    expect(parsed.map(({ lines }) => [...lines])).toEqual(
      shapes.map(([, rows]) => Array.from({ length: rows }, (_, row) => row + 1)),
    );
  });

  test('a name that one refused is judged anew by the next', () => {
    const registered = ['known'];
    const body = bodyOf('{"other":1}\n');
    const [first, second, third] = [{ registered }, {}, { registered }].map((options) =>
      parseBatch(body, options),
    );
    expect([first?.ok, second?.ok]).toEqual([false, true]);
    expect(third).toEqual(first);
  });

  test('one that fails in the middle leaves nothing to the next', () => {
    const broken = parseBatch(bodyOf(`${records('x', 50, 3, 9)}{"x0":`));
    expect(broken.ok).toBe(false);
    const next = batchOf(parseBatch(bodyOf(records('y', 2, 2, 9))));
    expect(columnsOf(next)).toEqual(expected('y', 2, 2, 9));
  });
});
