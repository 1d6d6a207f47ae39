// Owns the crash tests of promotion: the process is killed at every step, and the next start finds the model whole, says
// what happened, and can go on.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { PromotionSummary, Proof, VersionSummary } from '../../core/model.ts';
import type { Step } from '../../core/steps.ts';
import { land } from '../helpers/core.ts';
import { withCore } from '../helpers/filled.ts';
import {
  landRecords,
  PAY,
  promoteAndApply,
  promoteOnly,
  QUESTION,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders, strata, strataJson, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

let home: string;
beforeEach(async () => {
  home = tempFolder();
  await withCore(home, async (core) => {
    const kb = core.createKnowledgebase('k');
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    await landRecords(core, 'pay', [
      { pay_id: 'X1', department: 'Sales', annual_salary: 1, extra: 'e' },
    ]);
    await kb.views.settled(15_000);
  });
});

/** What another start finds. */
const look = () =>
  withCore(home, async (core) => {
    const kb = core.knowledgebase('k');
    expect(await kb.views.settled(15_000)).toBe(true);
    const columns = await rowsOf(kb, 'SELECT column_name FROM (DESCRIBE ontology."PayFact")');
    const snapshots = await rowsOf(
      kb,
      "SELECT count(*) FROM _strata_manifest WHERE source LIKE 'snapshot:%'",
    );
    const [last] = kb.ledger().promotions.list(1);
    return {
      hasExtra: columns.flat().includes('extra'),
      answers: (await rowsOf(kb, QUESTION)).length,
      snapshots: Number(snapshots[0]?.[0]),
      versions: (await kb.ontology.store().versions()).map(({ version }) => version),
      last: last as PromotionSummary,
      copied: existsSync(kb.paths.modelVersion(2)),
    };
  });

const kill = async (step: Step): Promise<void> => {
  const end = await strata(home, ['promote', 'k', 'pay', '--apply'], {
    env: { STRATA_CRASH_AT: step },
  });
  expect({ step, code: end.code, stdout: end.stdout }).toEqual({ step, code: -1, stdout: '' });
};

const verifies = async (): Promise<void> => {
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  expect({ holds: proof.holds, differences: proof.differences }).toEqual({
    holds: true,
    differences: [],
  });
};

const MEASURING =
  'Strata ended while the stream was being measured. The model is as it was; promote it again.';

describe('killed before the version is recorded: the old model, whole', {
  timeout: 120_000,
}, () => {
  it.each<[Step, string, string, number]>([
    ['snapshot', 'interrupted', MEASURING, 1],
    ['plan', 'interrupted', MEASURING, 1],
    [
      'model-views',
      'open',
      'Strata ended before it was applied. The model is as it was; its plan is open.',
      2,
    ],
  ])('at %s', async (step, state, words, snapshots) => {
    await kill(step);
    // Whoever comes first finds it whole: before anything is mended too.
    await verifies();
    expect(await look()).toMatchObject({
      ...{ hasExtra: false, answers: 5, versions: [1], copied: false, snapshots },
      last: { state, words, version: null },
    });
    await verifies();
    const again = await strataJson<{ version: number }>(home, ['promote', 'k', 'pay', '--apply']);
    expect(again.version).toBe(2);
    expect(await look()).toMatchObject({
      hasExtra: true,
      versions: [2, 1],
      snapshots: 1,
      last: { state: 'applied', version: 2 },
    });
  });
});

describe('killed after the version is recorded: the new model, whole', { timeout: 120_000 }, () => {
  it.each<Step>(['model-record', 'model-copy'])('at %s', async (step) => {
    await kill(step);
    expect(await look()).toMatchObject({
      ...{ hasExtra: true, answers: 5, versions: [2, 1], copied: true, snapshots: 1 },
      last: {
        ...{ state: 'applied', version: 2 },
        words:
          'Strata ended while it was being applied. It is v2, whole; its views were made at the next start.',
      },
    });
    await verifies();
    const versions = await strataJson<{ versions: VersionSummary[] }>(home, [
      'model',
      'versions',
      'k',
    ]);
    expect(versions.versions.map(({ version, stream }) => [version, stream])).toEqual([
      [2, 'pay'],
      [1, 'pay'],
    ]);
    await withCore(home, async (core) => {
      expect(await promoteOnly(core.knowledgebase('k'), 'pay')).toMatchObject({
        state: 'unchanged',
      });
    });
  });
});

describe('a restore', { timeout: 120_000 }, () => {
  it.each<[Step, number[]]>([
    ['model-views', [2, 1]],
    ['model-record', [3, 2, 1]],
  ])('killed at %s', async (step, versions) => {
    await strataJson(home, ['promote', 'k', 'pay', '--apply']);
    const end = await strata(home, ['model', 'restore', 'k', '1'], {
      env: { STRATA_CRASH_AT: step },
    });
    expect(end.code).toBe(-1);
    expect(await look()).toMatchObject({ versions, hasExtra: versions.length === 2 });
    await verifies();
    expect(existsSync(join(home, 'k', 'strata', 'model', `v${versions[0]}.json`))).toBe(true);
  });
});
