// Owns the proof of pages of rows: which are fetched, kept and dropped.

import { describe, expect, it, vi } from 'vitest';
import type { RowsPage } from '../../core/model.ts';
import { rowPages } from '../../renderer/screens/stream/row-pages.ts';

const page = (offset: number, limit: number): RowsPage => ({
  columns: ['a'],
  total: 100_000,
  rows: Array.from({ length: limit }, (_, at) => ({
    row: offset + at,
    batchId: `b${Math.floor((offset + at) / 7)}`,
    line: 1,
    values: [String(offset + at)],
  })),
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 80));

describe('pages of rows', () => {
  it('fetches each page in view once, and gives a row its own values', async () => {
    const fetch = vi.fn(async (offset: number, limit: number) => page(offset, limit));
    const pages = rowPages(fetch);
    pages.want(90, 130);
    pages.want(91, 131);
    await settle();
    expect(fetch.mock.calls.map(([offset]) => offset)).toEqual([0, 100]);
    expect(pages.seen().row(105)?.values).toEqual(['105']);
    expect(pages.seen().row(5_000)).toBeUndefined();
  });

  it('cancels what was scrolled past', async () => {
    const signals: AbortSignal[] = [];
    const pages = rowPages((offset, limit, signal) => {
      signals.push(signal);
      return new Promise((resolve) => setTimeout(() => resolve(page(offset, limit)), 40));
    });
    pages.want(0, 30);
    pages.want(50_000, 50_030);
    await settle();
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(pages.seen().row(0)).toBeUndefined();
    expect(pages.seen().row(50_000)?.row).toBe(50_000);
  });

  it('lays neighbouring batches in different layers, down and up', async () => {
    const pages = rowPages(async (offset, limit) => page(offset, limit));
    for (const from of [500, 600, 400, 300]) {
      pages.want(from, from + 1);
      await settle();
    }
    const seen = pages.seen();
    for (let row = 300; row < 699; row += 1) {
      const [one, next] = [seen.row(row), seen.row(row + 1)];
      if (!one || !next || one.batchId === next.batchId) continue;
      expect(seen.bed(one.batchId)).not.toBe(seen.bed(next.batchId));
    }
  });

  it('says what failed, and asks again', async () => {
    let fails = true;
    const pages = rowPages(async (offset, limit) => {
      if (fails) throw new Error('away');
      return page(offset, limit);
    });
    pages.want(0, 10);
    await settle();
    expect(pages.seen().fault).toBeInstanceOf(Error);
    fails = false;
    pages.retry();
    await settle();
    expect(pages.seen().fault).toBeNull();
    expect(pages.seen().row(3)?.row).toBe(3);
  });
});
