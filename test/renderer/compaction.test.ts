// Holds what the Files tab says of compactions to whole values: comparison, steps, speed, plots, words, policy.

import { describe, expect, test } from 'vitest';
import type { CompactionProgress, CompactionRun, Job } from '../../core/model.ts';
import { canCancel, rowsEach, sizesOf } from '../../renderer/app/compaction-words.ts';
import {
  comparisonOf,
  fasterOf,
  measuredGain,
} from '../../renderer/screens/stream/files/comparison.ts';
import {
  daysOf,
  policyFaults,
  policyOf,
} from '../../renderer/screens/stream/files/policy-input.ts';
import {
  leftOf,
  momentOf,
  nothingOf,
  originalsOf,
  tookOf,
  whenOf,
} from '../../renderer/screens/stream/files/run-words.ts';
import {
  headOf,
  jobOf,
  rowsDone,
  seenStep,
  speedOf,
  stepsOf,
} from '../../renderer/screens/stream/files/steps.ts';

const sums = (files: number, rows: number) => ({ files, rows, sizeBytes: rows * 10 });

describe('the comparison', () => {
  test('puts what is merged above what stays', () => {
    const plan = { now: sums(4, 100), loose: sums(2, 20), merged: sums(3, 50), into: 1 };
    expect(comparisonOf(plan, [50, 30], [12, 8])).toEqual({
      now: [
        { rows: 50, kind: 'solid' },
        { rows: 30, kind: 'solid' },
        { rows: 12, kind: 'loose' },
        { rows: 8, kind: 'loose' },
      ],
      after: [
        { rows: 50, kind: 'solid' },
        { rows: 50, kind: 'solid' },
      ],
      merged: { from: 0.5, to: 1 },
      joints: [0.5, 1],
    });
  });

  test('leaves what waits on top, loose, and draws many files as thin layers', () => {
    const plan = { now: sums(1_000, 100), loose: sums(1_000, 100), merged: sums(800, 80), into: 2 };
    const { now, after, merged, joints } = comparisonOf(plan, [], null);
    expect(now).toEqual(Array(400).fill({ rows: 0.25, kind: 'loose' }));
    expect(after).toEqual([
      { rows: 40, kind: 'solid' },
      { rows: 40, kind: 'solid' },
      ...Array(200).fill({ rows: 0.1, kind: 'loose' }),
    ]);
    expect([merged, joints]).toEqual([{ from: 0, to: 0.8 }, [0.4, 0.8]]);
  });

  test('says how much faster, where it is felt', () => {
    expect([fasterOf(2_600, 18), fasterOf(30, 10), fasterOf(12, 10), fasterOf(1, 0)]).toEqual([
      'about 144× faster',
      'about 3× faster',
      '',
      '',
    ]);
  });

  test('takes what was measured last before a run and first after it', () => {
    const point = (at: string, files: number, groupByMs: number) => ({
      ...{ at, files, rows: 1, groupByMs, countMs: 0, batchMs: 0 },
    });
    const points = [
      ...[point('10:00', 90, 50), point('11:00', 99, 90), point('11:01', 1, 6)],
      ...[point('11:05', 1, 4), point('12:00', 2, 7)],
    ];
    const run = { startedAt: '11:02', endedAt: '11:04', filesBefore: 99 };
    expect(measuredGain(points, run)).toEqual({ before: 90, after: 4 });
    expect(measuredGain(points, { ...run, filesBefore: 100 })).toBeNull();
    expect(measuredGain(points, { ...run, startedAt: '09:00' })).toBeNull();
    expect(measuredGain(points, { ...run, endedAt: null })).toBeNull();
  });
});

const progress = (change: Partial<CompactionProgress>): CompactionProgress => ({
  ...{ step: 'merge', files: { done: 5_214, total: 8_410 }, bytes: { done: 0, total: 1 } },
  ...{ rows: { done: 4_375_100, total: 7_056_620 }, into: 3, waitingFor: null },
  isWriting: false,
  ...change,
});

describe('a running job', () => {
  test('is the newest of its stream, in its knowledgebase', () => {
    const job = (id: number, title: string, knowledgebase: string | null) =>
      ({ id, title, knowledgebase }) as Job;
    const jobs = [
      job(4, 'Compacting other', 'main'),
      job(3, 'Compacting s', 'second'),
      job(2, 'Undoing the compaction of s', 'main'),
      job(1, 'Compacting s', 'main'),
    ];
    expect(jobOf(jobs, 'main', 's')?.id).toBe(2);
    expect(jobOf(jobs, 'main', 'S')).toBeUndefined();
    expect(jobOf(undefined, 'main', 's')).toBeUndefined();
  });

  test('says what it does and how far each step is', () => {
    expect(headOf(null, false)).toBe('Reading what the files hold');
    expect(stepsOf(null, false).map(({ mark }) => mark)).toEqual(['running', 'new', 'new']);
    expect(headOf(progress({}), false)).toBe('Merging 8,410 files into 3');
    expect(stepsOf(progress({}), false)).toEqual([
      {
        name: 'Merge, in landing order',
        mark: 'running',
        isNow: true,
        aside: '5,214 of 8,410 files',
      },
      {
        name: 'Verify each batch against its original',
        mark: 'new',
        isNow: false,
        aside: 'rows and hash',
      },
      { name: 'Swap, under the writer lock', mark: 'new', isNow: false, aside: 'short' },
    ]);
    const writing = progress({ isWriting: true, files: { done: 8_410, total: 8_410 } });
    expect(headOf(writing, false)).toBe('Writing the merged file');
    expect(stepsOf(writing, false)[0]).toMatchObject({ mark: 'running', aside: 'writing' });
    const waiting = progress({ step: 'swap', waitingFor: 'Waiting for duckdb (pid 4121).' });
    expect(headOf(waiting, false)).toBe('Waiting for duckdb (pid 4121).');
    expect(stepsOf(waiting, false).map(({ mark, aside }) => [mark, aside])).toEqual([
      ['landed', ''],
      ['landed', 'rows and hash'],
      ['waiting', 'waiting'],
    ]);
    expect(headOf(progress({ step: 'swap', into: 2_655 }), true)).toBe('Bringing 2,655 files back');
    expect(stepsOf(progress({ step: 'swap' }), true).map(({ mark }) => mark)).toEqual(['running']);
  });

  test('can be cancelled until the swap is begun', () => {
    expect(
      [
        null,
        progress({}),
        progress({ step: 'verify' }),
        progress({ step: 'swap', waitingFor: 'Waiting.' }),
        progress({ step: 'swap' }),
        progress({ step: 'record' }),
      ].map(canCancel),
    ).toEqual([true, true, true, true, false, false]);
  });

  test('counts its speed from where a step began, or was first seen', () => {
    const job = { id: 7, startedAt: '2026-07-12T14:00:00.000Z' };
    const start = Date.parse(job.startedAt);
    const first = progress({ rows: { done: 1_000, total: 5_000 } });
    const merging = seenStep(null, job, first, start + 500);
    expect(merging).toEqual({ key: '7 merge', at: start, done: 0 });
    expect(seenStep(merging, job, first, start + 900)).toBe(merging);
    expect(speedOf(merging, rowsDone(first), start + 1_000)).toBe('1,000 rows/s, 4 s left');
    expect(speedOf(merging, { done: 5_000, total: 5_000 }, start + 2_000)).toBe('');
    const verify = progress({ step: 'verify', rows: { done: 1_000, total: 200_000 } });
    const verifying = seenStep(merging, job, verify, start + 4_000);
    expect(verifying).toEqual({ key: '7 verify', at: start + 4_000, done: 1_000 });
    expect(speedOf(verifying, rowsDone(verify), start + 5_000)).toBe('');
    const later = { done: 3_000, total: 200_000 };
    expect(speedOf(verifying, later, start + 6_000)).toBe('1,000 rows/s, 3 min 17 s left');
    expect(seenStep(verifying, job, null, start)).toBeNull();
    expect(rowsDone(progress({ step: 'swap' }))).toBeNull();
  });
});

const at = (time: string): string => `2026-07-12T${time}:00.000Z`;
const now = Date.parse(at('14:00'));

test('rows of a file are said exactly where they are the same in each', () => {
  expect([rowsEach(9, 9), rowsEach(1_200, 4), rowsEach(804, 5), rowsEach(5, 4)]).toEqual([
    ...['1 row each', '300 rows each', 'about 161 rows each', 'about 1.3 rows each'],
  ]);
});

const run = (change: Partial<CompactionRun>): CompactionRun => ({
  ...{ run: 'r', stream: 's', by: 'person', state: 'done', startedAt: at('13:00') },
  ...{ endedAt: at('13:01'), filesBefore: 10, filesAfter: 1, batches: 10, rows: 100 },
  ...{ bytesBefore: 61_900_000, bytesAfter: 16_500_000, heldMs: 40, fault: null, undoneAt: null },
  ...{ originalsUntil: '2026-07-19T13:01:00.000Z', undoable: true },
  ...change,
});

describe('words', () => {
  test('of sizes, with the unit once where it is the same', () => {
    expect([
      sizesOf(61_900_000, 16_500_000),
      sizesOf(1_200_000, 240_000),
      sizesOf(10, null),
    ]).toEqual(['61.9 → 16.5 MB', '1.20 MB → 240 kB', '10 B']);
  });

  test('of what became of originals', () => {
    const said = [
      run({}),
      run({ originalsUntil: null }),
      run({ state: 'undone', undoneAt: at('13:30') }),
      run({ state: 'failed' }),
      run({ state: 'cancelled' }),
      run({ state: 'running' }),
    ].map((one) => originalsOf(one, now));
    expect(said).toEqual([
      'until 19 Jul 13:01',
      'removed',
      'back since 12 Jul 13:30',
      'every file as it was',
      'cancelled, every file as it was',
      '',
    ]);
    expect(momentOf('2025-12-31T23:59:00.000Z', now)).toBe('31 Dec 2025 23:59');
    expect(tookOf(run({}), now)).toBe('1 min');
    expect(tookOf({ startedAt: at('13:59'), endedAt: null }, now)).toBe('1 min');
    expect(tookOf({ startedAt: at('13:59'), endedAt: null }, now - 27_900)).toBe('32 s');
    expect(tookOf({ startedAt: at('13:59'), endedAt: null }, now - 59_500)).toBe('0 s');
  });

  test('of what a failed run left, once', () => {
    expect([
      leftOf('It broke.'),
      leftOf('It broke. Every file is as it was.'),
      leftOf(null),
    ]).toEqual(['Every file is as it was.', '', 'Every file is as it was.']);
  });

  test('of why there is nothing to merge', () => {
    const plan = (files: number, loose: number, waits: string[] = []) => ({
      ...{ now: sums(files, 9), loose: sums(loose, 9), waits },
    });
    expect(
      [plan(1, 0), plan(3, 0), plan(1, 1), plan(4, 1), plan(2, 2, ['They wait.'])].map(nothingOf),
    ).toEqual([
      'Nothing to merge: all rows are in one compacted file.',
      'Nothing to merge: all rows are in 3 compacted files.',
      'Nothing to merge: there is one file. It pays from two on.',
      'Nothing to merge: 1 file landed since the last run. It pays from two on.',
      'Nothing to merge yet. They wait.',
    ]);
  });

  test('of when it runs', () => {
    expect(
      (['off', 'suggested', 'automatic'] as const).map((policy) =>
        whenOf({ policy, files: 2_000 }),
      ),
    ).toEqual(['when asked', 'when asked, suggested at 2,000 files', 'by itself at 2,000 files']);
  });
});

describe('a policy as it is typed', () => {
  const typed = { policy: 'suggested', files: ' 2,000 ', retentionDays: '7' } as const;

  test('is read', () => {
    expect(policyOf(typed)).toEqual({ policy: 'suggested', files: 2_000, retentionDays: 7 });
    expect(policyOf({ ...typed, policy: 'off', files: 'x' })).toEqual({
      policy: 'off',
      retentionDays: 7,
    });
  });

  test('is refused under its field', () => {
    const files = 'A whole number from 2 to 1,000,000 is needed.';
    const retentionDays = 'A whole number of days from 0 to 3,650 is needed.';
    for (const text of ['', '1', '1000001', '2.5', '-3', '1e3']) {
      expect(policyFaults({ ...typed, files: text })).toEqual({ files, retentionDays: null });
    }
    for (const text of ['', '3651', 'week']) {
      const input = { ...typed, retentionDays: text };
      expect([policyFaults(input), policyOf(input), daysOf(input)]).toEqual([
        { files: null, retentionDays },
        null,
        null,
      ]);
    }
    expect([daysOf({ ...typed, retentionDays: '0' }), daysOf({ ...typed, files: '1' })]).toEqual([
      0, 7,
    ]);
  });
});
