// Holds the list of streams to its order, its keys and its drawings.

import { describe, expect, it } from 'vitest';
import type { PlacedBatch, Reject, StreamSummary } from '../../core/model.ts';
import { lostOf } from '../../renderer/app/lost-time.ts';
import { latestOf } from '../../renderer/screens/streams/latest.ts';
import { layersOf } from '../../renderer/screens/streams/layers.ts';
import { type At, actOf } from '../../renderer/screens/streams/list-keys.ts';
import { plotOf } from '../../renderer/screens/streams/plot.ts';
import { columnsFault, columnsOf, idFault } from '../../renderer/screens/streams/stream-input.ts';
import {
  held,
  isIn,
  needsLook,
  orderOf,
  type Sort,
  sortedNext,
  thinned,
} from '../../renderer/screens/streams/streams-order.ts';

const stream = (id: string, change: Partial<StreamSummary> = {}): StreamSummary => ({
  ...{ stream: id, createdAt: '2026-07-12T10:00:00.000Z', received: 1, landed: 1, rejected: 0 },
  ...{ replayed: 0, refused: 0, openRejects: 0, rows: 10, files: 1, sizeBytes: 100 },
  ...{ lastLandedAt: '2026-07-12T13:00:00.000Z', status: 'landing', lagMs: 6, registered: null },
  ...{ recogniseEqualBodies: false, dateFolders: false, trouble: null },
  ...{ partialLanding: false, repaired: 0, linesRejected: 0 },
  ...{ looseFiles: 1, compactionSuggested: false },
  compaction: { policy: 'suggested', files: 2_000, retentionDays: 7 },
  ...change,
});

describe('the order', () => {
  const listed = [
    { stream: stream('b', { rows: 5 }), rate: 3 },
    { stream: stream('a10', { rows: 90, status: 'idle', lagMs: null }), rate: 0 },
    { stream: stream('a9', { rows: 70, openRejects: 2 }), rate: 12 },
    { stream: stream('new', { rows: 0, status: 'new', lagMs: null, lastLandedAt: null }), rate: 0 },
  ];
  const by = (sort: Sort, more = {}) =>
    orderOf(listed, { sort, segment: 'all', filter: '', ...more });

  it('is by rate, then by what lives', () => {
    expect(by({ by: 'rate', isUp: false })).toEqual(['a9', 'b', 'a10', 'new']);
  });

  it('counts in names, and puts what is not known last either way', () => {
    expect(by({ by: 'stream', isUp: true })).toEqual(['a9', 'a10', 'b', 'new']);
    expect(by({ by: 'rows', isUp: false })).toEqual(['a10', 'a9', 'b', 'new']);
    expect(by({ by: 'rows', isUp: true })).toEqual(['b', 'a9', 'a10', 'new']);
  });

  it('filters by name and by segment', () => {
    const sort: Sort = { by: 'stream', isUp: true };
    expect(by(sort, { filter: ' A1 ' })).toEqual(['a10']);
    expect(by(sort, { segment: 'landing' })).toEqual(['a9', 'b']);
    expect(by(sort, { segment: 'look' })).toEqual(['a9']);
  });

  it('needs a look at rejects and at trouble', () => {
    expect(needsLook(stream('x'))).toBe(false);
    expect(needsLook(stream('x', { openRejects: 1 }))).toBe(true);
    expect(needsLook(stream('x', { status: 'lagging', trouble: 'Slow: 4.8 s' }))).toBe(true);
  });

  it('counts a slow stream among those that land, and a broken one while batches come', () => {
    const states = [
      stream('x', { status: 'lagging', trouble: 'Slow' }),
      stream('x', { status: 'error', trouble: '1 broken file set aside' }),
      stream('x', { status: 'error', trouble: '1 broken file set aside', lagMs: null }),
      stream('x', { status: 'idle', lagMs: null }),
    ];
    expect(states.map((one) => isIn('landing', one))).toEqual([true, true, false, false]);
  });

  it('turns at the second click and begins with the most', () => {
    expect(sortedNext({ by: 'rate', isUp: false }, 'rows')).toEqual({ by: 'rows', isUp: false });
    expect(sortedNext({ by: 'rows', isUp: false }, 'rows')).toEqual({ by: 'rows', isUp: true });
    expect(sortedNext({ by: 'rate', isUp: false }, 'stream').isUp).toBe(true);
  });

  it('holds still, with new ones at the end', () => {
    expect(held(['a', 'b', 'c'], ['c', 'new', 'a'])).toEqual(['a', 'c', 'new']);
  });
});

describe('keys', () => {
  const at: At = { row: 0, head: null, rows: 3, heads: 8, page: 10 };

  it('move within the rows and up into the heads', () => {
    expect(actOf('ArrowDown', { ...at, row: -1 })).toEqual({ act: 'row', to: 0 });
    expect(actOf('ArrowDown', { ...at, row: 2 })).toEqual({ act: 'row', to: 2 });
    expect(actOf('PageDown', at)).toEqual({ act: 'row', to: 2 });
    expect(actOf('ArrowUp', at)).toEqual({ act: 'head', to: 0 });
    expect(actOf('k', at)).toEqual({ act: 'row', to: 0 });
  });

  it('sort in the heads and come back', () => {
    expect(actOf('ArrowRight', { ...at, head: 7 })).toEqual({ act: 'head', to: 7 });
    expect(actOf('Enter', { ...at, head: 2 })).toEqual({ act: 'sort' });
    expect(actOf('ArrowDown', { ...at, row: 1, head: 2 })).toEqual({ act: 'row', to: 1 });
  });

  it('open and peek only at a row', () => {
    expect(actOf('Enter', at)).toEqual({ act: 'open' });
    expect(actOf(' ', { ...at, row: -1 })).toBeNull();
    expect(actOf('x', at)).toBeNull();
  });
});

describe('drawings', () => {
  it('thins by the mean, the newest whole', () => {
    expect(thinned([9, 1, 2, 3, 4, 5, 6], 3)).toEqual([2, 5]);
  });

  it('plots from zero to the peak, without the period that is not over', () => {
    const rates = {
      ...{
        periodMs: 5_000,
        periods: 4,
        at: '2026-07-12T14:00:00.000Z',
        since: '2026-07-12T13:00:00.000Z',
      },
      rowsPerSecond: { a: [0, 4, 2, 99] },
    };
    const plot = plotOf(rates, 'a', { width: 103, top: 0, base: 50 });
    expect(plot.points.map(({ x, y }) => [x, y])).toEqual([
      [0, 50],
      [50, 0],
      [100, 25],
    ]);
    expect([plot.peak, plot.last, plot.from]).toEqual([4, 2, '2026-07-12T13:59:45.000Z']);
    expect(plot.placeOf('2026-07-12T13:59:52.500Z')).toBe(50);
    expect(plot.placeOf('2026-07-12T13:00:00.000Z')).toBeNull();
    // Nothing landed in it: it has no list, and the same time.
    const quiet = plotOf(rates, 'quiet', { width: 103, top: 0, base: 50 });
    expect([quiet.peak, quiet.from, quiet.to]).toEqual([0, plot.from, plot.to]);
    expect(quiet.points.map(({ x, y }) => [x, y])).toEqual([
      [0, 50],
      [50, 50],
      [100, 50],
    ]);
  });

  it('has no points before counting began', () => {
    const rates = {
      ...{
        periodMs: 5_000,
        periods: 4,
        at: '2026-07-12T14:00:00.000Z',
        since: '2026-07-12T13:59:51.000Z',
      },
      rowsPerSecond: { a: [0, 4, 2, 99] },
    };
    // Periods begin at :45, :50, :55 and :00; the first was over when counting began.
    expect(lostOf(rates)).toBe(1);
    const plot = plotOf(rates, 'a', { width: 103, top: 0, base: 50 });
    expect(plot.points.map(({ x, value, at }) => [x, value, at])).toEqual([
      [50, 4, '2026-07-12T13:59:50.000Z'],
      [100, 2, '2026-07-12T13:59:55.000Z'],
    ]);
    expect(plot.lost).toBe(50);
    expect(plot.area).toBe('M50 50L50 0L100 25L100 50Z');
    const early = { ...rates, since: '2026-07-12T14:00:01.000Z' };
    expect(lostOf(early)).toBe(3);
    expect(plotOf(early, 'a', { width: 103, top: 0, base: 50 }).points).toEqual([]);
    expect(lostOf({ ...rates, since: '2026-07-12T12:00:00.000Z' })).toBe(0);
  });

  it('draws the newest files one by one and the older ones as thick as their rows', () => {
    const none = { files: 0, rows: 0, sizeBytes: 0 };
    const files = [
      { rows: 30, kind: 'loose' },
      { rows: 20, kind: 'loose' },
    ] as const;
    const newest = { files, compacted: none };
    expect(layersOf(newest, { rows: 50, looseFiles: 2 }, 100)).toEqual([
      { rows: 20, kind: 'loose' },
      { rows: 30, kind: 'loose' },
    ]);
    const layers = layersOf(newest, { rows: 150, looseFiles: 9 }, 100);
    expect(layers).toHaveLength(102);
    expect(layers.reduce((sum, { rows }) => sum + rows, 0)).toBeCloseTo(150);
  });

  it('draws compacted files solid, and those that were not asked for below', () => {
    const compacted = { files: 1, rows: 80, sizeBytes: 900 };
    const mixed = {
      files: [
        { rows: 5, kind: 'loose' },
        { rows: 80, kind: 'compacted' },
      ],
      compacted,
    } as const;
    expect(layersOf(mixed, { rows: 85, looseFiles: 1 }, 100)).toEqual([
      { rows: 80, kind: 'solid' },
      { rows: 5, kind: 'loose' },
    ]);
    const below = { files: [{ rows: 5, kind: 'loose' }], compacted } as const;
    const layers = layersOf(below, { rows: 105, looseFiles: 41 }, 10);
    expect(layers[0]).toEqual({ rows: 80, kind: 'solid' });
    expect(layers.slice(1, 41)).toEqual(Array(40).fill({ rows: 0.5, kind: 'loose' }));
    expect(layers.at(-1)).toEqual({ rows: 5, kind: 'loose' });
    expect(layers).toHaveLength(42);
  });
});

describe('the latest batches', () => {
  it('are landed, replayed and rejected ones, the newest first', () => {
    const batch = {
      ...{ batchId: 'one', rows: 3, receivedAt: '2026-07-12T14:00:00.000Z' },
      ...{ landedAt: '2026-07-12T14:00:00.006Z', replays: 1, rejectId: null },
      lastReplayedAt: '2026-07-12T14:00:05.000Z',
    } as PlacedBatch;
    const reject = {
      ...{ batchId: 'two', rejectId: 'r', message: 'Line 1 is not JSON.' },
      lastReceivedAt: '2026-07-12T14:00:02.000Z',
    } as Reject;
    const latest = latestOf([batch], [reject], 8);
    expect(latest.map(({ kind, ms }) => [kind, ms])).toEqual([
      ['replayed', null],
      ['rejected', null],
      ['landed', 6],
    ]);
    expect(latestOf([batch], [reject], 1)).toHaveLength(1);
    // A reject that landed later took as long as a person did.
    const [repaired] = latestOf([{ ...batch, rejectId: 'r', replays: 0 }], [], 8);
    expect([repaired?.kind, repaired?.ms]).toEqual(['landed', null]);
  });
});

describe('what is typed for a new stream', () => {
  it('is an id of the rule, and one of its own', () => {
    expect(idFault('vessel-positions_2', [])).toBeNull();
    for (const wrong of ['', '-a', 'a b', 'é', 'a'.repeat(64), 'CON', 'lpt1']) {
      expect(idFault(wrong, []), wrong).not.toBeNull();
    }
    expect(idFault('Orders', ['orders'])).toContain('without case');
    expect(idFault('orders', ['orders'])).toContain('There is a stream');
  });

  it('is columns by line or comma, each once', () => {
    expect(columnsOf(' a, b\n\nc ,')).toEqual(['a', 'b', 'c']);
    expect(columnsOf(' \n,')).toBeNull();
    expect(columnsFault(['a', 'b'])).toBeNull();
    expect(columnsFault(['a', 'a'])).toContain('twice');
    expect(columnsFault(['a', 'A'])).toContain('case');
    expect(columnsFault(['é'.repeat(128)])).toContain('255 bytes');
  });
});
