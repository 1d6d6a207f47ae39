// Owns exporting a query's rows to one Parquet file. Never runs it itself; copy-rows.ts does.

import { AppError } from '../errors.ts';
import { runToEnd } from './apart/lake.ts';
import type { QueryContext } from './query.ts';

/** Copies the rows to `path` and returns how many they were; `onProgress` hears per cent. Throws as queryPage. */
export const copyToParquet = (
  context: QueryContext,
  sql: string,
  path: string,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<number> =>
  context.gate.read(async () => {
    await context.refresh(sql);
    const { paths, lake } = context;
    const input = { root: paths.root, streams: context.streams(), sql, path };
    try {
      return await runToEnd(lake.run('copy', input, signal), onProgress);
    } catch (error) {
      if (signal.aborted) throw new AppError('query_cancelled', 'The export was cancelled.');
      throw error;
    }
  });
