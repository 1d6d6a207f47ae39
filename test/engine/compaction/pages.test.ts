// Pages of a compacted stream: by place inside a file of many batches, by a filter over files that changed since it was
// counted, and those that were given up.

import { afterAll, describe, expect, it } from 'vitest';
import type { RowsRequest } from '../../../core/engine/row-conditions.ts';
import { rowsPage } from '../../../core/engine/rows-page.ts';
import type { Core } from '../../../core/index.ts';
import { newLanded, type Row } from '../../helpers/compacted.ts';
import { compact, openCompacted, parts, undo } from '../../helpers/compacting.ts';
import { codeOf } from '../../helpers/core.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const ALL: RowsRequest = { order: 'oldest', offset: 0, limit: 1_000, filters: [] };
const FILTERED: RowsRequest = { ...ALL, filters: [{ column: 'a', is: 'null' }] };

const page = async (core: Core, request: RowsRequest) => {
  const { knowledgebase, stream } = parts(core);
  const { rows, total } = await rowsPage(knowledgebase, stream, request);
  return [total, rows.map(({ row, batchId, line }) => [row, batchId, line])];
};

/** What a page must have: each row's number in the stream, its batch and its line. */
const expected = (rows: readonly Row[], isWanted: (row: Row) => boolean) => {
  const found = rows.flatMap((row, at) =>
    isWanted(row) ? [[at, row.at(-2), Number(row.at(-1))]] : [],
  );
  return [found.length, found];
};

describe('a page', () => {
  it('of any rows is the same before, after, and after the undo', async () => {
    const { core, landed } = await openCompacted(newLanded(), 9);
    const expectPages = async (): Promise<void> => {
      const [total, all] = expected(landed.rows, () => true) as [number, unknown[]];
      for (let from = 0; from < total; from += 1) {
        for (const limit of [1, 2, 7]) {
          const own = [total, all.slice(from, from + limit)];
          expect(await page(core, { ...ALL, offset: from, limit })).toEqual(own);
        }
      }
      const last = [total, all.slice(-3).reverse()];
      expect(await page(core, { ...ALL, order: 'newest', limit: 3 })).toEqual(last);
    };
    await compact(core);
    await expectPages();
    await undo(core);
    await expectPages();
  });

  it('by a filter is counted again when its files have changed', async () => {
    const { core, landed } = await openCompacted(newLanded(), 9);
    const all = expected(landed.rows, ([, a]) => a === null);
    expect(all[0]).toBe(7);
    const pages = async (): Promise<void> => {
      expect(await page(core, FILTERED)).toEqual(all);
      expect(await page(core, { ...FILTERED, offset: 4, limit: 2 })).toEqual([
        7,
        (all[1] as unknown[]).slice(4, 6),
      ]);
      // Up to the middle of a batch.
      expect(await page(core, { ...FILTERED, before: 5 })).toEqual(
        expected(landed.rows.slice(0, 5), ([, a]) => a === null),
      );
    };
    await pages();
    await compact(core);
    await pages();
    await undo(core);
    await pages();
  });

  it('that was given up is not read', async () => {
    const { core } = await openCompacted(newLanded(), 4);
    await compact(core);
    const { knowledgebase, stream } = parts(core);
    for (const request of [ALL, FILTERED]) {
      const reading = rowsPage(knowledgebase, stream, request, AbortSignal.abort());
      expect(await codeOf(reading)).toBe('query_cancelled');
    }
  });
});
