// Writing kb.duckdb beside queries of other processes of ours: it waits for the last of them, though the system has
// dropped DuckDB's lock with the first; what they read is whole.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KnowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { openGate } from '../../core/lake/gate.ts';
import { readKb, writeKb } from '../../core/lake/kb-file.ts';
import { queryPage } from '../../core/lake/query.ts';
import { openViews } from '../../core/lake/views.ts';
import { codeOf, land, openTestCore } from '../helpers/core.ts';
import { emptyContext } from '../helpers/query.ts';
import { bundled, type RunningModule, runModule } from '../helpers/run-module.ts';
import { removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let module: string;
beforeAll(async () => {
  module = await bundled(new URL('../helpers/two-queries.ts', import.meta.url));
});
afterAll(removeTempFolders);

const ROWS = 1_000_000;
/** What a query says that has read every row. */
const WHOLE = JSON.stringify({ rows: ROWS, sum: (ROWS * (ROWS - 1)) / 2 });
const SQL = 'SELECT n FROM kb.main.taken';

/** A table as a snapshot is one: rows in kb.duckdb itself. */
const fill = (paths: KnowledgebasePaths, name: string, from: number): Promise<void> =>
  writeKb({ paths, gate: openGate() }, `making ${name}`, async (connection) => {
    await connection.run(`CREATE TABLE ${name} AS SELECT range + ${from} AS n,
      md5(range::VARCHAR) AS pad FROM range(${ROWS})`);
    await connection.run('CHECKPOINT');
  });

const startReading = async (root: string): Promise<RunningModule> => {
  const reader = runModule(module, [root, SQL]);
  onTestFinished(() => void reader.child.kill('SIGKILL'));
  await reader.said('reading');
  return reader;
};

describe('the second of two queries of another process', () => {
  it('reads every row as it was, and who writes kb.duckdb waits for it', async () => {
    const { paths } = await emptyContext();
    await fill(paths, 'taken', 0);
    const reader = await startReading(paths.root);
    const replace = (patienceMs: number) =>
      writeKb(
        { paths, gate: openGate() },
        'taking a snapshot',
        async (connection) => {
          await connection.run('DROP TABLE taken');
          await connection.run('CHECKPOINT');
          await connection.run(`CREATE TABLE taken AS SELECT 7 AS n, repeat('x', 32) AS pad
            FROM range(${ROWS})`);
          await connection.run('CHECKPOINT');
        },
        { patienceMs },
      );
    const first = await replace(200).then(
      () => 'written',
      (error: { code: string; message: string }) => [error.code, error.message],
    );
    reader.child.stdin?.end();
    expect((await reader.ended).stderr).toBe(WHOLE);
    expect(first).toEqual(['writer_lock_held', 'A query in another process is reading the files.']);
    await replace(10_000);
    const read = await readKb({ paths, gate: openGate() }, async (connection) =>
      (await connection.runAndReadAll('SELECT sum(n)::BIGINT FROM taken')).getRows(),
    );
    expect(read).toEqual([[BigInt(7 * ROWS)]]);
  });

  it('is waited for by a new view, which says so; batches land, and are read meanwhile', async () => {
    const core = openTestCore();
    onTestFinished(() => core.close());
    const { paths, views, ledger, query } = core.createKnowledgebase('k');
    await views.settled(15_000);
    await fill(paths, 'taken', 0);
    const reader = await startReading(paths.root);
    await land(core, 'new', '{"a":"1"}\n', 'b');
    await until('the view waits', () =>
      ledger()
        .events.list(50)
        .some(
          ({ message }) =>
            message === 'Views wait: A query in another process is reading the files.',
        ),
    );
    expect(views.has('new')).toBe(false);
    const page = await queryPage(query, 'SELECT a FROM raw_extracted.stream_new');
    expect(page.rows).toEqual([['1']]);
    reader.child.stdin?.end();
    expect((await reader.ended).stderr).toBe(WHOLE);
    expect(await views.settled(15_000)).toBe(true);
    expect(views.has('new')).toBe(true);
  });
});

it('a query waits for who writes kb.duckdb', async () => {
  const [written, other] = [await emptyContext(), await emptyContext()];
  const { duckdb } = await openViews(written.paths);
  const reading = readKb(written, async () => 'read', { patienceMs: 0 });
  expect(await codeOf(reading)).toBe('writer_lock_held');
  let isDone = false;
  const page = queryPage(written, 'SELECT 1').finally(() => {
    isDone = true;
  });
  for (let n = 0; n < 5; n += 1) await queryPage(other, 'SELECT 1');
  expect(isDone).toBe(false);
  duckdb.close();
  expect(await page).toMatchObject({ rows: [['1']], unavailable: null });
});
