// Counts of matches: one for all who ask at once, kept for those who ask later, stopped when nobody waits any more.

import { describe, expect, it } from 'vitest';
import { type MatchCount, openMatchCounts } from '../../core/engine/match-counts.ts';
import { codeOf } from '../helpers/core.ts';

const countOf = (total: number, batches = 1): MatchCount => ({
  total,
  batchIds: Array.from({ length: batches }, (_, at) => `b${at}`),
  files: Array.from({ length: batches }, () => 'f.parquet'),
  upTo: Array.from({ length: batches }, () => total),
});

/** A count that ends when the test says so. */
const startedCount = () => {
  const runs: {
    signal: AbortSignal;
    end: (count: MatchCount) => void;
    fail: (e: Error) => void;
  }[] = [];
  const run = (signal: AbortSignal): Promise<MatchCount> =>
    new Promise((end, fail) => {
      runs.push({ signal, end, fail });
    });
  return { run, runs };
};

describe('a count', () => {
  it('is made once for all who ask, then and later', async () => {
    const counts = openMatchCounts();
    const { run, runs } = startedCount();
    const asked = [counts.get('a', run), counts.get('a', run)];
    runs[0]?.end(countOf(7));
    expect(await Promise.all(asked)).toEqual([countOf(7), countOf(7)]);
    expect(await counts.get('a', run)).toEqual(countOf(7));
    expect(runs.length).toBe(1);
    void counts.get('b', run);
    expect(runs.length).toBe(2);
    counts.drop('a');
    void counts.get('a', run);
    expect(runs.length).toBe(3);
  });

  it('goes on while anybody waits, and is stopped when nobody does', async () => {
    const counts = openMatchCounts();
    const { run, runs } = startedCount();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = counts.get('a', run, one.signal);
    const second = counts.get('a', run, other.signal);
    one.abort();
    expect(await codeOf(first)).toBe('query_cancelled');
    expect(runs[0]?.signal.aborted).toBe(false);
    other.abort();
    expect(await codeOf(second)).toBe('query_cancelled');
    expect(runs[0]?.signal.aborted).toBe(true);
    // What was stopped is nobody's answer.
    const third = counts.get('a', run);
    expect(runs.length).toBe(2);
    runs[0]?.end(countOf(1));
    runs[1]?.end(countOf(2));
    expect(await third).toEqual(countOf(2));
    expect(await counts.get('a', run)).toEqual(countOf(2));
  });

  it('is not begun for who has gone, and not kept when it fails', async () => {
    const counts = openMatchCounts();
    const { run, runs } = startedCount();
    expect(await codeOf(counts.get('a', run, AbortSignal.abort()))).toBe('query_cancelled');
    expect(runs.length).toBe(0);
    const failing = counts.get('a', run);
    runs[0]?.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    const again = counts.get('a', run);
    runs[1]?.end(countOf(3));
    expect(await again).toEqual(countOf(3));
  });

  it('of the newest sixteen, and of two hundred thousand batches, are kept', async () => {
    const counts = openMatchCounts();
    let made = 0;
    const get = (key: string, batches = 1) =>
      counts.get(key, () => {
        made += 1;
        return Promise.resolve(countOf(1, batches));
      });
    for (let at = 0; at < 16; at += 1) await get(`k${at}`);
    await get('k0');
    expect(made).toBe(16);
    await get('k16');
    await get('k0');
    expect(made).toBe(17);
    await get('k1');
    expect(made, 'k1 was asked for longest ago').toBe(18);
    await get('large', 150_000);
    await get('larger', 150_000);
    await get('larger');
    expect(made).toBe(20);
    await get('large');
    expect(made).toBe(21);
  });
});
