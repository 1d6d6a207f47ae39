// Holds the advice on a stream's trouble to the sentences that the engine says it in.

import { expect, it } from 'vitest';
import type { StreamSummary } from '../../core/model.ts';
import { stateOf } from '../../renderer/app/words.ts';
import { adviceOn } from '../../renderer/screens/stream/advice.ts';

it('a stream in trouble says so by word and mark; nothing is known while the engine is away', () => {
  const of = (status: StreamSummary['status'], isAway = false) =>
    stateOf({ status } as StreamSummary, isAway);
  expect(of('error')).toEqual({ word: 'Error', mark: 'error' });
  expect(of('lagging')).toEqual({ word: 'Lagging', mark: 'lagging' });
  expect(of('landing')).toEqual({ word: 'Landing', mark: 'landing' });
  expect(of('error', true)).toEqual({ word: 'Not known', mark: 'unknown' });
  expect(of('new', true)).toEqual({ word: 'Not known', mark: 'new' });
});

it('each trouble comes with what is safe and what to do', () => {
  expect(adviceOn('1 broken file set aside')).toContain('failed/');
  expect(adviceOn('2 landed files are missing')).toContain('from a copy');
  const both = adviceOn('1 broken file set aside, 1 landed file is missing');
  expect(both).toBe(`${adviceOn('set aside')} ${adviceOn('missing')}`);
  expect(adviceOn('Refusing: too much in flight, 12 in the last minute')).toContain('429');
  expect(adviceOn('Slow: 4.8 s from received to landed')).toContain('on disk');
});
