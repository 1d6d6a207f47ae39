// Holds the strata scrollbar to scale: layers, thumb, and what a place of it stands for.

import { describe, expect, it } from 'vitest';
import type { PlacedBatch, StreamFile } from '../../core/model.ts';
import {
  fileAt,
  fileOf,
  filesOf,
  layersOf,
  stretchIn,
  wordsOf,
} from '../../renderer/screens/stream/file-layers.ts';
import { rowAt, thumbOf } from '../../renderer/ui/strata-scroll.tsx';

const batch = (seq: number, file: string, firstRow: number, rows: number): PlacedBatch => ({
  ...{ stream: 's', batchId: `b${seq}`, file, rows, seq, firstRow, sizeBytes: 1, bodyBytes: 1 },
  ...{ sha256: '', sender: null, receivedAt: `2026-07-12T10:00:0${seq}.000Z` },
  ...{ landedAt: `2026-07-12T10:00:0${seq}.500Z`, replays: 0, lastReplayedAt: null },
  ...{ recovered: false, rejectId: null, rejectSha256: null, partRejectId: null, linesRejected: 0 },
  ...{ landedFile: file.startsWith('c-') ? `b${seq}.parquet` : null, rowInFile: 0 },
});
const newest = [
  batch(5, 'e.parquet', 160, 40),
  batch(4, 'c-1.parquet', 130, 30),
  batch(3, 'c-1.parquet', 120, 10),
  batch(2, 'b.parquet', 100, 20),
];

describe('the files of the rows', () => {
  const files = filesOf(newest);

  it('are one layer each, oldest first, with the batches that lie together', () => {
    expect(files).toEqual([
      {
        ...{ file: 'b.parquet', firstRow: 100, rows: 20, batches: 1, isCompacted: false },
        ...{ from: '2026-07-12T10:00:02.500Z', to: '2026-07-12T10:00:02.500Z' },
      },
      {
        ...{ file: 'c-1.parquet', firstRow: 120, rows: 40, batches: 2, isCompacted: true },
        ...{ from: '2026-07-12T10:00:03.500Z', to: '2026-07-12T10:00:04.500Z' },
      },
      {
        ...{ file: 'e.parquet', firstRow: 160, rows: 40, batches: 1, isCompacted: false },
        ...{ from: '2026-07-12T10:00:05.500Z', to: '2026-07-12T10:00:05.500Z' },
      },
    ]);
  });

  it('are drawn to scale, over a stretch for those that are not known', () => {
    expect(layersOf(files, 200, 4)).toEqual([
      ...Array.from({ length: 4 }, () => ({ rows: 25, kind: 'loose' })),
      { rows: 20, kind: 'loose' },
      { rows: 40, kind: 'quiet' },
      { rows: 40, kind: 'loose' },
    ]);
    // What lies under a compacted file is compacted.
    expect(layersOf(files.slice(1), 200, 4)[0]).toEqual({ rows: 120, kind: 'quiet' });
  });

  it('leave out what landed after the rows that are looked at', () => {
    expect(layersOf(files.slice(1), 150, 1)).toEqual([
      { rows: 120, kind: 'quiet' },
      { rows: 30, kind: 'quiet' },
    ]);
    expect(layersOf([], 10, 2)).toEqual([
      { rows: 5, kind: 'loose' },
      { rows: 5, kind: 'loose' },
    ]);
    expect(layersOf(files, 0, 2)).toEqual([]);
  });

  it('are found by a row', () => {
    const names = [99, 100, 119, 120, 159, 160, 199, 200].map((row) => fileAt(files, row)?.file);
    expect(names).toEqual([
      ...[undefined, 'b.parquet', 'b.parquet', 'c-1.parquet', 'c-1.parquet'],
      ...['e.parquet', 'e.parquet', undefined],
    ]);
  });

  it('are named with their dates', () => {
    expect(files.map(wordsOf)).toEqual([
      'data/b.parquet\n12 Jul 2026 10:00:02, 20 rows',
      'data/c-1.parquet\n12 Jul 2026 10:00:03 to 10:00:04, 40 rows, 2 batches',
      'data/e.parquet\n12 Jul 2026 10:00:05, 40 rows',
    ]);
  });
});

describe('the thumb', () => {
  const ten = { rows: 10_000_000, fit: 25 };

  it('stands where the rows in view are, and can always be taken hold of', () => {
    expect(thumbOf({ ...ten, first: 0 }, 700)).toEqual({ top: 0, high: 14 });
    expect(thumbOf({ ...ten, first: 9_999_975 }, 700)).toEqual({ top: 686, high: 14 });
    expect(thumbOf({ rows: 100, fit: 25, first: 37.5 }, 400)).toEqual({ top: 150, high: 100 });
    expect(thumbOf({ rows: 10, fit: 25, first: 0 }, 400)).toEqual({ top: 0, high: 400 });
    expect(thumbOf({ rows: 0, fit: 25, first: 0 }, 400)).toEqual({ top: 0, high: 400 });
  });

  it('leads to the first and to the last row', () => {
    expect(rowAt(ten, 700, -5, 14)).toBe(0);
    expect(rowAt(ten, 700, 343, 14)).toBe(4_999_988);
    expect(rowAt(ten, 700, 686, 14)).toBe(9_999_975);
    expect(rowAt(ten, 700, 900, 14)).toBe(9_999_975);
    expect(rowAt({ rows: 10, fit: 25 }, 700, 300, 700)).toBe(0);
  });
});

describe('the file in the zoom', () => {
  it('is a compacted one of many batches, where its rows are by the place of the batch in it', () => {
    const file = (name: string, batches: number) =>
      ({ file: name, rows: 400, batches }) as unknown as StreamFile;
    const third = { ...batch(3, 'c-1.parquet', 120, 10), rowInFile: 20 };
    expect(fileOf(third, [file('c-0.parquet', 9), file('c-1.parquet', 30)])).toEqual({
      ...{ firstRow: 100, rows: 400, batches: 30 },
    });
    expect(fileOf(third, [file('c-1.parquet', 1)])).toBeUndefined();
    expect(fileOf(third, [])).toBeUndefined();
    expect(fileOf(batch(2, 'b.parquet', 100, 20), [file('b.parquet', 2)])).toBeUndefined();
  });

  it('has its stretch where its rows lie, newest on top, never too thin to be seen', () => {
    const stream = { firstRow: 0, rows: 200 };
    expect(stretchIn({ firstRow: 120, rows: 40 }, stream, 100)).toEqual({ top: 20, thick: 20 });
    const file = { firstRow: 120, rows: 40 };
    expect(stretchIn({ firstRow: 130, rows: 30 }, file, 100)).toEqual({ top: 0, thick: 75 });
    expect(stretchIn({ firstRow: 0, rows: 1 }, { firstRow: 0, rows: 10_000 }, 100)).toEqual({
      ...{ top: 98, thick: 2 },
    });
  });
});
