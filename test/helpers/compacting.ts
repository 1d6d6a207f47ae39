// Owns running compactions of the known stream in the test's own process, and the look of every reader at it.
// Never says what must be there; compacted.ts does.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startCompaction } from '../../core/engine/compaction/run.ts';
import { startUndo } from '../../core/engine/compaction/undo.ts';
import { rowsPage } from '../../core/engine/rows-page.ts';
import { verify } from '../../core/engine/verify.ts';
import type { Core } from '../../core/index.ts';
import { queryPage } from '../../core/lake/query.ts';
import type { CompactionRun } from '../../core/model.ts';
import { ALL_ROWS, type Landed, landSome, newLanded } from './compacted.ts';
import { openTestCore, type TestCore } from './core.ts';

/** A core over a knowledgebase `k`, the stream's batches landed; closed when the test ends. */
export const openCompacted = async (
  landed: Landed = newLanded(),
  batches = 0,
): Promise<{ core: TestCore; landed: Landed }> => {
  const core = openTestCore({ home: landed.home });
  onTestFinished(() => core.close());
  if (core.listKnowledgebases().length === 0) core.createKnowledgebase('k');
  await landSome(core, landed, batches);
  await core.knowledgebase('k').views.settled(15_000);
  return { core, landed };
};

/** What the tests look at. */
export const parts = (core: Core) => {
  const knowledgebase = core.knowledgebase('k');
  return { knowledgebase, stream: knowledgebase.streams.get('s'), ledger: knowledgebase.ledger() };
};

/** Compacts the stream to the end. */
export const compact = async (core: Core): Promise<CompactionRun> =>
  (await core.jobs.outcome((await startCompaction(core, 'k', 's')).id)) as unknown as CompactionRun;
/** Undoes its newest run to the end. */
export const undo = (core: Core) => core.jobs.outcome(startUndo(core, 'k', 's').id);

/** Every reader of this process sees every row, and the proof holds. */
export const expectAll = async (core: Core, landed: Landed): Promise<void> => {
  const { knowledgebase, stream } = parts(core);
  const { rows } = await queryPage(knowledgebase.query, ALL_ROWS, { limit: 10_000 });
  expect(rows).toEqual(landed.rows);
  const request = { order: 'oldest', offset: 0, limit: 1_000, filters: [] } as const;
  const page = await rowsPage(knowledgebase, stream, request);
  expect(page.rows.map(({ batchId, line }) => [batchId, String(line)])).toEqual(
    landed.rows.map((row) => row.slice(-2)),
  );
  const proof = await verify(knowledgebase);
  expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
  expect(proof.holds).toBe(true);
};

/** Names in a folder of the stream. */
export const filesIn = (landed: Landed, ...names: string[]): string[] =>
  readdirSync(join(landed.root, 'strata', 'streams', 's', ...names)).sort();

/** Each file of data/ with a hash of its bytes. */
export const contentOf = (landed: Landed): Record<string, string> =>
  Object.fromEntries(
    filesIn(landed, 'data').map((name) => {
      const bytes = readFileSync(join(landed.root, 'strata', 'streams', 's', 'data', name));
      return [name, createHash('sha256').update(bytes).digest('hex')];
    }),
  );
