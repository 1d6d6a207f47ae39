// Holds the body of a reject to its places: rows of lines and pieces, the scroll, marks, columns, bytes, changes.

import { describe, expect, it } from 'vitest';
import type { RejectDetail } from '../../core/model.ts';
import { pieceBytesOf, rowOf, rowOfLine, rowsOf } from '../../renderer/rejects/body-rows.ts';
import { diffMarks, windowOf } from '../../renderer/rejects/diff-marks.ts';
import { faultsOf, placedFaults, stepFault } from '../../renderer/rejects/fault-places.ts';
import { bytesOfBase64, bytesOfRow, placeOf } from '../../renderer/rejects/hex-rows.ts';
import {
  heightOf,
  layoutOf,
  pagesOf,
  rowAt,
  rowsIn,
  scaleOf,
  topOf,
} from '../../renderer/rejects/line-layout.ts';
import { bytesOf, segmentsOf, stretchAt } from '../../renderer/rejects/segments.ts';

describe('the rows of a body', () => {
  const body = rowsOf(
    10,
    [
      { line: 3, bytes: 250 },
      { line: 8, bytes: 101 },
      { line: 9, bytes: 100 },
    ],
    100,
  );

  it('are one a line, and one a piece of a long line', () => {
    expect(body.rows).toBe(10 + 2 + 1);
    expect(Array.from({ length: body.rows }, (_, row) => rowOf(body, row))).toEqual([
      { line: 1, piece: null },
      { line: 2, piece: null },
      { line: 3, piece: { offset: 0, isLast: false } },
      { line: 3, piece: { offset: 100, isLast: false } },
      { line: 3, piece: { offset: 200, isLast: true } },
      { line: 4, piece: null },
      { line: 5, piece: null },
      { line: 6, piece: null },
      { line: 7, piece: null },
      { line: 8, piece: { offset: 0, isLast: false } },
      { line: 8, piece: { offset: 100, isLast: true } },
      { line: 9, piece: null },
      { line: 10, piece: null },
    ]);
  });

  it('lead back from a line and a byte of it', () => {
    for (let row = 0; row < body.rows; row += 1) {
      const { line, piece } = rowOf(body, row);
      expect(rowOfLine(body, line, piece?.offset)).toBe(row);
    }
    expect(rowOfLine(body, 3, 199)).toBe(3);
    expect(rowOfLine(body, 3, 9_999)).toBe(4);
    expect(rowOfLine(body, 9, 50)).toBe(11);
  });

  it('never put a megabyte in one row', () => {
    const pieces = rowsOf(1, [{ line: 1, bytes: 1_048_576 }], pieceBytesOf(80));
    expect(pieces.rows).toBe(Math.ceil(1_048_576 / 2_560));
    expect(pieceBytesOf(3)).toBe(640);
  });
});

describe('the layout', () => {
  const layout = layoutOf(
    100,
    20,
    new Map([
      [3, 70],
      [10, 20],
      [50, 100],
      [200, 999],
    ]),
  );

  it('puts every row below the one before', () => {
    let top = 0;
    for (let row = 0; row < 100; row += 1) {
      expect(topOf(layout, row)).toBe(top);
      expect(rowAt(layout, top)).toBe(row);
      expect(rowAt(layout, top + heightOf(layout, row) - 1)).toBe(row);
      top += heightOf(layout, row);
    }
    expect([heightOf(layout, 3), heightOf(layout, 10), heightOf(layout, 50)]).toEqual([
      70, 20, 100,
    ]);
    expect(layout.height).toBe(top);
    expect(topOf(layout, 100)).toBe(top);
  });

  it('shows what is in view and a few around', () => {
    expect(rowsIn(layout, 0, 100, 2)).toEqual({ from: 0, to: 6 });
    expect(rowsIn(layout, 1_000, 100, 2)).toEqual({ from: 45, to: 53 });
    expect(rowsIn(layoutOf(0, 20, new Map()), 0, 100, 2)).toEqual({ from: 0, to: 0 });
  });

  it('is scaled where a browser would cap it, and still reaches the last row', () => {
    expect(scaleOf(layout, 400)).toEqual({ height: layout.height, factor: 1 });
    const huge = layoutOf(5_000_000, 20, new Map());
    const { height, factor } = scaleOf(huge, 400);
    expect(height).toBe(8_000_000);
    expect((height - 400) * factor).toBeCloseTo(huge.height - 400, 3);
  });

  it('names the pages that rows are in', () => {
    expect(pagesOf(0, 1, 100)).toEqual([0]);
    expect(pagesOf(99, 101, 100)).toEqual([0, 1]);
    expect(pagesOf(250, 300, 100)).toEqual([2]);
    expect(pagesOf(5, 5, 100)).toEqual([0]);
  });
});

describe('segments', () => {
  const shown = (...given: Parameters<typeof segmentsOf>): string[] =>
    segmentsOf(...given).map(({ text, mark, isName, isSolid }) =>
      [isSolid ? '!' : '', isName ? 'n' : '', mark === null ? text : `<${mark}>`].join(''),
    );

  it('are the text, whatever is marked', () => {
    const text = '{"a\u202e":"\u0000é\ud83d\ude00","b" : 1}  ';
    for (const solid of [[], [{ from: 1, to: 4 }], [{ from: 0, to: text.length }]]) {
      expect(
        segmentsOf(text, { solid })
          .map((one) => one.text)
          .join(''),
      ).toBe(text);
    }
  });

  it('keep names quiet and make the fault solid', () => {
    expect(shown('{"a":1}{"b":2}', { solid: [stretchAt('{"a":1}{"b":2}', 8)] })).toEqual([
      '{',
      'n"a"',
      ':1}',
      '!{',
      'n"b"',
      ':2}',
    ]);
  });

  it('name what cannot be seen, and bytes that are not UTF-8', () => {
    expect(shown('{"a":"x\u202ey\ufffdz"}', { invalid: [{ at: 9, byte: 0x9f }] })).toEqual([
      '{',
      'n"a"',
      ':"x',
      '<U+202E>',
      'y',
      '<\\x9F>',
      'z"}',
    ]);
    expect(shown('<b>&amp;</b>')).toEqual(['<b>&amp;</b>']);
    expect(shown('a ', { isWhole: true })).toEqual(['a', '<·>']);
    expect(shown('a ', { isWhole: false })).toEqual(['a ']);
  });

  it('find a column by its characters, not its units', () => {
    expect(stretchAt('a\ud83d\ude00b', 2)).toEqual({ from: 1, to: 3 });
    expect(stretchAt('a\ud83d\ude00b', 3)).toEqual({ from: 3, to: 4 });
    expect(stretchAt('ab', 3)).toEqual({ from: 2, to: 2 });
    expect(stretchAt('ab', 99)).toEqual({ from: 2, to: 2 });
  });

  it('count bytes as they came', () => {
    for (const text of ['', 'abc', 'é', '€', '\ud83d\ude00', 'a€\ud83d\ude00é']) {
      expect(bytesOf(text)).toBe(new TextEncoder().encode(text).length);
    }
    expect(bytesOf('a\ufffdb', [{ at: 1 }])).toBe(3);
  });
});

describe('a diff', () => {
  const cut = (
    lines: readonly string[],
    marks: readonly (readonly { from: number; to: number }[])[],
  ) => lines.map((line, at) => (marks[at] ?? []).map(({ from, to }) => line.slice(from, to)));
  const marked = (before: string[], after: string[]) => {
    const marks = diffMarks(before, after);
    return [cut(before, marks.before), cut(after, marks.after)];
  };

  it('marks what changed, and nothing beside it', () => {
    expect(marked(['{"qty":4,"x":1}'], ['{"qty":7,"x":1}'])).toEqual([[['4']], [['7']]]);
    expect(marked(['{"a":1,"b":2}'], ['{"b":2}'])).toEqual([[['a":1,"']], [[]]]);
    expect(marked(['a\ufffdb\ufffdc'], ['axbyc'])).toEqual([[['\ufffd', '\ufffd']], [['x', 'y']]]);
  });

  it('marks where a line was parted', () => {
    expect(marked(['{"a":1}{"a":2}'], ['{"a":1}', '{"a":2}'])).toEqual([[['{']], [[], []]]);
  });

  it('marks nothing where lines only go or only come', () => {
    expect(marked(['{"a":1}'], [])).toEqual([[[]], []]);
    expect(marked([], ['{"a":1}'])).toEqual([[], [[]]]);
  });

  it('is quick where much changed', () => {
    const [before, after] = ['a'.repeat(100_000), 'b'.repeat(100_000)];
    expect(diffMarks([before], [after]).before).toEqual([[{ from: 0, to: 100_000 }]]);
  });

  it('shows a long line around its first change, characters whole', () => {
    expect(windowOf('short', [], 10)).toEqual({ from: 0, to: 5 });
    expect(windowOf('x'.repeat(1_000), [{ from: 900, to: 901 }], 90)).toEqual({
      from: 870,
      to: 960,
    });
    expect(windowOf('x'.repeat(1_000), [{ from: 999, to: 1_000 }], 90)).toEqual({
      from: 910,
      to: 1_000,
    });
    const pairs = '\ud83d\ude00'.repeat(100);
    expect(windowOf(pairs, [{ from: 61, to: 62 }], 31)).toEqual({ from: 50, to: 82 });
  });
});

describe('faults', () => {
  const fault = (line: number | null, column: number | null = null) => ({
    ...({ code: 'not_json', message: 'wrong' } as const),
    line,
    column,
  });
  const detail = (state: RejectDetail['state'], now: boolean): RejectDetail =>
    ({
      state,
      faults: [fault(1)],
      now: now ? { faults: [fault(2)] } : null,
    }) as unknown as RejectDetail;

  it('are those of now while it is open, and as it was answered after that', () => {
    expect(faultsOf(detail('open', true))).toEqual([fault(2)]);
    expect(faultsOf(detail('open', false))).toEqual([fault(1)]);
    expect(faultsOf(detail('replayed', true))).toEqual([fault(1)]);
  });

  it('are gone through by line, round at the ends', () => {
    expect(placedFaults([fault(9), fault(null), fault(2, 5), fault(2, 1)])).toEqual([
      fault(2, 1),
      fault(2, 5),
      fault(9),
    ]);
    expect([stepFault(3, null, 1), stepFault(3, null, -1)]).toEqual([0, 2]);
    expect([stepFault(3, 2, 1), stepFault(3, 0, -1), stepFault(0, null, 1)]).toEqual([0, 2, null]);
  });
});

describe('hex', () => {
  it('reads sixteen bytes a row', () => {
    expect([placeOf(0), placeOf(1), placeOf(0x1_0000_0000)]).toEqual([
      '00000000',
      '00000010',
      '1000000000',
    ]);
    const row = bytesOfRow(new Uint8Array([0x7b, 0x0a, 0xff]));
    expect(row.slice(0, 4)).toEqual([
      { hex: '7B', letter: '{' },
      { hex: '0A', letter: '.' },
      { hex: 'FF', letter: '.' },
      null,
    ]);
    expect(row).toHaveLength(16);
    expect([...bytesOfBase64('AP+A')]).toEqual([0, 255, 128]);
  });
});
