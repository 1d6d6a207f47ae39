// Owns the proof that everything of the ontology in kb.duckdb and the ledger can be made again, and that verify sees
// where it is not as it should be.

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { verify } from '../../core/engine/verify.ts';
import { showEffect } from '../../core/ontology/review.ts';
import { showModel } from '../../core/ontology/show.ts';
import { land, openTestCore, type TestCore } from '../helpers/core.ts';
import { tamper, withCore } from '../helpers/filled.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import {
  applyPlan,
  landRecords,
  PAY,
  promoteAndApply,
  promoteToPlan,
  QUESTION,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders } from '../helpers/server.ts';

let core: TestCore;
let kb: OpenKnowledgebase;
beforeEach(() => {
  core = openTestCore();
  kb = core.createKnowledgebase('k');
});
afterEach(async () => {
  await core.close();
  expect(core.logged).toEqual([]);
});
afterAll(removeTempFolders);

/** Reopens everything over the same home. */
const reopen = async (): Promise<void> => {
  const { home } = core;
  await core.close();
  core = openTestCore({ home });
  kb = core.knowledgebase('k');
  expect(await kb.views.settled(15_000)).toBe(true);
};

describe('everything in kb.duckdb can be made again', () => {
  it('after the file is gone', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const answer = await rowsOf(kb, QUESTION);
    await core.close();
    rmSync(join(kb.paths.duckdb));
    await reopen();
    expect(await rowsOf(kb, QUESTION)).toEqual(answer);
    expect(await verify(kb)).toMatchObject({
      holds: true,
      model: { version: 1, types: 6, views: 6, bound: 6 },
    });
  });

  it('an open plan gets its snapshot back, batch by batch, whatever landed since', async () => {
    await land(core, 'pay', PAY, 'one');
    const { promotion } = await promoteToPlan(kb, 'pay');
    await landRecords(core, 'pay', [{ pay_id: 'later' }], 'two');
    await core.close();
    rmSync(kb.paths.duckdb);
    await reopen();
    expect(await showEffect(kb.ontology, promotion.id, 'pay-fact')).toMatchObject({ rows: 60 });
    await applyPlan(kb, { promotion });
    expect(await rowsOf(kb, 'SELECT count(*) FROM ontology."PayFact"')).toEqual([['61']]);
  });

  it('where the folder is now', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const answer = await rowsOf(kb, QUESTION);
    const { home } = core;
    await core.close();
    renameSync(join(home, 'k'), join(home, 'moved'));
    core = openTestCore({ home });
    kb = core.knowledgebase('moved');
    expect(await kb.views.settled(15_000)).toBe(true);
    expect(await rowsOf(kb, QUESTION)).toEqual(answer);
  });

  it('the model comes back with a ledger that was lost', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    await landRecords(core, 'pay', [{ pay_id: 'X', extra: '1' }]);
    await promoteAndApply(kb, 'pay');
    const before = await showModel(kb.ontology);
    await core.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${kb.paths.ledger}${end}`, { force: true });
    await reopen();
    expect(await showModel(kb.ontology)).toEqual(before);
    expect((await kb.ontology.store().versions()).map(({ version }) => version)).toEqual([2, 1]);
    expect(await verify(kb)).toMatchObject({ holds: true });
  });

  it("a version's copy that a crash kept from the folder is made at the next start", async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    rmSync(kb.paths.modelVersion(1));
    await reopen();
    await core.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${kb.paths.ledger}${end}`, { force: true });
    await reopen();
    expect((await showModel(kb.ontology)).current).toBe(1);
  });

  it('any other program reads the views', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    const reader = await openForeignReader(kb.paths.root);
    const { rows } = await reader.read(QUESTION);
    reader.close();
    expect(rows.length).toBe(5);
  });
});

describe('versions in the ledger', () => {
  it('cannot be changed or removed', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    await core.close();
    const filled = { home: core.home, paths: kb.paths, at: () => '' };
    expect(() => tamper(filled, "UPDATE model_versions SET model = '{}'")).toThrow(
      'a version of the model is never changed',
    );
    expect(() => tamper(filled, 'DELETE FROM model_versions')).toThrow(
      'a version of the model is never removed',
    );
  });
});

describe('verify', () => {
  it('names a view that does not bind, and a batch that is not known', async () => {
    await land(core, 'pay', PAY, 'one');
    await promoteAndApply(kb, 'pay');
    await core.close();
    const { openDuckdb } = await import('../../core/lake/duckdb.ts');
    const duckdb = await openDuckdb(kb.paths.duckdb);
    await duckdb.connection.run('DROP VIEW ontology."Location"');
    duckdb.close();
    const reading = { writing: false };
    const proof = await withCore(core.home, (reader) => verify(reader.knowledgebase('k')), reading);
    expect(proof).toMatchObject({
      holds: false,
      model: { version: 1, types: 6, views: 6, bound: 5 },
    });
    expect(proof.differences).toEqual([
      expect.stringMatching(
        /^The view ontology\."Location" does not bind: .*Location.* does not exist/,
      ),
    ]);
    const other = await openDuckdb(kb.paths.duckdb);
    await other.connection.run(`CREATE VIEW ontology."Location" AS SELECT 1 AS one`);
    other.close();
    const second = await withCore(
      core.home,
      (reader) => verify(reader.knowledgebase('k')),
      reading,
    );
    expect(second.differences).toEqual(['The view ontology."Location" is of another version.']);
    const filled = { home: core.home, paths: kb.paths, at: () => '' };
    tamper(filled, "UPDATE batches SET batch_key = 'other', batch_id = 'other'");
    await reopen();
    expect((await verify(kb)).differences).toEqual([
      'The batch one, from which v1 was made, is not known.',
    ]);
  });

  it('misses evidence that is gone', async () => {
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    rmSync(join(kb.paths.strata, 'tables'), { recursive: true });
    expect((await verify(kb)).differences).toEqual(['The evidence of v1 is not in the folder.']);
  });
});
