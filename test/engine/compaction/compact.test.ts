// A compaction and its undo in one process: what is on disk, what the ledger says, what readers see, what a retry gets.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../../../core/engine/compaction/history.ts';
import { startCompaction } from '../../../core/engine/compaction/run.ts';
import { startUndo } from '../../../core/engine/compaction/undo.ts';
import { rowsPage } from '../../../core/engine/rows-page.ts';
import type { CompactionRun } from '../../../core/model.ts';
import { landSome, newLanded } from '../../helpers/compacted.ts';
import {
  compact,
  contentOf,
  expectAll,
  filesIn,
  openCompacted,
  parts,
  undo,
} from '../../helpers/compacting.ts';
import { codeOf, land } from '../../helpers/core.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const RUN = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

describe('a compaction', () => {
  it('makes one file of many; every row, its batch, line and place are as before', async () => {
    const { core, landed } = await openCompacted(undefined, 9);
    const before = contentOf(landed);
    const { ledger } = parts(core);
    const batches = [...ledger.batches.each('s')];
    const run = await compact(core);
    expect(run).toEqual({
      ...{ run: expect.stringMatching(RUN), stream: 's', by: 'person', state: 'done' },
      ...{ startedAt: TIME, endedAt: TIME, filesBefore: 9, filesAfter: 1, batches: 9 },
      ...{ rows: landed.rows.length, bytesAfter: expect.any(Number), heldMs: expect.any(Number) },
      bytesBefore: batches.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      ...{ fault: null, undoneAt: null, originalsUntil: TIME, undoable: true },
    });
    expect(Date.parse(run.originalsUntil as string) - Date.parse(run.endedAt as string)).toBe(
      7 * 86_400_000,
    );
    const made = `c~${run.run}-1.parquet`;
    expect(filesIn(landed, 'data')).toEqual([made]);
    expect(filesIn(landed, '_tmp')).toEqual([]);
    expect(filesIn(landed, 'processed')).toEqual([run.run, `${run.run}.json`]);
    expect(filesIn(landed, 'processed', run.run)).toEqual(Object.keys(before));

    let rowInFile = 0;
    const after = batches.map((batch) => {
      const moved = { ...batch, file: made, landedFile: batch.file, rowInFile };
      rowInFile += batch.rows;
      return moved;
    });
    expect([...ledger.batches.each('s')]).toEqual(after);
    const totals = ledger.streams.get('s');
    expect([totals?.files, totals?.sizeBytes, totals?.rows]).toEqual([
      1,
      run.bytesAfter,
      landed.rows.length,
    ]);
    await expectAll(core, landed);
    expect(core.logged).toEqual([]);
  });

  it('is told with its files and rows, and so is its undo', async () => {
    const { core, landed } = await openCompacted(undefined, 4);
    const { ledger } = parts(core);
    const told = (kind: string): string | undefined =>
      ledger.events.list(100).find((event) => event.kind === kind)?.message;
    const { run, heldMs } = await compact(core);
    expect(told('compacted')).toBe(
      `4 files with 8 rows became 1 file, swapped in ${heldMs} ms (run ${run}).`,
    );
    await undo(core);
    expect(told('compaction-undone')).toMatch(
      new RegExp(`^The 4 files of run ${run} are back, swapped in \\d+ ms\\.$`),
    );
    await expectAll(core, landed);
  });

  it('knows a batch that is sent again, and refuses another body under its id', async () => {
    const { core, landed } = await openCompacted(undefined, 4);
    await compact(core);
    const again = { ...landed, rows: [...landed.rows], batches: 0 };
    await landSome(core, again, 4);
    expect(await codeOf(land(core, 's', '{"u":"other"}\n', 'B-0001'))).toBe('batch_id_conflict');
    const { ledger } = parts(core);
    expect(ledger.streams.get('s')).toMatchObject({
      received: 9,
      landed: 4,
      replayed: 4,
      rejected: 1,
    });
    await expectAll(core, landed);
  });

  it('leaves what lands meanwhile, and takes it the next time with the file that it made', async () => {
    const { core, landed } = await openCompacted(undefined, 4);
    const job = await startCompaction(core, 'k', 's');
    await landSome(core, landed, 3);
    const first = (await core.jobs.outcome(job.id)) as unknown as CompactionRun;
    expect([first.filesBefore, parts(core).ledger.streams.get('s')?.files]).toEqual([4, 4]);
    await expectAll(core, landed);
    await landSome(core, landed, 2);
    const second = await compact(core);
    expect([second.filesBefore, second.batches, second.filesAfter]).toEqual([6, 9, 1]);
    expect(filesIn(landed, 'data')).toEqual([`c~${second.run}-1.parquet`]);
    await expectAll(core, landed);
    expect(await codeOf(compact(core).catch((error) => Promise.reject(error)))).toBe(
      'nothing_to_compact',
    );
  });

  it('is refused where there is nothing to gain, and while another one runs', async () => {
    const { core } = await openCompacted(undefined, 1);
    await expect(startCompaction(core, 'k', 's')).rejects.toThrow('There is nothing to compact.');
    expect(() => startUndo(core, 'k', 's')).toThrow('s has no compaction that can be undone.');
    await landSome(core, { ...newLanded(), batches: 1 }, 1);
    const job = await startCompaction(core, 'k', 's');
    await expect(startCompaction(core, 'k', 's')).rejects.toThrow(
      /^A compaction is running, by process \d+ on .* \(compacting s, since .*\)\.$/,
    );
    expect(() => startUndo(core, 'k', 's')).toThrow(/^A compaction is running/);
    await core.jobs.outcome(job.id);
  });

  it('is cancelled without a trace but in the history', async () => {
    const { core, landed } = await openCompacted(undefined, 5);
    const before = contentOf(landed);
    const job = await startCompaction(core, 'k', 's');
    core.jobs.cancel(job.id);
    await expect(core.jobs.outcome(job.id)).rejects.toThrow();
    expect(core.jobs.get(job.id)?.state).toBe('cancelled');
    expect([contentOf(landed), filesIn(landed, '_tmp')]).toEqual([before, []]);
    const { ledger, stream } = parts(core);
    expect(listRuns(ledger, stream, 10)).toMatchObject([
      { state: 'cancelled', fault: null, endedAt: TIME, undoable: false },
    ]);
    await expectAll(core, landed);
    await compact(core);
    await expectAll(core, landed);
  });

  it('stops at a file that is not what the ledger says, and names it', async () => {
    const { core, landed } = await openCompacted(undefined, 5);
    const data = join(landed.root, 'strata', 'streams', 's', 'data');
    const whole = readFileSync(join(data, 'b-0002.parquet'));
    writeFileSync(join(data, 'b-0002.parquet'), readFileSync(join(data, 'b-0001.parquet')));
    const fault =
      'b-0002.parquet cannot be merged: it has 2 rows, the ledger says 1. Every file is as it was.';
    await expect(compact(core)).rejects.toThrow(fault);
    const { ledger, stream } = parts(core);
    expect(listRuns(ledger, stream, 1)).toMatchObject([
      { state: 'failed', fault, filesAfter: null },
    ]);
    writeFileSync(join(data, 'b-0002.parquet'), whole.subarray(0, -1));
    await expect(compact(core)).rejects.toThrow(
      /^b-0002\.parquet cannot be merged: it is not whole: [a-z].*[^.]\. Every file is as it was\.$/,
    );
    rmSync(join(data, 'b-0002.parquet'));
    await expect(compact(core)).rejects.toThrow(
      'b-0002.parquet cannot be merged: it is not in data/.',
    );
    writeFileSync(join(stream.paths.failed, 'b-0002.parquet'), 'x');
    await expect(compact(core)).rejects.toThrow(
      'b-0002.parquet cannot be merged: it was not whole, and was set aside in failed/.',
    );
    expect(filesIn(landed, '_tmp')).toEqual([]);
    writeFileSync(join(data, 'b-0002.parquet'), whole);
    await compact(core);
    await expectAll(core, landed);
  });

  it('takes batches of nearly as many columns as a stream may have', async () => {
    const { core } = await openCompacted();
    const names = Array.from({ length: 1_900 }, (_, at) => `column_${at}`);
    for (let batch = 0; batch < 4; batch += 1) {
      const wide = Object.fromEntries(names.map((name) => [name, `${batch}-${name}`]));
      await land(core, 's', `${JSON.stringify(wide)}\n{"only":"${batch}"}\n`, `b${batch}`);
    }
    expect((await compact(core)).filesAfter).toBe(1);
    const { knowledgebase, stream } = parts(core);
    const { columns, rows } = await rowsPage(knowledgebase, stream, {
      ...{ order: 'oldest', offset: 4, limit: 2, filters: [] },
    });
    expect(columns).toEqual([...names, 'only']);
    expect(rows.map(({ values }) => values)).toEqual([
      [...names.map((name) => `2-${name}`), null],
      [...names.map(() => null), '2'],
    ]);
  });

  it('keeps sealed days apart, in their folders', async () => {
    const { core, landed } = await openCompacted(undefined, 8);
    const { ledger } = parts(core);
    const data = join(landed.root, 'strata', 'streams', 's', 'data');
    const today = new Date().toISOString().slice(0, 10);
    const days = ['dt=2026-01-01', 'dt=2026-01-02', `dt=${today}`];
    for (const [at, batch] of [...ledger.batches.each('s')].entries()) {
      const day = days[Math.floor(at / 2)];
      if (day === undefined) continue;
      mkdirSync(join(data, day), { recursive: true });
      const file = `${day}/${batch.file}`;
      renameSync(join(data, batch.file), join(data, file));
      ledger.batches.move('s', batch.batchId, { file, landedFile: null, rowInFile: 0 });
    }
    await expectAll(core, landed);
    const { run } = await compact(core);
    const made = (number: number) => `c~${run}-${number}.parquet`;
    expect(filesIn(landed, 'data')).toEqual([made(3), ...days].sort());
    expect(days.map((day) => filesIn(landed, 'data', day))).toEqual([
      [made(1)],
      [made(2)],
      ['b-0004.parquet', 'b-0005.parquet'],
    ]);
    await expectAll(core, landed);
    await undo(core);
    expect(days.map((day) => filesIn(landed, 'data', day).length)).toEqual([2, 2, 2]);
    await expectAll(core, landed);
  });
});

describe('an undo', () => {
  it('brings every file back, byte for byte, one run after the other', async () => {
    const { core, landed } = await openCompacted(undefined, 4);
    const first = contentOf(landed);
    const one = await compact(core);
    await landSome(core, landed, 6);
    const second = contentOf(landed);
    const { ledger, stream } = parts(core);
    const batches = [...ledger.batches.each('s')];
    const two = await compact(core);
    expect(listRuns(ledger, stream, 10).map(({ run, undoable }) => [run, undoable])).toEqual([
      [two.run, true],
      [one.run, false],
    ]);
    await undo(core);
    expect(contentOf(landed)).toEqual(second);
    expect([...ledger.batches.each('s')]).toEqual(batches);
    await expectAll(core, landed);
    await undo(core);
    expect(Object.entries(contentOf(landed))).toEqual(
      expect.arrayContaining(Object.entries(first)),
    );
    expect(filesIn(landed, 'data')).toHaveLength(10);
    expect(filesIn(landed, 'processed')).toEqual([]);
    await expectAll(core, landed);
    expect(listRuns(ledger, stream, 10)).toMatchObject([
      { run: two.run, state: 'undone', undoneAt: TIME, undoable: false, originalsUntil: null },
      { run: one.run, state: 'undone', undoneAt: TIME, undoable: false, originalsUntil: null },
    ]);
    expect(() => startUndo(core, 'k', 's')).toThrow('s has no compaction that can be undone.');
    await compact(core);
    await expectAll(core, landed);
  });
});

describe('an undo whose originals are not what they were', () => {
  const opened = async () => {
    const { core, landed } = await openCompacted(undefined, 2);
    await compact(core);
    await landSome(core, landed, 4);
    const { run } = await compact(core);
    return { core, landed, kept: join(landed.root, 'strata', 'streams', 's', 'processed', run) };
  };
  const fails = async (
    { core, landed }: Awaited<ReturnType<typeof opened>>,
    message: RegExp,
  ): Promise<void> => {
    const before = [filesIn(landed, 'data'), filesIn(landed, 'processed')];
    const error = await undo(core).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'compaction_differs' });
    expect((error as Error).message).toMatch(message);
    expect([filesIn(landed, 'data'), filesIn(landed, 'processed')]).toEqual(before);
    expect(filesIn(landed, '_tmp')).toEqual([]);
    await expectAll(core, landed);
  };

  it('is refused where one is gone, is not whole, or is another, and goes through when it is back', async () => {
    const all = await opened();
    const { core, landed, kept } = all;
    const [path, other] = [join(kept, 'b-0004.parquet'), join(kept, 'b-0005.parquet')];
    const whole = readFileSync(path);
    rmSync(path);
    await fails(all, /^The batch b-0004 has no original any more\. Every file is as/);
    writeFileSync(path, whole.subarray(0, -1));
    await fails(
      all,
      /^b-0004\.parquet cannot be brought back: it is not whole: .* Every file is as/,
    );
    writeFileSync(path, readFileSync(other));
    await fails(
      all,
      /cannot be brought back: its batch b-0005 is not one of this run\. Every file/,
    );
    writeFileSync(path, whole);
    const compacted = filesIn(landed, 'processed', basename(kept)).find((name) =>
      name.startsWith('c~'),
    ) as string;
    renameSync(join(kept, compacted), join(landed.root, 'elsewhere'));
    await fails(
      all,
      /^2 batches have no original any more, the first is b-0000\. Every file is as/,
    );
    renameSync(join(landed.root, 'elsewhere'), join(kept, compacted));
    await undo(core);
    await expectAll(core, landed);
    expect(filesIn(landed, 'data')).toEqual(
      [2, 3, 4, 5].map((at) => `b-000${at}.parquet`).concat(compacted),
    );
  });
});
