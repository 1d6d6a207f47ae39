// The meter of rates: 180 periods of five seconds a stream, over a clock that the test moves, and what it takes over
// from before a restart.

import { afterAll, describe, expect, it } from 'vitest';
import { rateMeter } from '../../core/engine/rates.ts';
import type { LandedLately, LiveNews, StreamRates } from '../../core/model.ts';
import { land, openTestCore } from '../helpers/core.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

const PERIOD = 5_000;
const PERIODS = 180;
const START = Date.parse('2026-01-01T00:00:00.000Z');

const landed = (stream: string, rows: number, knowledgebase = 'k'): LiveNews => ({
  ...{ knowledgebase, stream, at: '2026-01-01T00:00:00.000Z' },
  ...{ kind: 'landed', batchId: 'b', rows, sizeBytes: 1, lagMs: 1 },
});

/** What a stream's list is when all but these periods, counted back from the newest, are zero. */
const only = (rates: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: PERIODS }, (_, index) => rates[PERIODS - 1 - index] ?? 0);

const meterAt = (start = START) => {
  const clock = { now: start };
  const meter = rateMeter(() => clock.now);
  const lists = (knowledgebase = 'k') => ({ ...meter.read(knowledgebase).rowsPerSecond });
  return { clock, meter, lists };
};

describe('the meter', () => {
  it('knows nothing at first', () => {
    const { meter } = meterAt();
    expect(meter.read('k')).toEqual({
      ...{ periodMs: PERIOD, periods: PERIODS, at: '2026-01-01T00:00:00.000Z', rowsPerSecond: {} },
      since: '2026-01-01T00:00:00.000Z',
    });
  });

  it('adds up a period and gives rows a second, the newest last', () => {
    const { clock, meter, lists } = meterAt();
    meter.add(landed('s', 10));
    clock.now += PERIOD - 1;
    meter.add(landed('s', 5));
    expect(lists()).toEqual({ s: only({ 0: 3 }) });
    clock.now += 1;
    meter.add(landed('s', 100));
    expect(lists()).toEqual({ s: only({ 1: 3, 0: 20 }) });
    expect(meter.read('k').at).toBe('2026-01-01T00:00:05.000Z');
  });

  it('moves on while nothing lands, and forgets after a quarter of an hour', () => {
    const { clock, meter, lists } = meterAt();
    meter.add(landed('s', 5));
    clock.now += 7 * PERIOD;
    expect(lists()).toEqual({ s: only({ 7: 1 }) });
    meter.add(landed('s', 10));
    clock.now += (PERIODS - 8) * PERIOD;
    expect(lists()).toEqual({ s: only({ [PERIODS - 1]: 1, [PERIODS - 8]: 2 }) });
    clock.now += PERIOD;
    expect(lists()).toEqual({ s: only({ [PERIODS - 7]: 2 }) });
    clock.now += 10_000 * PERIOD;
    expect(lists()).toEqual({ s: only({}) });
    meter.add(landed('s', 5));
    expect(lists()).toEqual({ s: only({ 0: 1 }) });
  });

  it('keeps streams and knowledgebases apart, whatever they are called', () => {
    const { clock, meter, lists } = meterAt();
    meter.add(landed('s', 5));
    meter.add(landed('__proto__', 10));
    meter.add(landed('s', 15, 'other'));
    clock.now += PERIOD;
    meter.add(landed('t', 20));
    expect(Object.entries(lists())).toEqual([
      ['s', only({ 1: 1 })],
      ['__proto__', only({ 1: 2 })],
      ['t', only({ 0: 4 })],
    ]);
    expect(lists('other')).toEqual({ s: only({ 1: 3 }) });
    expect(lists('nope')).toEqual({});
  });

  it('counts the refusals of the last minute, by stream and code', () => {
    const { clock, meter } = meterAt();
    const refused = (stream: string, code: 'stream_busy' | 'body_too_large', knowledgebase = 'k') =>
      meter.add({ kind: 'refused', knowledgebase, stream, code, at: '2026-01-01T00:00:00.000Z' });
    for (let times = 0; times < 12; times += 1) refused('s', 'stream_busy');
    refused('s', 'body_too_large');
    refused('t', 'stream_busy');
    refused('s', 'stream_busy', 'other');
    const busy = () => meter.refused('k', 's', 'stream_busy');
    expect([busy(), meter.refused('k', 's', 'body_too_large')]).toEqual([12, 1]);
    expect(meter.refused('k', 'nope', 'stream_busy')).toBe(0);
    clock.now += 55_000;
    refused('s', 'stream_busy');
    expect(busy()).toBe(13);
    clock.now += 5_000;
    expect(busy()).toBe(1);
    clock.now += 60_000;
    expect(busy()).toBe(0);
  });

  it('says since when it counts, however late it is asked', () => {
    const { clock, meter } = meterAt();
    clock.now += 3 * PERIOD;
    expect(meter.read('k')).toMatchObject({
      since: '2026-01-01T00:00:00.000Z',
      at: '2026-01-01T00:00:15.000Z',
    });
  });

  it('counts only what landed', () => {
    const { meter, lists } = meterAt();
    const about = { knowledgebase: 'k', stream: 's', at: '2026-01-01T00:00:00.000Z' };
    meter.add({ ...about, kind: 'replayed', batchId: 'b' });
    meter.add({ ...about, kind: 'rejected', rejectId: 'b', code: 'not_json' });
    meter.add({ ...about, kind: 'refused', code: 'not_json' });
    expect(lists()).toEqual({});
  });
});

describe('the time before a knowledgebase was opened', () => {
  const at = (secondsAgo: number): string => new Date(START - secondsAgo * 1_000).toISOString();
  /** A meter that opens `k` now, over a ledger that says so; what the ledger was asked. */
  const openedOver = (landedLately: LandedLately) => {
    const made = meterAt();
    const asked: string[][] = [];
    made.meter.opened('k', (...between) => {
      asked.push(between);
      return landedLately;
    });
    return { ...made, asked };
  };

  it('is counted from the ledger, once, and what lands from then on is added', () => {
    const lately = [
      { stream: 's', at: at(5), rows: 20 },
      { stream: 's', at: at(4), rows: 30 },
      { stream: 't', at: at(895), rows: 5 },
      { stream: 't', at: at(896), rows: 1_000 },
    ];
    const { clock, meter, lists, asked } = openedOver({ since: at(895), landed: lately });
    meter.add(landed('s', 5));
    expect(lists()).toEqual({ s: only({ 1: 10, 0: 1 }), t: only({ [PERIODS - 1]: 1 }) });
    expect(meter.read('k').since).toBe(at(895));
    clock.now += PERIOD;
    expect(lists()).toEqual({ s: only({ 2: 10, 1: 1 }), t: only({}) });
    expect(asked).toEqual([[at(895), at(0)]]);
  });

  it('is lost where the ledger does not say all, and to the end of a period', () => {
    const lately = [
      { stream: 's', at: at(8), rows: 10 },
      { stream: 's', at: at(3), rows: 5 },
    ];
    const { meter, lists } = openedOver({ since: at(8), landed: lately });
    expect(lists()).toEqual({ s: only({ 1: 1 }) });
    expect(meter.read('k').since).toBe(at(5));
  });

  it('is asked about when the rates are read first, for as long as the list is', () => {
    const { clock, meter, asked } = openedOver({ since: at(0), landed: [] });
    clock.now += 10 * PERIOD;
    meter.read('other');
    expect(asked).toEqual([]);
    meter.read('k');
    expect(asked).toEqual([[at(845), at(0)]]);
  });

  it('replaces what was counted when it is opened anew', () => {
    const { meter, lists } = meterAt();
    meter.add(landed('s', 5));
    meter.add(landed('s', 15, 'other'));
    const lately = [{ stream: 's', at: at(0), rows: 5 }];
    meter.opened('k', () => ({ since: at(895), landed: lately }));
    expect([lists(), lists('other')]).toEqual([{ s: only({ 0: 1 }) }, { s: only({ 0: 3 }) }]);
  });
});

describe('rates over a restart', () => {
  /** Rows by stream, from rows a second. */
  const rowsOf = ({ rowsPerSecond }: StreamRates) =>
    Object.fromEntries(
      Object.entries(rowsPerSecond).map(([stream, rates]) => [
        stream,
        Math.round(rates.reduce((sum, rate) => sum + rate, 0) * 5),
      ]),
    );

  it('are what they were, and nothing is lost time', async () => {
    const first = openTestCore();
    first.createKnowledgebase('k');
    await land(first, 'Sensors', '{"a":1}\n{"a":2}\n');
    await land(first, 'Sensors', '{"a":3}\n', 'again');
    await land(first, 'Sensors', '{"a":3}\n', 'again');
    await land(first, 'orders', '{"a":1}\n');
    expect(rowsOf(first.rates('k'))).toEqual({ Sensors: 3, orders: 1 });
    await first.close();

    const second = openTestCore({ home: first.home });
    second.knowledgebase('k');
    await land(second, 'orders', '{"a":2}\n{"a":3}\n');
    const rates = second.rates('k');
    expect(rowsOf(rates)).toEqual({ Sensors: 3, orders: 3 });
    const start = Date.parse(rates.at) - (PERIODS - 1) * PERIOD;
    expect(Date.parse(rates.since)).toBe(start);
    await second.close();
  });
});
