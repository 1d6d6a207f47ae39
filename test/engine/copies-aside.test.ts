// A copy in data/ that recovery finds while a query of another process may be reading it: it stays until that is over,
// and is set aside then, without another start.

import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { queryPage } from '../../core/lake/query.ts';
import { land, openTestCore } from '../helpers/core.ts';
import { bundled, runModule } from '../helpers/run-module.ts';
import { removeTempFolders } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

afterAll(removeTempFolders);

const SQL = 'SELECT a FROM raw_extracted."stream_s"';

it('is set aside when the query is over', async () => {
  const first = openTestCore();
  const { home } = first;
  const { paths } = first.createKnowledgebase('k');
  await land(first, 's', '{"a":"1"}\n', 'one');
  await first.knowledgebase('k').views.settled(15_000);
  await first.close();
  const { data, failed } = paths.stream('s');
  copyFileSync(join(data, 'one.parquet'), join(data, 'copy.parquet'));
  const module = await bundled(new URL('../helpers/two-queries.ts', import.meta.url));
  const reader = runModule(module, [paths.root, SQL]);
  onTestFinished(() => void reader.child.kill('SIGKILL'));
  await reader.said('reading');

  const core = openTestCore({ home });
  onTestFinished(() => core.close());
  const { recovery, views, query, ledger } = core.knowledgebase('k');
  expect(recovery?.setAside).toEqual([]);
  expect(await until('it waits', () => views.waitingFor ?? undefined)).toBe(
    'A query in another process is reading the files.',
  );
  expect(existsSync(join(data, 'copy.parquet'))).toBe(true);
  reader.child.stdin?.end();
  expect((await reader.ended).stderr).toBe(JSON.stringify({ rows: 2, sum: 2 }));
  expect(await views.settled(15_000)).toBe(true);
  expect([
    existsSync(join(data, 'copy.parquet')),
    existsSync(join(failed, 'copy.parquet')),
  ]).toEqual([false, true]);
  expect((await queryPage(query, SQL)).rows).toEqual([['1']]);
  const told = ledger()
    .events.list(50)
    .filter(({ kind }) => kind === 'file-set-aside')
    .map(({ message }) => message);
  expect(told).toEqual([
    'copy.parquet was set aside in failed/: It holds the batch one, which is in one.parquet already.',
  ]);
});
