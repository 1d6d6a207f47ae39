// Owns a process with two queries of one knowledgebase: ROOT SQL. The first ends at once; the second has begun to read
// then, and reads on when its stdin ends. How many rows it got, and the sum of the first column, it leaves on stderr.

import { knowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { openReader } from '../../core/lake/reader.ts';

const [root, sql] = process.argv.slice(2) as [string, string];
const paths = knowledgebasePaths(root);
const { signal } = new AbortController();
const [first, second] = [
  await openReader(paths, [], 'SELECT 1', { signal }),
  await openReader(paths, [], sql, { signal }),
];
const result = await second.duckdb.connection.stream(sql);
const seen = { rows: 0, sum: 0 };
const readChunk = async (): Promise<boolean> => {
  const chunk = await result.fetchChunk();
  if (!chunk || chunk.rowCount === 0) return false;
  for (const [value] of chunk.getRows()) seen.sum += Number(value);
  seen.rows += chunk.rowCount;
  return true;
};
await readChunk();
await first.close();
process.stdout.write('reading\n');
process.stdin.once('end', async () => {
  try {
    while (await readChunk());
    await second.close();
    process.stderr.write(JSON.stringify(seen));
  } catch (error) {
    process.stderr.write(`broken: ${(error as Error).message.split('\n', 1)[0]}`);
  }
});
process.stdin.resume();
