// What a run says of itself while it goes on: true to the work, and never less than before.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { progressOf } from '../../../core/engine/compaction/progress.ts';
import { startCompaction } from '../../../core/engine/compaction/run.ts';
import type { MergeFile } from '../../../core/lake/compact/source.ts';
import type { RecordedRun } from '../../../core/ledger/compactions.ts';
import type { CompactionProgress } from '../../../core/model.ts';
import { openCompacted, parts } from '../../helpers/compacting.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const run = { rows: 40, bytesBefore: 4_000, filesBefore: 4 } as RecordedRun;
const input = (rows: number): MergeFile => ({
  ...{ path: 'f', rows, sizeBytes: rows * 100, batchCount: 0 },
});

describe('the progress of a merge', () => {
  it('counts a row half when it is read, and whole when it is written, file after file', () => {
    const told: unknown[] = [];
    const merging = progressOf(
      ({ done, total, words, details }) => {
        const { files, rows, bytes, isWriting } = details as unknown as CompactionProgress;
        told.push([done, total, files.done, rows.done, bytes.done, isWriting, words]);
      },
      run,
      2,
      'merge',
    );
    const first = merging.on([input(10), input(10)]);
    first({ files: 1, share: 1 / 4, isWriting: false });
    first({ files: 2, share: 1 / 2, isWriting: true });
    // Behind what was said: it is not taken back.
    first({ files: 1, share: 1 / 4, isWriting: true });
    first({ files: 2, share: 1, isWriting: false });
    merging.on([input(20)])({ files: 0, share: 1 / 2, isWriting: false });
    const merge = 'Merging, in landing order';
    expect(told).toEqual([
      [2, 40, 1, 5, 500, false, merge],
      [5, 40, 2, 10, 1_000, true, 'Writing the merged file'],
      [5, 40, 2, 10, 1_000, true, 'Writing the merged file'],
      [10, 40, 2, 20, 2_000, false, merge],
      [15, 40, 2, 30, 3_000, false, merge],
    ]);
  });
});

describe('a run that makes several files', () => {
  it('merges them all before it compares, and says so without going back', async () => {
    const { core, landed } = await openCompacted(undefined, 6);
    const { ledger } = parts(core);
    const data = join(landed.root, 'strata', 'streams', 's', 'data');
    for (const [at, batch] of [...ledger.batches.each('s')].entries()) {
      const day = `dt=2026-01-0${1 + Math.floor(at / 2)}`;
      mkdirSync(join(data, day), { recursive: true });
      const file = `${day}/${batch.file}`;
      renameSync(join(data, batch.file), join(data, file));
      ledger.batches.move('s', batch.batchId, { file, landedFile: null, rowInFile: 0 });
    }
    const job = await startCompaction(core, 'k', 's');
    const told: { done: number; step: string; rows: number }[] = [];
    let before: unknown;
    let isOver = false;
    const ended = core.jobs.outcome(job.id).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { done = 0, details = null, total, unit, words } = core.jobs.get(job.id) ?? {};
      const progress = details as unknown as CompactionProgress | null;
      if (!progress && words) before = [done, total, unit, words];
      if (progress) told.push({ done, step: progress.step, rows: progress.rows.done });
      await new Promise(setImmediate);
    }
    await ended;
    expect(before).toEqual([0, landed.rows.length, 'rows', 'Reading what the files hold']);
    const steps = told.map(({ step }) => step).filter((step, at, all) => step !== all[at - 1]);
    expect(steps).toEqual(['merge', 'verify', 'swap', 'record']);
    const done = told.map((one) => one.done);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    for (const step of ['merge', 'verify']) {
      const rows = told.filter((one) => one.step === step).map((one) => one.rows);
      expect(rows.at(-1)).toBe(landed.rows.length);
    }
  });
});
