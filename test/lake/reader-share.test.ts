// Owns the proof that files stay where they are until the last query of a process has closed kb.duckdb: the system drops
// the lock that DuckDB has on it when the first does.

import { afterAll, expect, it } from 'vitest';
import { claimFolder } from '../../core/knowledgebase/folder-lock.ts';
import { openReader } from '../../core/lake/reader.ts';
import { emptyContext } from '../helpers/query.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

it('no swap begins while one of two queries goes on', async () => {
  const { paths } = await emptyContext();
  const { signal } = new AbortController();
  const open = () => openReader(paths, [], 'SELECT 1', { signal });
  const [first, second] = [await open(), await open()];
  expect([first.unavailable, second.unavailable]).toEqual([null, null]);
  await first.close();
  expect(claimFolder(paths)).toBeUndefined();
  await second.close();
  const claim = claimFolder(paths);
  expect(claim).toBeDefined();
  const held = open();
  claim?.release();
  await (await held).close();
});
