// Verify while the ledger follows a swap step by step, whose journal ends in the middle of the proof: it holds.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { recordCompacted } from '../../../core/engine/compaction/record-file.ts';
import { verify } from '../../../core/engine/verify.ts';
import type { Core } from '../../../core/index.ts';
import { describeFile } from '../../../core/lake/land.ts';
import { keepJournal, readJournal, type SwapJournal } from '../../../core/lake/swap/journal.ts';
import { landSome, newLanded } from '../../helpers/compacted.ts';
import { parts } from '../../helpers/compacting.ts';
import { openTestCore } from '../../helpers/core.ts';
import { removeTempFolders, strata } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const BATCHES = 250;

/** A core that settles nothing, over a stream whose compaction died before its ledger followed. */
const openUnrecorded = async (): Promise<{ core: Core; journal: SwapJournal }> => {
  const landed = newLanded();
  const first = openTestCore({ home: landed.home });
  first.createKnowledgebase('k');
  await landSome(first, landed, BATCHES);
  await first.knowledgebase('k').views.settled(15_000);
  await first.close();
  const env = { STRATA_CRASH_AT: 'moved:1' };
  expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
  const core = openTestCore({ home: landed.home, writing: false });
  const journal = readJournal(parts(core).stream.paths);
  if (!journal) throw new Error('The swap has no journal.');
  return { core, journal };
};

/** The steps in which the ledger follows. */
const recording = (core: Core, { record }: SwapJournal): Generator<number, void, void> => {
  const { ledger, stream } = parts(core);
  const file = record.made[0] as string;
  const path = join(stream.paths.data, file);
  const { compacted } = describeFile(path);
  if (!compacted) throw new Error('The file has no manifest.');
  return recordCompacted(ledger, 's', file, statSync(path).size, compacted);
};

const differences = async (
  core: Core,
  onProgress: (stream: string, done: number) => void = () => {},
): Promise<string[]> =>
  (await verify(parts(core).knowledgebase, { onProgress })).streams.flatMap(
    (one) => one.differences,
  );

it('holds after each step of recording', { timeout: 60_000 }, async () => {
  const { core, journal } = await openUnrecorded();
  try {
    expect(await differences(core)).toEqual([]);
    for (const _ of recording(core, journal)) expect(await differences(core)).toEqual([]);
    expect(await differences(core)).toEqual([]);
  } finally {
    await core.close();
  }
});

it('holds where the journal ends after the ledger was read', { timeout: 60_000 }, async () => {
  const { core, journal } = await openUnrecorded();
  try {
    let ended = 0;
    const found = await differences(core, (_, done) => {
      if (done > 0) return;
      for (const _ of recording(core, journal));
      keepJournal(parts(core).stream.paths, journal);
      ended += 1;
    });
    expect([ended, found]).toEqual([1, []]);
  } finally {
    await core.close();
  }
});
