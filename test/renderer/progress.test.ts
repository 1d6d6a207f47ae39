// Owns the checks of how running and ended work reads.

import { describe, expect, test } from 'vitest';
import type { Job } from '../../core/model.ts';
import { leavesOf, outcomeOf, timeOfJob } from '../../renderer/screens/activity/job-words.ts';
import { progressWords } from '../../renderer/ui/progress-words.ts';

const job: Job = {
  ...{ id: 1, kind: 'export', title: 'Exporting pay to CSV', knowledgebase: 'kb', state: 'done' },
  ...{ done: 0, total: null, unit: 'rows', words: null, startedAt: '2026-07-12T14:00:00.000Z' },
  ...{ endedAt: '2026-07-12T14:00:04.800Z', fault: null, details: null, result: null },
};

describe('running work', () => {
  test('done of total, rate and time left', () => {
    expect(progressWords({ done: 459_200, total: 1_208_334, unit: 'rows' }, 10_000)).toBe(
      '459,200 of 1,208,334 rows. 45,920 rows/s, 16.0 s left.',
    );
  });

  test('a length that is not known has no time left', () => {
    expect(progressWords({ done: 500, total: null, unit: 'rows' }, 1_000)).toBe(
      '500 rows. 500 rows/s.',
    );
  });

  test('per cent say the time left alone', () => {
    expect(progressWords({ done: 50, total: 100, unit: '%' }, 5_000)).toBe('5.0 s left.');
    expect(progressWords({ done: 0, total: 100, unit: '%' }, 5_000)).toBe('');
  });
});

describe('ended work', () => {
  test('what it made and how long it took', () => {
    const result = { path: '/tmp/a.csv', rows: 11_520, sizeBytes: 2_430_000 };
    expect(outcomeOf({ ...job, result })).toBe('11,520 rows, 2.43 MB');
    expect(timeOfJob(job)).toBe('4.8 s');
  });

  test('why it made nothing', () => {
    expect(outcomeOf({ ...job, state: 'failed', fault: 'The disk is full.' })).toBe(
      'The disk is full.',
    );
    expect(outcomeOf({ ...job, state: 'cancelled' })).toBe('nothing was left');
    expect(leavesOf(job)).toBe('Cancelling leaves no file.');
  });
});
