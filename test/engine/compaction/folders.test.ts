// A swap where folders are not as it takes them to be: on another disk, under another name, or both its sides in data/
// after a power cut.

import {
  cpSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { transitPaths } from '../../../core/knowledgebase/paths.ts';
import { readJournal, type SwapJournal } from '../../../core/lake/swap/journal.ts';
import { ALL_ROWS, newLanded, pathsOf } from '../../helpers/compacted.ts';
import {
  compact,
  expectAll,
  filesIn,
  openCompacted,
  parts,
  undo,
} from '../../helpers/compacting.ts';
import { codeOf, openTestCore } from '../../helpers/core.ts';
import { startAsked } from '../../helpers/foreign-client.ts';
import { removeTempFolders, strata, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

it.skipIf(!hasOtherDisk)('nothing moves where processed/ is on another disk', async () => {
  const landed = newLanded();
  const { core } = await openCompacted(landed, 6);
  const other = mkdtempSync(join(OTHER_DISK, 'strata-test-'));
  onTestFinished(() => rmSync(other, { recursive: true }));
  const { stream, knowledgebase } = parts(core);
  const before = filesIn(landed, 'data');
  symlinkSync(other, stream.paths.processed);
  expect(await codeOf(compact(core))).toBe('folders_apart');
  expect([filesIn(landed, 'data'), filesIn(landed, '_tmp')]).toEqual([before, []]);
  expect(existsSync(stream.paths.swap)).toBe(false);
  rmSync(stream.paths.processed);
  const { run } = await compact(core);

  // The undo of one that was made before.
  renameSync(stream.paths.processed, `${stream.paths.processed}-here`);
  symlinkSync(other, stream.paths.processed);
  for (const name of [run, `${run}.json`]) {
    cpSync(join(`${stream.paths.processed}-here`, name), join(other, name), { recursive: true });
  }
  expect(await codeOf(undo(core))).toBe('folders_apart');
  await expectAll(core, landed);
  expect(knowledgebase.views.waitingFor).toBe(null);
});

it('a swap that broke off under one name of the folder is finished under another', async () => {
  const landed = newLanded();
  const first = await openCompacted(landed, 6);
  await first.core.close();
  const link = join(tempFolder(), 'link');
  symlinkSync(landed.home, link);
  // Views name the folder as it really is.
  const throughLink = openTestCore({ home: link });
  expect(throughLink.home).toBe(landed.home);
  await throughLink.close();
  const env = { STRATA_CRASH_AT: 'switched:1' };
  expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
  // A folder that was moved has another name too, and no link helps there.
  const moved = join(tempFolder(), 'moved');
  renameSync(landed.home, moved);
  const there = { ...landed, home: moved, root: join(moved, 'k') };
  const again = await strata(moved, ['repair', 'k'], { env: { STRATA_CRASH_AT: 'gone:1' } });
  expect(again.code).toBe(-1);
  const { record } = readJournal(pathsOf(there).stream('s')) as SwapJournal;
  expect(existsSync(transitPaths(pathsOf(there).stream('s'), record.run).kept)).toBe(true);
  const core = openTestCore({ home: moved });
  onTestFinished(() => core.close());
  expect(await core.knowledgebase('k').views.settled(15_000)).toBe(true);
  await expectAll(core, there);
  expect(filesIn(there, 'data')).toEqual([`c~${record.run}-1.parquet`]);
});

it('no file is set aside while both sides of an open swap are in data/', async () => {
  const landed = newLanded();
  const first = await openCompacted(landed, 6);
  await first.core.close();
  const env = { STRATA_CRASH_AT: 'switched:1' };
  expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
  const own = pathsOf(landed).stream('s');
  const { record } = readJournal(own) as SwapJournal;
  const { inData, inStaging } = transitPaths(own, record.run);
  // The second of two renames is on the disk, the first is not.
  renameSync(join(inStaging, 'in'), join(inData, 'in'));
  const foreign = startAsked(landed.root);
  onTestFinished(() => foreign.stop());
  await foreign.open();
  const core = openTestCore({ home: landed.home });
  onTestFinished(() => core.close());
  const { knowledgebase } = parts(core);
  expect([filesIn(landed, 'failed'), await foreign.rows(ALL_ROWS)]).toEqual([[], landed.rows]);
  await foreign.close();
  knowledgebase.views.request();
  expect(await knowledgebase.views.settled(15_000)).toBe(true);
  await expectAll(core, landed);
  expect(filesIn(landed, 'failed')).toEqual([]);
});
