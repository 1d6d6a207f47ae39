// Which files a compaction takes: loose ones, small compacted ones when that pays, sealed days; and where it cuts.

import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseFiles, MOST } from '../../../core/engine/compaction/choose.ts';
import { type Ledger, openLedger } from '../../../core/ledger/open.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TODAY = '2026-07-12';

let ledger: Ledger;
beforeEach(() => {
  ledger = openLedger(join(tempFolder(), 'ledger.sqlite'));
  ledger.streams.ensure('s', AT);
});
afterAll(removeTempFolders);

/** Records batches, each in a file of its own unless `file` names another. */
const land = (
  ids: readonly string[],
  more: { rows?: number; bodyBytes?: number; folder?: string; file?: string } = {},
) => {
  const { rows = 10, bodyBytes = 100, folder = '', file } = more;
  for (const batchId of ids) {
    ledger.batches.add({
      ...{ stream: 's', batchId, file: file ?? `${folder}${batchId}.parquet`, rows, bodyBytes },
      ...{ landedFile: file ? `${batchId}.parquet` : null, rowInFile: 0, sizeBytes: 50 },
      ...{ sha256: 'a'.repeat(64), sender: null, receivedAt: AT, landedAt: AT },
      ...{ replays: 0, lastReplayedAt: null, recovered: false, rejectId: null },
      ...{ rejectSha256: null, partRejectId: null, linesRejected: 0 },
    });
    ledger.streams.addLanded('s', rows, 50, AT);
  }
};

/** Records a compacted file with batches that are in it. */
const compacted = (file: string, ids: readonly string[], rows = 10, bodyBytes = 100): void => {
  land(ids, { rows, bodyBytes, file });
  const seqs = ids.map((id) => ledger.batches.place('s', id)?.seq as number);
  ledger.compactedFiles.add('s', {
    ...{ file, run: 'r', rows: rows * ids.length, sizeBytes: 20, batches: ids.length },
    ...{ bodyBytes: bodyBytes * ids.length, firstSeq: Math.min(...seqs) },
    ...{ lastSeq: Math.max(...seqs), firstLandedAt: AT, lastLandedAt: AT },
  });
};

const ids = (count: number, prefix = 'b'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

const chosen = async () => {
  const { targets, waits } = await chooseFiles(ledger, 's', TODAY);
  return {
    targets: targets.map(({ folder, files }) => [folder, files.map(({ file }) => file)]),
    waits,
  };
};

describe('what is merged', () => {
  it('all of very many', { timeout: 60_000 }, async () => {
    const count = 200_000;
    ledger.transaction(() => land(ids(count)));
    const { targets } = await chooseFiles(ledger, 's', TODAY);
    expect(targets.map(({ files }) => files.length)).toEqual([50_000, 50_000, 50_000, 50_000]);
  });

  it('nothing where nothing has landed, and nothing where there is one file', async () => {
    expect(await chosen()).toEqual({ targets: [], waits: [] });
    land(['one']);
    expect(await chosen()).toEqual({ targets: [], waits: [] });
  });

  it('all loose files, in landing order', async () => {
    land(['z', 'a', 'm']);
    expect(await chosen()).toEqual({
      targets: [['', ['z.parquet', 'a.parquet', 'm.parquet']]],
      waits: [],
    });
  });

  it('compacted files no larger than what comes with them, from the newest back', async () => {
    compacted('c1.parquet', ids(4, 'p'));
    compacted('c2.parquet', ids(2, 'q'));
    land(ids(2));
    const loose = ['b0.parquet', 'b1.parquet'];
    expect((await chosen()).targets).toEqual([['', ['c1.parquet', 'c2.parquet', ...loose]]]);
  });

  it('but not one that is larger, nor what stands before it', async () => {
    compacted('c1.parquet', ids(1, 'p'));
    compacted('c2.parquet', ids(3, 'q'));
    land(ids(2));
    expect((await chosen()).targets).toEqual([['', ['b0.parquet', 'b1.parquet']]]);
  });

  it('one loose file with a compacted one, and compacted ones alone never', async () => {
    compacted('c1.parquet', ids(1, 'p'));
    compacted('c2.parquet', ids(1, 'q'));
    expect((await chosen()).targets).toEqual([]);
    land(['b']);
    expect((await chosen()).targets).toEqual([['', ['c1.parquet', 'c2.parquet', 'b.parquet']]]);
  });

  it('each row is written a number of times that grows as a logarithm', async () => {
    let written = 0;
    let standing: { file: string; rows: number }[] = [];
    for (let run = 1; run <= 64; run += 1) {
      // Each time 10 rows land, and everything chosen becomes one file.
      ledger = openLedger(join(tempFolder(), 'ledger.sqlite'));
      ledger.streams.ensure('s', AT);
      for (const { file, rows } of standing) compacted(file, [`in-${file}`], rows);
      land([`x${run}`, `y${run}`], { rows: 5 });
      const choice = await chooseFiles(ledger, 's', TODAY);
      const files = choice.targets.flatMap((target) => target.files);
      const rows = files.reduce((sum, file) => sum + file.rows, 0);
      written += rows;
      const gone = new Set(files.map(({ file }) => file));
      standing = [...standing.filter(({ file }) => !gone.has(file)), { file: `c${run}`, rows }];
      ledger.close();
    }
    expect([written, standing]).toEqual([640 + 64 * 10 * 3, [{ file: 'c64', rows: 640 }]]);
  });
});

describe('where it is cut', () => {
  it('at the most rows that a file may hold', async () => {
    land(ids(4), { rows: MOST.rows / 2 });
    expect((await chosen()).targets).toEqual([
      ['', ['b0.parquet', 'b1.parquet']],
      ['', ['b2.parquet', 'b3.parquet']],
    ]);
  });

  it('at the most bytes of bodies; what is left over waits for company', async () => {
    land(ids(5), { bodyBytes: MOST.bodyBytes / 2 });
    expect((await chosen()).targets).toEqual([
      ['', ['b0.parquet', 'b1.parquet']],
      ['', ['b2.parquet', 'b3.parquet']],
    ]);
  });
});

describe('date folders', () => {
  it('are merged within a day, once it is over', async () => {
    land(['a0', 'a1'], { folder: 'dt=2026-07-10/' });
    land(['b0', 'b1', 'b2'], { folder: 'dt=2026-07-11/' });
    land(['c0', 'c1'], { folder: 'dt=2026-07-12/' });
    land(['d0', 'd1']);
    expect(await chosen()).toEqual({
      targets: [
        ['dt=2026-07-10', ['dt=2026-07-10/a0.parquet', 'dt=2026-07-10/a1.parquet']],
        ['dt=2026-07-11', ['b0', 'b1', 'b2'].map((id) => `dt=2026-07-11/${id}.parquet`)],
        ['', ['d0.parquet', 'd1.parquet']],
      ],
      waits: ['The 2 files of 2026-07-12 wait until the day is over.'],
    });
  });

  it('a day of one file stays as it is', async () => {
    land(['a0'], { folder: 'dt=2026-07-10/' });
    land(['c0'], { folder: 'dt=2026-07-12/' });
    expect(await chosen()).toEqual({
      targets: [],
      waits: ['The file of 2026-07-12 waits until the day is over.'],
    });
  });
});
