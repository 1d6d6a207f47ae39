// Streams with very many columns, or long rows: dry run, compaction and undo in the memory that is said.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { planCompaction } from '../../../core/engine/compaction/plan.ts';
import { runFault } from '../../../core/engine/compaction/room.ts';
import { verify } from '../../../core/engine/verify.ts';
import { openDuckdb } from '../../../core/lake/duckdb.ts';
import { compact, contentOf, openCompacted, parts, undo } from '../../helpers/compacting.ts';
import { land } from '../../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

type Records = readonly Readonly<Record<string, string>>[];

/** A record with the columns `from` to `to`. */
const record = (from: number, to: number, value: (column: number) => string) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, at) => [`c${from + at}`, value(from + at)]),
  );

/** Lands the batches, plans, compacts and undoes; the promises hold at each step. */
const throughAll = async (batches: readonly Records[], sampled = batches.length): Promise<void> => {
  const { core, landed } = await openCompacted();
  for (const records of batches) {
    await land(core, 's', records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
  await core.knowledgebase('k').views.settled(15_000);
  const before = contentOf(landed);
  const { knowledgebase, stream, ledger } = parts(core);
  const plan = await planCompaction(knowledgebase, stream, true);
  expect([plan.into, plan.gain?.sampledFiles]).toEqual([1, sampled]);
  const columns = ledger.columns.count('s');
  const largest = ledger.batches.largestBody('s');
  expect(plan.memoryBytes).toBe(
    Math.max(256 * 2 ** 20, 24 * largest + columns * 2 ** 19) +
      192 * 2 ** 20 +
      batches.length * 6_144,
  );
  const run = await compact(core);
  expect([run.filesBefore, run.filesAfter]).toEqual([batches.length, 1]);
  expect((await verify(knowledgebase)).holds).toBe(true);
  await undo(core);
  expect([contentOf(landed), (await verify(knowledgebase)).holds]).toEqual([before, true]);
};

const LONG = { timeout: 60_000 } as const;

describe('a stream is compacted that has', () => {
  it.each([300, 1_000, 2_000])('%i columns of one value', LONG, async (columns) => {
    await throughAll(Array.from({ length: 2 }, () => [record(0, columns, () => 'ok')]));
  });

  it('500 columns, half of them with long text that is never the same', LONG, async () => {
    const value = (column: number, row: string): string =>
      column % 2 === 0 ? 'ok' : `${row} ${column} `.repeat(20);
    await throughAll(
      Array.from({ length: 3 }, (_, batch) =>
        Array.from({ length: 4 }, (_, row) =>
          record(0, 500, (column) => value(column, `${batch}-${row}`)),
        ),
      ),
    );
  });

  it('rows of 80 kB, more of them than the memory holds', LONG, async () => {
    const text = (row: string): string =>
      createHash('sha512').update(row).digest('base64').repeat(910);
    const batches = Array.from({ length: 300 }, (_, batch) =>
      Array.from({ length: 10 }, (_row, row) => ({ a: text(`${batch}-${row}`), b: 'ok' })),
    );
    await throughAll(batches, 10);
  });

  it('900 columns, of which each batch has others', LONG, async () => {
    await throughAll(
      [0, 250, 500].map((from) => [record(from, from + 400, (column) => `${column % 3}`)]),
    );
  });
});

it('memory that is used up is told as what it is, with what to do', async () => {
  const { core } = await openCompacted(undefined, 2);
  const columns = Array.from({ length: 300 }, (_, at) => `'v' || (i % 3) AS c${at}`).join(', ');
  const path = join(tempFolder(), 'a.parquet');
  const duckdb = await openDuckdb(':memory:', { memory_limit: '64MiB', threads: '1' });
  const error = await duckdb.connection
    .run(`COPY (SELECT ${columns} FROM range(100) AS t(i)) TO '${path}' (FORMAT parquet)`)
    .catch((reason: unknown) => reason);
  duckdb.close();
  expect(runFault(error, parts(core).stream)).toMatchObject({
    code: 'out_of_memory',
    message: 'There was not enough memory to merge the files. Every file is as it was.',
    hint: expect.stringMatching(/^Close other programs and compact again\./),
    details: { reason: expect.stringMatching(/^Out of Memory Error/) },
  });
});
