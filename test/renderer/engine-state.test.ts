// Owns the proof that the window says that its engine stopped for as long as none answers.

import { expect, test } from 'vitest';
import { afterNews, type EngineState } from '../../renderer/engine-state.ts';

const stopped: EngineState = {
  ...{ state: 'stopped', at: '2026-07-12T14:02:11.000Z', reason: 'its process ended', attempt: 2 },
};

test('an engine that stopped is away until the next answers', () => {
  expect(afterNews(stopped, { state: 'starting', attempt: 2 })).toEqual(stopped);
  expect(afterNews(stopped, { state: 'starting', attempt: 3 })).toEqual({ ...stopped, attempt: 3 });
  expect(afterNews(stopped, { state: 'ready' })).toEqual({ state: 'ready' });
});

test('an engine that starts first, or after a choice of another port, is said to be starting', () => {
  const starting: EngineState = { state: 'starting', attempt: 1 };
  expect(afterNews({ state: 'ready' }, starting)).toEqual(starting);
  const failed: EngineState = { state: 'failed', code: 'port_taken', message: 'm', hint: 'h' };
  expect(afterNews(failed, starting)).toEqual(starting);
});
