// The dry run: what it says of files, bytes, time and memory, and that it changes nothing.

import { afterAll, describe, expect, it } from 'vitest';
import { planCompaction } from '../../../core/engine/compaction/plan.ts';
import { openSqlite } from '../../../core/sqlite.ts';
import { landSome } from '../../helpers/compacted.ts';
import { compact, contentOf, filesIn, openCompacted, parts } from '../../helpers/compacting.ts';
import { removeTempFolders } from '../../helpers/server.ts';

afterAll(removeTempFolders);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('the dry run', () => {
  it('says what would be, and changes nothing', async () => {
    const { core, landed } = await openCompacted(undefined, 6);
    const before = contentOf(landed);
    const { knowledgebase, stream, ledger } = parts(core);
    const { sizeBytes, rows } = ledger.streams.get('s') as { sizeBytes: number; rows: number };
    const all = { files: 6, rows, sizeBytes };
    const cost = {
      groupByMs: expect.any(Number),
      countMs: expect.any(Number),
      batchMs: expect.any(Number),
    };
    const plan = await planCompaction(knowledgebase, stream, true);
    expect(plan).toEqual({
      ...{ stream: 's', at: TIME, now: all, loose: all, merged: all, into: 1, waits: [] },
      policy: { policy: 'suggested', files: 2_000, retentionDays: 7 },
      after: { files: 1, rows, sizeBytes: expect.any(Number) },
      gain: { sampledFiles: 6, now: cost, after: cost },
      ...{
        memoryBytes: 469_762_048 + 6 * 6_144,
        freeBytes: expect.any(Number),
        neededBytes: Math.ceil(2.2 * sizeBytes),
      },
      suggested: false,
    });
    expect((await planCompaction(knowledgebase, stream, false)).gain).toBe(null);
    expect(ledger.queryCosts.list('s', '')).toEqual([{ at: TIME, files: 6, rows, ...cost }]);
    expect([contentOf(landed), filesIn(landed, '_tmp')]).toEqual([before, []]);
    await compact(core);
    const after = await planCompaction(knowledgebase, stream, true);
    expect([after.into, after.merged.files, after.gain, after.memoryBytes]).toEqual([
      0,
      0,
      null,
      0,
    ]);
    expect(ledger.queryCosts.list('s', '')).toHaveLength(2);
  });

  it('says the memory for the largest body, also where it is in a compacted file', async () => {
    const { core, landed } = await openCompacted(undefined, 3);
    await compact(core);
    const { knowledgebase, stream } = parts(core);
    const db = openSqlite(knowledgebase.paths.ledger);
    db.prepare("UPDATE batches SET body_bytes = 40000000 WHERE batch_id = 'b-0001'").run();
    db.close();
    await landSome(core, landed, 3);
    const { merged, memoryBytes } = await planCompaction(knowledgebase, stream, false);
    const columns = 512 * 1024 * parts(core).ledger.columns.count('s');
    expect([merged.files, memoryBytes]).toEqual([
      4,
      40_000_000 * 24 + columns + 192 * 1024 * 1024 + 6 * 6_144,
    ]);
  });
});
