// What a stream's state says: what needs a person, until that person has seen it; what is slow or refusing now.

import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { StreamSummary } from '../../core/model.ts';
import { land, openTestCore, type TestCore } from '../helpers/core.ts';
import { damageTable, type Filled, filledKnowledgebase, withCore } from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

afterAll(removeTempFolders);

let filled: Filled;
beforeEach(async () => {
  filled = await filledKnowledgebase();
});

/** How quick this machine is does not matter where something else is asked. */
const stateOf = (core: TestCore): Pick<StreamSummary, 'status' | 'trouble'> => {
  const { status, trouble } = core
    .listStreams('k')
    .find(({ stream }) => stream === 's') as never as StreamSummary;
  return trouble?.startsWith('Slow: ') ? WELL : { status, trouble };
};

/** The state when the knowledgebase is opened again, by one that writes. */
const state = () => withCore(filled.home, stateOf, { mayLog: true });

const acknowledge = () =>
  withCore(filled.home, (core) =>
    core.knowledgebase('k').ledger().alerts.acknowledge('S', new Date().toISOString()),
  );

const WELL = { status: 'landing', trouble: null } as const;
const error = (trouble: string) => ({ status: 'error', trouble });
const spoil = (name: string): void => writeFileSync(filled.at('data', name), 'no Parquet');

describe('a file that was set aside', { timeout: 60_000 }, () => {
  it('keeps its stream in error until somebody has seen it', async () => {
    expect(await state()).toEqual(WELL);
    spoil('a.parquet');
    expect(await state()).toEqual(error('1 broken file set aside'));
    expect(await state()).toEqual(error('1 broken file set aside'));
    spoil('b.parquet');
    expect(await state()).toEqual(error('2 broken files set aside'));
    expect(await acknowledge()).toBe(2);
    expect(await acknowledge()).toBe(0);
    expect(await state()).toEqual(WELL);
    spoil('a.parquet');
    expect(await state(), 'another one of the same name').toEqual(error('1 broken file set aside'));
    const events = await withCore(filled.home, (core) =>
      core.knowledgebase('k').ledger().events.list(100),
    );
    expect(events.filter(({ kind }) => kind === 'file-set-aside').length).toBe(3);
  });

  it('is no matter any more once somebody has taken it out of failed/', async () => {
    spoil('a.parquet');
    expect(await state()).toEqual(error('1 broken file set aside'));
    for (const end of ['', '.txt']) rmSync(filled.at('failed', `a.parquet${end}`));
    expect(await state()).toEqual(WELL);
  });

  it('stays seen through a repair, and through one of a damaged ledger as far as that can be read', async () => {
    spoil('a.parquet');
    await state();
    await acknowledge();
    await withCore(filled.home, (core) => core.repair('k'));
    expect(await state()).toEqual(WELL);
    damageTable(filled, 'batches_by_stream');
    await withCore(filled.home, (core) => core.repair('k'), { mayLog: true });
    expect(await state()).toEqual(WELL);
  });

  it('is told again where the ledger that knew of it is gone', async () => {
    spoil('a.parquet');
    await state();
    await acknowledge();
    for (const end of ['', '-wal', '-shm']) rmSync(`${filled.paths.ledger}${end}`, { force: true });
    expect(await state()).toEqual(error('1 broken file set aside'));
  });
});

it('a missing file is told until it is back', async () => {
  const file = filled.at('data', 'one.parquet');
  const elsewhere = filled.at('one.parquet');
  renameSync(file, elsewhere);
  expect(await state()).toEqual(error('1 landed file is missing'));
  spoil('a.parquet');
  expect(await state()).toEqual(error('1 broken file set aside, 1 landed file is missing'));
  const events = await withCore(filled.home, (core) =>
    core.knowledgebase('k').ledger().events.list(100),
  );
  expect(events.filter(({ kind }) => kind === 'file-missing').length).toBe(1);
  copyFileSync(elsewhere, file);
  expect(await state()).toEqual(error('1 broken file set aside'));
});

describe('a stream is lagging', { timeout: 60_000 }, () => {
  const late = (core: TestCore, stream: string, ms: number) =>
    core.land('k', stream, {
      body: new TextEncoder().encode('{"a":1}\n'),
      batchId: undefined,
      sender: 'test',
      contentType: 'application/x-ndjson',
      receivedAt: new Date(Date.now() - ms).toISOString(),
    });

  it('where batches take long from received to landed', () =>
    withCore(filled.home, async (core) => {
      await late(core, 'slow', 3_040);
      const [, slow] = core.listStreams('k');
      expect(slow).toMatchObject({ stream: 'slow', status: 'lagging' });
      const lagMs = slow?.lagMs ?? 0;
      expect(lagMs).toBeGreaterThanOrEqual(3_040);
      const seconds = (lagMs / 1_000).toFixed(1);
      expect(slow?.trouble).toBe(`Slow: ${seconds} s from received to landed`);
      expect(stateOf(core)).toEqual(WELL);
    }));

  it('where it refuses; how often is known where it does', () =>
    withCore(filled.home, async (core) => {
      const target = core.intake.target('k', 's');
      target.refuse('body_too_large');
      for (let times = 0; times < 12; times += 1) target.refuse('stream_busy');
      const words = 'Refusing: too much in flight';
      const now = await until('the refusals are counted', () => {
        const one = stateOf(core);
        return Promise.resolve(one.status === 'lagging' ? one : undefined);
      });
      expect(now).toEqual({ status: 'lagging', trouble: `${words}, 12 in the last minute` });
      const other = openTestCore({ home: filled.home, writing: false });
      expect(stateOf(other)).toEqual({ status: 'lagging', trouble: words });
      await other.close();
    }));

  it('but what needs a person comes first', async () => {
    spoil('a.parquet');
    await withCore(
      filled.home,
      async (core) => {
        await late(core, 's', 60_000);
        expect(stateOf(core)).toEqual(error('1 broken file set aside'));
      },
      { mayLog: true },
    );
  });

  it('and a stream without a batch is new', () =>
    withCore(filled.home, async (core) => {
      core.knowledgebase('k').streams.create('empty', null);
      await land(core, 's', '{"a":1}\n');
      expect(core.listStreams('k').map(({ status }) => status)[0]).toBe('new');
      expect(stateOf(core)).toEqual(WELL);
    }));
});
