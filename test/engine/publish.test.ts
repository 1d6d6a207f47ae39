// Publishing beside a process that has put a batch into the folder and not recorded it: on the same day, on another,
// with the other setting. The threads here have a clock that the test moves.

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCodec } from '../../core/lake/parquet/codec.ts';
import type { JobResult, LandTask, StreamPlace } from '../../core/landing/protocol.ts';
import { landingThread } from '../../core/landing/thread.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

let place: StreamPlace;
beforeEach(() => {
  const root = tempFolder();
  const folder = (name: string): string => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  place = {
    ...{ mapKey: root, knowledgebase: 'k', stream: 's', since: '2026-03-01' },
    ...{ data: folder('data'), staging: folder('_tmp'), failed: folder('failed') },
  };
});

const files = (): string[] =>
  readdirSync(place.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.data.length + 1))
    .sort();

let threads = 0;
/** A thread of a process whose ledger knows nothing, on a day. */
const processOn = async (day: string) => {
  threads += 1;
  const clock = { day };
  const thread = landingThread(
    await openCodec(),
    threads,
    async (_, fields) => ({ landed: fields.map(({ source }) => source), fault: null }),
    () => Date.parse(`${clock.day}T12:00:00.000Z`),
  );
  const land = async (change: Partial<LandTask> & { text?: string } = {}): Promise<JobResult> => {
    const { text = '{"a":"1"}\n', ...given } = change;
    const [result] = await thread.run([
      {
        ...{ jobId: 1, place, body: new TextEncoder().encode(text) },
        task: {
          ...{ kind: 'land', batchId: 'one', receivedAt: `${clock.day}T11:59:59.000Z` },
          ...{ sender: null, contentType: null },
          ...{ registered: null, dateFolders: true, isFresh: false },
          ...{ landedAs: [], isTaken: false, partial: false, repairs: null },
          ...given,
        },
      },
    ]);
    return result as JobResult;
  };
  return { land, clock };
};

const MARCH = 'dt=2026-03-02/one.parquet';

describe('a batch that another process has put there', () => {
  it.each<[string, boolean, string, string, boolean]>([
    ['the same day', true, '2026-03-02', '2026-03-02', true],
    ['the day before', true, '2026-03-02', '2026-03-03', true],
    ['months before', true, '2026-03-02', '2026-09-30', true],
    ['before the setting was switched on', false, '2026-03-02', '2026-03-02', true],
    ['before it was switched off', true, '2026-03-02', '2026-03-09', false],
    ['without folders', false, '2026-03-02', '2026-03-09', false],
  ])('%s', async (_, wasDated, first, second, isDated) => {
    const one = await processOn(first);
    expect(await one.land({ dateFolders: wasDated })).toMatchObject({ kind: 'landed' });
    const file = wasDated ? MARCH : 'one.parquet';
    expect(files()).toEqual([file]);
    const other = await processOn(second);
    expect(await other.land({ dateFolders: isDated })).toMatchObject({
      kind: 'replayed',
      found: { file, rows: 1, receivedAt: '2026-03-02T11:59:59.000Z' },
    });
    expect(await other.land({ dateFolders: isDated, text: '{"a":"2"}\n' })).toMatchObject({
      kind: 'rejected',
      reject: { faults: [{ code: 'batch_id_conflict' }] },
    });
    expect(files()).toEqual([file]);
    expect(readdirSync(place.staging)).toEqual([]);
  });
});

describe('the folder of the day', () => {
  it('is the next one after midnight', async () => {
    const { land, clock } = await processOn('2026-03-02');
    await land();
    clock.day = '2026-03-03';
    expect(await land({ batchId: 'two' })).toMatchObject({
      kind: 'landed',
      landed: { file: 'dt=2026-03-03/two.parquet' },
    });
    expect(await land({ batchId: 'fresh', isFresh: true })).toMatchObject({ kind: 'landed' });
    expect(files()).toEqual([
      ...[MARCH, 'dt=2026-03-03/fresh.parquet', 'dt=2026-03-03/two.parquet'],
    ]);
  });

  it('is made again where somebody removed it', async () => {
    const { land } = await processOn('2026-03-02');
    await land();
    rmSync(join(place.data, 'dt=2026-03-02'), { recursive: true });
    expect(await land()).toMatchObject({ kind: 'landed', landed: { file: MARCH } });
    expect(files()).toEqual([MARCH]);
  });

  it('is not made where the whole stream has gone', async () => {
    const { land } = await processOn('2026-03-02');
    await land();
    rmSync(place.data, { recursive: true });
    expect(await land()).toMatchObject({ kind: 'failed' });
    expect(await land({ dateFolders: false })).toMatchObject({ kind: 'failed' });
    expect(() => readdirSync(place.data)).toThrow('ENOENT');
  });
});
