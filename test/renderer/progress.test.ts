// Owns the checks of how running and ended work reads.

import { describe, expect, test } from 'vitest';
import type { Job } from '../../core/model.ts';
import {
  canCancelJob,
  leavesOf,
  outcomeOf,
  timeOfJob,
} from '../../renderer/screens/activity/job-words.ts';
import { progressWords } from '../../renderer/ui/progress-words.ts';

const job: Job = {
  ...{ id: 1, kind: 'export', title: 'Exporting pay to CSV', knowledgebase: 'kb', state: 'done' },
  ...{ done: 0, total: null, unit: 'rows', words: null, startedAt: '2026-07-12T14:00:00.000Z' },
  ...{ endedAt: '2026-07-12T14:00:04.800Z', fault: null, details: null, result: null },
};

describe('running work', () => {
  test('done of total, rate and time left', () => {
    expect(progressWords({ done: 459_200, total: 1_208_334, unit: 'rows' }, 10_000)).toBe(
      '459,200 of 1,208,334 rows. 45,920 rows/s, 16 s left.',
    );
  });

  test('a length that is not known has no time left', () => {
    expect(progressWords({ done: 500, total: null, unit: 'rows' }, 1_000)).toBe(
      '500 rows. 500 rows/s.',
    );
  });

  test('what is all done has no rate', () => {
    expect(progressWords({ done: 45_294, total: 45_294, unit: 'rows' }, 67_000)).toBe(
      '45,294 of 45,294 rows.',
    );
  });

  test('per cent say the time left alone', () => {
    expect(progressWords({ done: 50, total: 100, unit: '%' }, 5_000)).toBe('5 s left.');
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
    expect(outcomeOf({ ...job, state: 'cancelled' })).toBe('no file was left');
    expect(leavesOf(job)).toBe('Cancelling leaves no file.');
  });

  test('each kind of work in its own words', () => {
    const done = (kind: string, result: Job['result']): string =>
      outcomeOf({ ...job, kind, result });
    const run = { filesBefore: 8_410, filesAfter: 3, rows: 7_056_620, bytesBefore: 777_000_000 };
    expect(done('compact', { ...run, bytesAfter: 206_000_000 })).toBe(
      '8,410 files became 3, 7,056,620 rows, 777 → 206 MB',
    );
    expect(done('compact-undo', { ...run, filesBefore: 1 })).toBe('1 file is back');
    expect(done('compact-undo', run)).toBe('8,410 files are back');
    expect(done('promotion', { state: 'open', words: 'A plan.' })).toBe('its plan is open');
    expect(done('promotion', { state: 'unchanged', words: 'Nothing has changed since v1.' })).toBe(
      'Nothing has changed since v1.',
    );
    expect(done('model', { version: 5 })).toBe('v5 is live');
    expect(done('replay', { landed: 23, failed: 0, skipped: 0, rows: 506 })).toBe(
      '23 landed, 506 rows',
    );
    expect(done('replay', { landed: 1, failed: 2, skipped: 3, rows: 1 })).toBe(
      '1 landed, 1 row, 2 still fail, 3 passed over',
    );
    expect(done('discard', { changed: 4, skipped: 0 })).toBe('4 discarded');
    expect(done('reopen', { changed: 4, skipped: 1 })).toBe('4 opened again, 1 passed over');
  });

  test('what cancelling left of each kind', () => {
    const left = (kind: string): string =>
      outcomeOf({ ...job, kind, state: 'cancelled', done: 1_204, total: 2_000, unit: 'rejects' });
    expect(left('compact')).toBe('every file as it was');
    expect(left('compact-undo')).toBe('every file as it was');
    expect(left('promotion')).toBe('the model as it was');
    expect(left('replay')).toBe('1,204 of 2,000 rejects were done');
    expect(leavesOf({ ...job, kind: 'promotion' })).toBe('Cancelling leaves the model as it is.');
    expect(leavesOf({ ...job, kind: 'compact' })).toBe('Cancelling leaves every file as it is.');
  });

  test('a swap that has begun is carried out', () => {
    const swap = (waitingFor: string | null): Job => ({
      ...{ ...job, kind: 'compact', state: 'running' },
      details: { step: 'swap', waitingFor },
    });
    expect(leavesOf(swap(null))).toBe('The swap is carried out to its end.');
    expect(canCancelJob(swap(null))).toBe(false);
    expect(leavesOf(swap('DBeaver has it.'))).toBe('Cancelling leaves every file as it is.');
    expect(canCancelJob(swap('DBeaver has it.'))).toBe(true);
    expect(canCancelJob({ ...job, state: 'running' })).toBe(true);
  });
});
