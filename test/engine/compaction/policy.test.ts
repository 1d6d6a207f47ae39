// What happens without being asked: automatic runs, never while the machine lands; retention; a swap that another
// process left.

import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../../core/engine/compaction/history.ts';
import { listOriginals, removeOriginals } from '../../../core/engine/compaction/originals.ts';
import { BUSY_ROWS_A_SECOND, openPolicy } from '../../../core/engine/compaction/policy.ts';
import { startCompaction } from '../../../core/engine/compaction/run.ts';
import { startUndo } from '../../../core/engine/compaction/undo.ts';
import { writeSettings } from '../../../core/knowledgebase/settings.ts';
import { queryPage } from '../../../core/lake/query.ts';
import type { CompactionRun } from '../../../core/model.ts';
import { ALL_ROWS, type Landed, landSome, newLanded } from '../../helpers/compacted.ts';
import { codeOf, land, openTestCore, type TestCore } from '../../helpers/core.ts';
import { startHolding } from '../../helpers/foreign-client.ts';
import { removeTempFolders } from '../../helpers/server.ts';
import { until } from '../../helpers/until.ts';

afterAll(removeTempFolders);

type Settings = {
  policy?: 'off' | 'suggested' | 'automatic';
  files?: number;
  retention_days?: number;
};

/** A core with a stream of 5 batches, and a policy over it whose clock the test turns. */
const open = async (settings: Settings) => {
  const landed = newLanded();
  const core = openTestCore({ home: landed.home });
  core.createKnowledgebase('k');
  const clock = { at: Date.now() };
  const policy = openPolicy(core, () => clock.at);
  onTestFinished(async () => {
    await policy.close();
    await core.close();
  });
  await landSome(core, landed, 5);
  set(core, settings);
  await core.knowledgebase('k').views.settled(15_000);
  return { core, landed, policy, clock };
};

const set = (core: TestCore, settings: Settings): void => {
  const { paths, settings: now } = core.knowledgebase('k').streams.get('s');
  writeSettings(paths.settings, { ...now(), compaction: { ...now().compaction, ...settings } });
};

const runs = (core: TestCore): CompactionRun[] => {
  const { ledger, streams } = core.knowledgebase('k');
  return listRuns(ledger(), streams.get('s'), 10);
};

const settled = (core: TestCore) =>
  until('no job runs', () => core.jobs.list().every(({ state }) => state !== 'running'));

describe('automatic', () => {
  it('runs from its number of files on, not before, and not when it is only suggested or off', async () => {
    const { core, policy } = await open({ policy: 'automatic', files: 6 });
    await policy.tick();
    await settled(core);
    expect(runs(core)).toEqual([]);
    for (const other of ['suggested', 'off'] as const) {
      set(core, { policy: other, files: 5 });
      await policy.tick();
      await settled(core);
      expect(runs(core)).toEqual([]);
    }
    expect(core.listStreams('k')[0]).toMatchObject({ looseFiles: 5, compactionSuggested: false });
    set(core, { policy: 'automatic', files: 5 });
    expect(core.listStreams('k')[0]).toMatchObject({ looseFiles: 5, compactionSuggested: true });
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([
      { by: 'policy', state: 'done', filesBefore: 5, filesAfter: 1 },
    ]);
    expect(core.listStreams('k')[0]).toMatchObject({
      looseFiles: 0,
      compactionSuggested: false,
      files: 1,
    });
  });

  it('waits while the machine is busy landing', async () => {
    const { core, policy, clock } = await open({ policy: 'automatic', files: 2 });
    // A second more than what counts as busy, in half a minute.
    await land(core, 'other', '{"a":1}\n'.repeat(BUSY_ROWS_A_SECOND * 31));
    await policy.tick();
    await settled(core);
    expect(runs(core)).toEqual([]);
    clock.at += 31_000;
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([{ by: 'policy', state: 'done' }]);
  });

  it('leaves what a person has taken back, until as many new files have landed', async () => {
    const { core, landed, policy } = await open({ policy: 'automatic', files: 4 });
    await policy.tick();
    await settled(core);
    const [first] = runs(core);
    expect(first).toMatchObject({ by: 'policy', state: 'done', filesBefore: 5 });
    await core.jobs.outcome(startUndo(core, 'k', 's').id);
    await landSome(core, landed, 3);
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([{ run: first?.run, undoneAt: expect.any(String) }]);
    await landSome(core, landed, 1);
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([
      { by: 'policy', state: 'done', filesBefore: 9, undoneAt: null },
      { run: first?.run },
    ]);
    // From here on it is as before the undo.
    await landSome(core, landed, 4);
    await policy.tick();
    await settled(core);
    expect(runs(core)[0]).toMatchObject({ by: 'policy', state: 'done', undoneAt: null });
    expect(runs(core)).toHaveLength(3);
  });

  it('gives way to a program that keeps kb.duckdb, and comes back later', {
    timeout: 60_000,
  }, async () => {
    const { core, landed, policy, clock } = await open({ policy: 'automatic', files: 2 });
    const holder = await startHolding(landed.root, 'READ_ONLY');
    await policy.tick();
    const [job] = core.jobs.list();
    await until('it says whom it waits for', () =>
      core.jobs.get(job?.id as number)?.words?.includes(`(pid ${holder.pid})`),
    );
    core.jobs.cancel(job?.id as number);
    await settled(core);
    await holder.stop();
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([{ state: 'cancelled' }]);
    clock.at += 601_000;
    await policy.tick();
    await settled(core);
    expect(runs(core)).toMatchObject([{ by: 'policy', state: 'done' }, { state: 'cancelled' }]);
  });
});

describe('retention', () => {
  const compact = async (core: TestCore): Promise<CompactionRun> =>
    (await core.jobs.outcome(
      (
        await startCompaction(core, 'k', 's')
      ).id,
    )) as unknown as CompactionRun;
  const stream = (core: TestCore) => core.knowledgebase('k').streams.get('s');
  const processed = (landed: Landed): string[] =>
    readdirSync(join(landed.root, 'strata', 'streams', 's', 'processed')).sort();

  it('previews what would go, removes it when it is due, and takes the undo with it', async () => {
    const { core, landed, policy } = await open({});
    const { run, endedAt, bytesBefore } = await compact(core);
    const sums = { files: 5, sizeBytes: bytesBefore };
    const none = { files: 0, sizeBytes: 0 };
    const until7 = new Date(Date.parse(endedAt as string) + 7 * 86_400_000).toISOString();
    const kept = { run, ...sums, keptSince: endedAt, keptUntil: until7, due: false };
    const all = { stream: 's', retentionDays: 7, runs: [kept], kept: sums, due: none };
    expect(listOriginals(stream(core))).toEqual(all);
    expect(listOriginals(stream(core), 0)).toEqual({
      ...{ ...all, retentionDays: 0, due: sums },
      runs: [{ ...kept, keptUntil: endedAt, due: true }],
    });
    expect(await removeOriginals(core.knowledgebase('k'), stream(core))).toEqual(all);
    await policy.tick();
    expect(processed(landed)).toEqual([run, `${run}.json`]);
    set(core, { retention_days: 0 });
    await policy.tick();
    expect([processed(landed), listOriginals(stream(core))]).toEqual([
      [],
      { stream: 's', retentionDays: 0, runs: [], kept: none, due: none },
    ]);
    expect(runs(core)).toMatchObject([
      { run, state: 'done', undoable: false, originalsUntil: null },
    ]);
    const { rows } = await queryPage(core.knowledgebase('k').query, ALL_ROWS, { limit: 1_000 });
    expect(rows).toEqual(landed.rows);
  });

  it('one run goes with those that stand below it; a run that keeps nothing is refused', async () => {
    const { core, landed } = await open({});
    const one = await compact(core);
    await landSome(core, landed, 6);
    const two = await compact(core);
    expect(processed(landed)).toEqual(
      [one.run, `${one.run}.json`, two.run, `${two.run}.json`].sort(),
    );
    expect((await removeOriginals(core.knowledgebase('k'), stream(core), two.run)).runs).toEqual(
      [],
    );
    expect(processed(landed)).toEqual([]);
    expect(await codeOf(removeOriginals(core.knowledgebase('k'), stream(core), two.run))).toBe(
      'invalid_argument',
    );
  });

  it('of one run says that queries are in the way, and keeps them; what is due goes at a later look', async () => {
    const { core, landed, policy } = await open({});
    const { run } = await compact(core);
    const { query } = core.knowledgebase('k');
    let isOpen = true;
    const reading = query.gate.read(() => until('the query may end', () => !isOpen));
    const asked = removeOriginals(core.knowledgebase('k'), stream(core), run, 200);
    await expect(asked).rejects.toMatchObject({
      code: 'writer_lock_held',
      message: 'Queries are still running. The originals are kept.',
    });
    set(core, { retention_days: 0 });
    const { runs: left } = await removeOriginals(
      ...([core.knowledgebase('k'), stream(core), undefined, 200] as const),
    );
    expect([left.map((one) => one.run), processed(landed)]).toEqual([[run], [run, `${run}.json`]]);
    isOpen = false;
    await reading;
    await policy.tick();
    expect(processed(landed)).toEqual([]);
  });

  it('what a killed removal left is cleared up when the knowledgebase is opened', async () => {
    const { core, landed } = await open({});
    const { run } = await compact(core);
    await core.close();
    const folder = join(landed.root, 'strata', 'streams', 's', 'processed');
    // As `retire` leaves it between its one step and the deletion.
    renameSync(join(folder, run), join(folder, `${run}.gone`));
    const again = openTestCore({ home: landed.home });
    onTestFinished(() => again.close());
    again.knowledgebase('k');
    expect(processed(landed)).toEqual([]);
    expect(runs(again)).toMatchObject([
      { run, state: 'done', undoable: false, originalsUntil: null },
    ]);
  });
});
