// The meter of rates: 180 periods of five seconds a stream, over a clock that the test moves.

import { describe, expect, it } from 'vitest';
import { rateMeter } from '../../core/engine/rates.ts';
import type { LiveNews } from '../../core/model.ts';

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
      ...{ periodMs: PERIOD, at: '2026-01-01T00:00:00.000Z', rowsPerSecond: {} },
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
