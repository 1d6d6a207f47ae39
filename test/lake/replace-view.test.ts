// Replacing a stream's view: its files are looked at when it is written down, not when it is committed, and it stays as
// it was where what comes in between fails.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readRows } from '../../core/lake/duckdb.ts';
import { viewQuery } from '../../core/lake/view-query.ts';
import { openViews, readView, replaceView } from '../../core/lake/views.ts';
import { openCompacted } from '../helpers/compacting.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

/** A stream `s` with batches, its view, and kb.duckdb open for writing. */
const open = async () => {
  const { core, landed } = await openCompacted(undefined, 3);
  const { paths } = core.knowledgebase('k');
  await core.close();
  const { duckdb } = await openViews(paths);
  return { paths, duckdb, landed, data: paths.stream('s').data };
};

it('no file that comes in between is looked at, and then it is in the view', async () => {
  const { paths, duckdb, data } = await open();
  const broken = join(data, 'broken.parquet');
  const replaced = replaceView(duckdb.connection, 's', viewQuery(paths, 's'), async () =>
    writeFileSync(broken, 'no Parquet'),
  );
  await replaced;
  await expect(readRows(duckdb.connection, 'FROM raw_extracted.stream_s')).rejects.toThrow(
    'broken.parquet',
  );
  // What is committed is looked at when it is written down.
  await expect(replaceView(duckdb.connection, 's', viewQuery(paths, 's'))).rejects.toThrow(
    'broken.parquet',
  );
  rmSync(broken);
  duckdb.close();
});

it('what fails in between leaves the view as it was, also for who opens the file next', async () => {
  const { paths, duckdb, landed } = await open();
  const before = await readView(duckdb.connection, 's');
  const replaced = replaceView(duckdb.connection, 's', 'SELECT 1', async () => {
    throw new Error('in between');
  });
  await expect(replaced).rejects.toThrow('in between');
  expect(await readView(duckdb.connection, 's')).toBe(before);
  duckdb.close();
  const { duckdb: again } = await openViews(paths);
  const rows = await readRows(again.connection, 'SELECT count(*) FROM raw_extracted.stream_s');
  expect(rows).toEqual([[String(landed.rows.length)]]);
  again.close();
});
