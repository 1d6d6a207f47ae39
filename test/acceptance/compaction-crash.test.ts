// Owns the proof that a compaction or an undo that is killed at any of its steps loses and doubles nothing: for a
// foreign reader and our own, before anything is started again and while batches land, and after.

import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCompaction } from '../../core/engine/compaction/run.ts';
import { rowsPage } from '../../core/engine/rows-page.ts';
import { verify } from '../../core/engine/verify.ts';
import type { Core } from '../../core/index.ts';
import { queryPage } from '../../core/lake/query.ts';
import type { Step } from '../../core/steps.ts';
import { ALL_ROWS, landSome, newLanded } from '../helpers/compacted.ts';
import { openTestCore } from '../helpers/core.ts';
import { type AskedClient, startAsked } from '../helpers/foreign-client.ts';
import { removeTempFolders, strata } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const LONG = process.env.STRATA_TEST_LONG === '1';

/** Steps at which a compaction may die, and how often each comes in one. */
const COMPACT: readonly (readonly [Step, number])[] = [
  ['merged', 1],
  ['journal', 1],
  ['leaving', 1],
  ['leaving', 3],
  ['left', 1],
  ['switched', 1],
  ['gone', 1],
  ['arrived', 1],
  ['back', 1],
  ['placed', 1],
  ['moved', 1],
  ['recording', 1],
  ['recorded', 1],
];
const UNDO = COMPACT.filter(([step, times]) => step !== 'merged' && times === 1);
/** As many batches as the ledger follows in two transactions. */
const MANY = 104;
const ROUNDS = LONG ? 6 : 1;
const PATIENCE_MS = 60_000 * (LONG ? 5 : 1);

const landed = newLanded();
let foreign: AskedClient;

const withCore = async <T>(writing: boolean, work: (core: Core) => Promise<T>): Promise<T> => {
  const core = openTestCore({ home: landed.home, writing });
  try {
    const result = await work(core);
    expect(core.logged).toEqual([]);
    return result;
  } finally {
    await core.close();
  }
};

beforeAll(async () => {
  await withCore(true, async (core) => {
    core.createKnowledgebase('k');
    await landSome(core, landed, 6);
    await core.knowledgebase('k').views.settled(15_000);
  });
  foreign = startAsked(landed.root);
});

afterAll(async () => {
  await foreign.stop();
  removeTempFolders();
});

/** What each kind of reader of another process than the writer's sees: the view, our query, a page by place, a proof. */
const expectExact = async (): Promise<void> => {
  expect(await foreign.rows(ALL_ROWS)).toEqual(landed.rows);
  await withCore(false, async (core) => {
    const knowledgebase = core.knowledgebase('k');
    const { rows } = await queryPage(knowledgebase.query, ALL_ROWS, { limit: 10_000 });
    expect(rows).toEqual(landed.rows);
    const stream = knowledgebase.streams.get('s');
    const request = { order: 'oldest', offset: 0, limit: 10_000, filters: [] } as const;
    const page = await rowsPage(knowledgebase, stream, request);
    expect(page.rows.map(({ batchId, line }) => [batchId, String(line)])).toEqual(
      landed.rows.map((row) => row.slice(-2)),
    );
    const { holds, streams, differences } = await verify(knowledgebase);
    expect([holds, differences, streams.flatMap((one) => one.differences)]).toEqual([true, [], []]);
  });
};

const strataKilled = async (words: readonly string[], step: Step, times: number): Promise<void> => {
  const env = { STRATA_CRASH_AT: `${step}:${times}` };
  const { code, stderr } = await strata(landed.home, words, { env });
  // A process that was killed has no exit code.
  expect([
    code,
    stderr.replace(
      /^(Reading|Merging|Writing|Comparing|Swapping|Recording|Bringing|Waiting).*\n/gm,
      '',
    ),
  ]).toEqual([-1, '']);
};

/** After a death: a foreign reader keeps the file, so nothing can be settled, while batches land and all is read. */
const expectExactThroughout = async (): Promise<void> => {
  await foreign.open();
  await expectExact();
  await withCore(true, (core) => landSome(core, landed, 2));
  await expectExact();
  await foreign.close();
  // The next process that makes views finishes it, or undoes it.
  await withCore(true, async (core) => {
    const { views } = core.knowledgebase('k');
    await until('views are in line', () => views.settled(15_000));
    await landSome(core, landed, 1);
    const { staging } = core.knowledgebase('k').streams.get('s').paths;
    expect(readdirSync(staging)).toEqual([]);
  });
  await foreign.open();
  await expectExact();
  await foreign.close();
};

describe('a compaction that is killed', () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    it.each(COMPACT)(
      `at %s, time %i (round ${round})`,
      { timeout: PATIENCE_MS },
      async (step, times) => {
        await strataKilled(['compact', 'k', 's'], step, times);
        await expectExactThroughout();
      },
    );
  }
});

describe('an undo that is killed', () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    it.each(UNDO)(
      `at %s, time %i (round ${round})`,
      { timeout: PATIENCE_MS },
      async (step, times) => {
        await withCore(true, async (core) => {
          await core.jobs.outcome((await startCompaction(core, 'k', 's')).id);
        });
        await strataKilled(['compact', 'undo', 'k', 's'], step, times);
        await expectExactThroughout();
      },
    );
  }
});

describe('a swap of many batches that is killed while the ledger follows', () => {
  it('of a compaction', { timeout: PATIENCE_MS }, async () => {
    await withCore(true, (core) => landSome(core, landed, MANY));
    await strataKilled(['compact', 'k', 's'], 'recording', 1);
    await expectExactThroughout();
  });

  // In the file of before are batches whose own files are an older run's originals.
  it.each([1, 2, 3])('of an undo, transaction %i', { timeout: PATIENCE_MS }, async (times) => {
    await withCore(true, async (core) => {
      if (times === 1) await landSome(core, landed, 2 * MANY);
      await core.jobs.outcome((await startCompaction(core, 'k', 's')).id);
    });
    await strataKilled(['compact', 'undo', 'k', 's'], 'recording', times);
    await expectExactThroughout();
  });
});
