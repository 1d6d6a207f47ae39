// How much of a statement is done is heard while it runs.

import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, onTestFinished } from 'vitest';
import { runWatched } from '../../../core/lake/compact/watch.ts';

it('a statement that takes long says how far it is, ever farther', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await connection.run('CREATE TABLE numbers AS SELECT range AS n FROM range(6_000_000)');
  const sql = 'SELECT count(DISTINCT md5(n::VARCHAR)) FROM numbers';
  const parts: number[] = [];
  const reader = await runWatched(
    connection,
    () => connection.runAndReadAll(sql),
    (part) => parts.push(part),
  );
  expect(reader.getRows()).toEqual([[6_000_000n]]);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts).toEqual([...new Set(parts)].sort((one, other) => one - other));
  expect(parts.every((part) => part > 0 && part <= 1)).toBe(true);
});
