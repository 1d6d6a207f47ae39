// Owns the proof that a swap that broke off never goes forward onto files that are gone: killed at each step, with the
// stream's staging lost before the next start, every row is there once, and no other stream is held up.

import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { queryPage } from '../../core/lake/query.ts';
import { readJournal, type SwapJournal } from '../../core/lake/swap/journal.ts';
import type { Step } from '../../core/steps.ts';
import { ALL_ROWS, type Landed, newLanded, pathsOf } from '../helpers/compacted.ts';
import { compact, expectAll, filesIn, openCompacted, parts } from '../helpers/compacting.ts';
import { land, openTestCore, type TestCore } from '../helpers/core.ts';
import { startAsked } from '../helpers/foreign-client.ts';
import { removeTempFolders, strata } from '../helpers/server.ts';

afterAll(removeTempFolders);

const streamOf = (landed: Landed, ...names: string[]): string =>
  join(landed.root, 'strata', 'streams', 's', ...names);

const empty = (folder: string): void => {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    rmSync(join(folder, name), { recursive: true });
  }
};

/** What a foreign program reads: the rows, or null where DuckDB refuses the view. Never some of them. */
const foreignRows = async (landed: Landed): Promise<unknown> => {
  const foreign = startAsked(landed.root);
  try {
    await foreign.open();
    return await foreign.rows(ALL_ROWS).catch(() => null);
  } finally {
    await foreign.stop();
  }
};

/** The steps between which what the view of the swap reads lies in staging. */
const BLIND: readonly Step[] = ['switched', 'gone'];

const reopen = async (landed: Landed): Promise<TestCore> => {
  const core = openTestCore({ home: landed.home });
  onTestFinished(() => core.close());
  expect(await core.knowledgebase('k').views.settled(15_000)).toBe(true);
  return core;
};

const expectGoesOn = async (core: TestCore): Promise<void> => {
  await land(core, 'other', '{"a":"1"}\n', 'o-1');
  const { knowledgebase } = parts(core);
  expect(await knowledgebase.views.settled(15_000)).toBe(true);
  expect(knowledgebase.views.waitingFor).toBe(null);
  expect(knowledgebase.views.has('other')).toBe(true);
};

/** Everything but the rows: nothing of the swap is left, nothing is said to be missing. */
const expectClean = (core: TestCore, landed: Landed): void => {
  expect(existsSync(streamOf(landed, 'swap.json'))).toBe(false);
  expect(filesIn(landed, '_tmp')).toEqual([]);
  expect(filesIn(landed, 'data').filter((name) => name.includes('~') && !/^c~/.test(name))).toEqual(
    [],
  );
  expect(parts(core).ledger.alerts.open().size).toBe(0);
  expect(core.logged).toEqual([]);
};

/** What our own readers see while nobody has settled anything: another program holds the file, or nobody writes. */
const expectReadable = async (landed: Landed): Promise<void> => {
  const core = openTestCore({ home: landed.home, writing: false });
  try {
    await expectAll(core, landed);
  } finally {
    await core.close();
  }
};

const ownRows = async (landed: Landed): Promise<unknown> => {
  const core = openTestCore({ home: landed.home, writing: false });
  try {
    return (await queryPage(parts(core).knowledgebase.query, ALL_ROWS, { limit: 10_000 })).rows;
  } finally {
    await core.close();
  }
};

describe('a compaction whose staging is lost', () => {
  it.each<Step>(['journal', 'left', 'switched', 'gone', 'arrived', 'moved'])(
    'after it was killed at %s',
    { timeout: 60_000 },
    async (step) => {
      const landed = newLanded();
      const first = await openCompacted(landed, 6);
      await first.core.close();
      const env = { STRATA_CRASH_AT: `${step}:1` };
      expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
      empty(streamOf(landed, '_tmp'));

      expect(await foreignRows(landed)).toEqual(BLIND.includes(step) ? null : landed.rows);
      await expectReadable(landed);
      const core = await reopen(landed);
      await expectAll(core, landed);
      expect(await foreignRows(landed)).toEqual(landed.rows);
      await expectGoesOn(core);
      expectClean(core, landed);
      const { ledger } = parts(core);
      const [run] = ledger.compactions.list('s', 1);
      const events = ledger.events.list(100).filter(({ kind }) => kind === 'compaction-back');
      if (BLIND.includes(step)) {
        expect(run).toMatchObject({ state: 'failed', fault: expect.stringContaining('is gone.') });
        expect(events).toMatchObject([{ level: 'error', stream: 's' }]);
      } else if (['journal', 'left'].includes(step)) {
        expect(run?.state).not.toBe('done');
      } else {
        expect([run?.state, events]).toEqual(['done', []]);
      }
      if (run?.state === 'done') return;
      await compact(core);
      await expectAll(core, landed);
    },
  );
});

describe('a compaction whose merged file is', () => {
  const killed = async (step: Step): Promise<{ landed: Landed; run: string; made: string }> => {
    const landed = newLanded();
    const first = await openCompacted(landed, 6);
    await first.core.close();
    const env = { STRATA_CRASH_AT: `${step}:1` };
    expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
    const { record } = readJournal(pathsOf(landed).stream('s')) as SwapJournal;
    return { landed, run: record.run, made: record.made[0] as string };
  };

  it('damaged in staging is taken back, also where who does it is killed', {
    timeout: 60_000,
  }, async () => {
    const { landed, run, made } = await killed('gone');
    truncateSync(streamOf(landed, '_tmp', `~${run}`, 'in', made), 100);
    const env = { STRATA_CRASH_AT: 'back:1' };
    expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
    expect(await foreignRows(landed)).toEqual(landed.rows);
    await expectReadable(landed);
    const core = await reopen(landed);
    await expectAll(core, landed);
    expect(filesIn(landed, 'failed')).toEqual([made, `${made}.txt`]);
    expect([filesIn(landed, '_tmp'), filesIn(landed, 'processed')]).toEqual([[], []]);
  });

  it.each<Step>(['back', 'moved'])(
    'gone from data/ after it was killed at %s is taken back',
    { timeout: 60_000 },
    async (step) => {
      const { landed, run, made } = await killed(step);
      const places = [
        ['data', made],
        ['data', `~${run}`, 'in', made],
      ];
      for (const place of places) rmSync(streamOf(landed, ...place), { force: true });
      const core = await reopen(landed);
      await expectAll(core, landed);
      expect(await foreignRows(landed)).toEqual(landed.rows);
      expectClean(core, landed);
      expect(filesIn(landed, 'processed')).toEqual([]);
    },
  );
});

describe('an undo', () => {
  const killed = async (step: Step): Promise<Landed> => {
    const landed = newLanded();
    const first = await openCompacted(landed, 6);
    await compact(first.core);
    await first.core.close();
    const env = { STRATA_CRASH_AT: `${step}:1` };
    expect((await strata(landed.home, ['compact', 'undo', 'k', 's'], { env })).code).toBe(-1);
    return landed;
  };

  it.each<Step>(['gone', 'placed'])(
    'that was killed at %s goes through without its staging',
    { timeout: 60_000 },
    async (step) => {
      const landed = await killed(step);
      empty(streamOf(landed, '_tmp'));
      expect(await foreignRows(landed)).toEqual(step === 'gone' ? null : landed.rows);
      expect(await ownRows(landed)).toEqual(landed.rows);
      const core = await reopen(landed);
      await expectAll(core, landed);
      expect(await foreignRows(landed)).toEqual(landed.rows);
      expectClean(core, landed);
      await expectGoesOn(core);
    },
  );

  it.each<Step>(['left', 'gone'])(
    'that was killed at %s brings the merged files back where the originals are lost',
    { timeout: 60_000 },
    async (step) => {
      const landed = await killed(step);
      empty(streamOf(landed, 'processed'));
      expect(await foreignRows(landed)).toEqual(landed.rows);
      await expectReadable(landed);
      const core = await reopen(landed);
      await expectAll(core, landed);
      expect(await foreignRows(landed)).toEqual(landed.rows);
      expectClean(core, landed);
      await expectGoesOn(core);
    },
  );
});

it('another stream goes on where a swap cannot be settled, which is said as its stream’s fault', async () => {
  const landed = newLanded();
  const first = await openCompacted(landed, 6);
  await first.core.close();
  const env = { STRATA_CRASH_AT: 'switched:1' };
  expect((await strata(landed.home, ['compact', 'k', 's'], { env })).code).toBe(-1);
  // Something stands where the originals are to go.
  const { record } = readJournal(pathsOf(landed).stream('s')) as SwapJournal;
  const inTheWay = streamOf(landed, 'processed', record.run);
  mkdirSync(join(inTheWay, 'x'), { recursive: true });
  const core = openTestCore({ home: landed.home });
  onTestFinished(() => core.close());
  const { knowledgebase } = parts(core);
  await land(core, 'other', '{"a":"1"}\n', 'o-1');
  await expect.poll(() => knowledgebase.views.has('other'), { timeout: 15_000 }).toBe(true);
  await expect.poll(() => knowledgebase.views.faultOf('s'), { timeout: 15_000 }).not.toBe(null);
  expect(core.listStreams('k').map(({ stream, status }) => [stream, status])).toEqual([
    ['other', 'landing'],
    ['s', 'error'],
  ]);
  const { rows } = await queryPage(knowledgebase.query, ALL_ROWS, { limit: 10_000 });
  expect(rows).toEqual(landed.rows);
  rmSync(inTheWay, { recursive: true });
  knowledgebase.views.request();
  expect(await knowledgebase.views.settled(15_000)).toBe(true);
  await expectAll(core, landed);
  expect(knowledgebase.views.faultOf('s')).toBe(null);
});
