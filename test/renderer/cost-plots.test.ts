// Holds the plots of files and query cost to what they show: the span, the falls at runs, the words beside them.

import { describe, expect, test } from 'vitest';
import type { CompactionRun } from '../../core/model.ts';
import {
  costPlotOf,
  likelySpan,
  momentLabels,
  mostOf,
  wordPlaces,
} from '../../renderer/screens/stream/files/cost-data.ts';

const at = (time: string): string => `2026-07-12T${time}:00.000Z`;
const now = Date.parse(at('14:00'));
const seconds = (time: string): number => Date.parse(time) / 1_000;

const run = (change: Partial<CompactionRun>): CompactionRun => ({
  ...{ run: 'r', stream: 's', by: 'person', state: 'done', startedAt: at('13:00') },
  ...{ endedAt: at('13:01'), filesBefore: 10, filesAfter: 1, batches: 10, rows: 100 },
  ...{ bytesBefore: 61_900_000, bytesAfter: 16_500_000, heldMs: 40, fault: null, undoneAt: null },
  ...{ originalsUntil: '2026-07-19T13:01:00.000Z', undoable: true },
  ...change,
});

describe('the plots', () => {
  const point = (time: string, files: number, groupByMs: number) => ({
    ...{ at: time, files, rows: files * 10, groupByMs, countMs: 1, batchMs: 1 },
  });
  const history = {
    points: [
      point('2026-07-01T00:00:00.000Z', 10, 40),
      point(at('09:00'), 900, 1_500),
      point(at('12:00'), 1, 8),
    ],
    compactions: [
      { run: 'old', at: '2026-07-01T10:00:00.000Z' },
      { run: 'new', at: at('11:00') },
    ],
  };

  test('keep the last point before the span, and end with the files of now', () => {
    const plot = costPlotOf(history, [], { at: now, files: 7 }, 'day');
    expect(plot).toEqual({
      from: seconds('2026-07-11T14:00:00.000Z'),
      to: seconds(at('14:00')),
      unit: 'seconds',
      x: ['2026-07-01T00:00:00.000Z', at('09:00'), at('12:00'), at('14:00')].map(seconds),
      files: [10, 900, 1, 7],
      groupBy: [0.04, 1.5, 0.008, null],
      marks: [{ at: seconds(at('11:00')), word: 'compacted' }],
    });
  });

  test('fall at a run and rise at its undo, by the files that it merged', () => {
    const merged = run({
      ...{ endedAt: at('11:00'), undoneAt: at('13:00'), filesBefore: 950, filesAfter: 1 },
    });
    const plot = costPlotOf(history, [merged], { at: now, files: 951 }, 'day');
    const justBefore = (time: string): number => seconds(at(time)) - 0.001;
    expect([plot.x.slice(1), plot.files.slice(1), plot.groupBy.slice(1), plot.marks]).toEqual([
      [
        ...[seconds(at('09:00')), justBefore('11:00'), seconds(at('11:00')), seconds(at('12:00'))],
        ...[justBefore('13:00'), seconds(at('13:00')), seconds(at('14:00'))],
      ],
      [900, 950, 1, 1, 2, 951, 951],
      [1.5, 1.5, 0.008, 0.008, 0.008, null, null],
      [
        { at: seconds(at('11:00')), word: 'compacted' },
        { at: seconds(at('13:00')), word: 'undone' },
      ],
    ]);
  });

  test('have room for a line that comes in from before the span', () => {
    const falling = {
      points: [point('2026-07-11T08:00:00.000Z', 10, 900), point(at('10:00'), 1, 20)],
      compactions: [],
    };
    const plot = costPlotOf(falling, [], { at: now, files: 1 }, 'day');
    // 6 of the 26 hours from one to the other are before the span.
    expect(mostOf(plot, 'groupBy')).toBeCloseTo(900 - 880 * (6 / 26));
    expect(mostOf(costPlotOf(history, [], { at: now, files: 7 }, 'day'), 'groupBy')).toBe(1.5);
    expect(mostOf({ ...plot, groupBy: [900, null, null] }, 'groupBy')).toBe(0);
  });

  test('show at once what was measured since the last look', () => {
    const plot = costPlotOf(history, [], { at: Date.parse(at('11:30')), files: 1 }, 'all');
    expect(plot.to).toBe(seconds(at('12:00')) + 0.001);
  });

  test('show all of a young history, a week of an old one, and a minute at least', () => {
    expect([likelySpan(history, now), likelySpan({ points: [], compactions: [] }, now)]).toEqual([
      'week',
      'all',
    ]);
    const empty = costPlotOf({ points: [], compactions: [] }, [], { at: now, files: 3 }, 'all');
    expect([empty.from, empty.to, empty.files, empty.unit]).toEqual([
      now / 1_000 - 60,
      now / 1_000,
      [3],
      'ms',
    ]);
  });

  test('label clock times, and dates where days begin', () => {
    const moments = [at('00:00'), at('12:00')].map((time) => Date.parse(time) / 1_000);
    expect(momentLabels(moments, 86_400)).toEqual(['12 Jul', '12:00']);
    expect(momentLabels(moments, 7 * 86_400)).toEqual(['12 Jul', '']);
    expect(momentLabels([(moments[1] as number) + 5], 60)).toEqual(['12:00:05']);
  });

  test('put the words of marks where they cross no line and no other word', () => {
    const room = { from: 0, to: 500, gap: 5 };
    const places = (...xs: number[]): (number | null)[] =>
      wordPlaces(
        xs.map((x) => ({ x, wide: 50 })),
        room,
      );
    expect(places(100)).toEqual([105]);
    expect(places(470)).toEqual([415]);
    // Taken back at once: the one at the left, the other at the right.
    expect(places(200, 209)).toEqual([145, 214]);
    // Between two lines there is no room.
    expect(places(100, 200, 240, 280, 400)).toEqual([105, null, null, 285, 405]);
    expect(places(20, 40)).toEqual([null, 45]);
  });
});
