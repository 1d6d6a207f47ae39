// Owns what completion knows of the knowledgebase: the streams that have rows, and their columns.
// Never offers anything itself.

import { useEffect, useMemo, useRef } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api, queryClient } from '../../api.ts';
import { viewOf } from '../../app/words.ts';
import { shortCount } from '../../ui/format.ts';
import type { SqlNames } from './sql-completion.ts';
import { OWN_COLUMNS } from './stream-tree.tsx';

/** The names; `streams` is undefined until they have arrived. */
export const useSqlNames = (
  knowledgebase: string,
  streams: readonly StreamSummary[] | undefined,
): SqlNames => {
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (streams === undefined) return;
    for (const hear of waiting.current.splice(0)) hear();
  }, [streams]);
  return useMemo(
    () => ({
      streams: () =>
        streams
          ?.filter(({ rows }) => rows > 0)
          .map(({ stream, rows }) => ({ name: stream, detail: `${shortCount(rows)} rows` })),
      known: () => new Promise<void>((resolve) => waiting.current.push(resolve)),
      viewOf,
      columnsOf: async (stream) => {
        const options = api.streams.columns.queryOptions({
          input: { knowledgebase, stream },
          staleTime: 15_000,
        });
        const columns = await queryClient.fetchQuery(options).catch(() => []);
        return [...columns.map(({ landed }) => landed), ...OWN_COLUMNS.map(([name]) => name)];
      },
    }),
    [knowledgebase, streams],
  );
};
