// Owns the dry run of a stream's compaction: at once without query times, then measured. Never measures while one runs.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, client, queryClient } from '../../../api.ts';

/** Loose files up to here are drawn one by one. */
const ONE_BY_ONE = 98;
/** A measurement is made anew when so many times the files are there. */
const GROWN = 1.5;

/** The plan as it is now, and as it was measured. */
export const usePlan = (
  knowledgebase: string,
  stream: string,
  {
    isReady,
    isRunning,
    changedAt,
  }: {
    isReady: boolean;
    isRunning: boolean;
    /** When the files were compacted or brought back last. */
    changedAt: string | null;
  },
) => {
  const input = { knowledgebase, stream };
  const { data: plan, error } = useQuery(
    api.compaction.plan.queryOptions({
      input: { ...input, measure: false },
      refetchInterval: isRunning ? false : 10_000,
    }),
  );
  // A plan of before the files changed says nothing of those that are there.
  const isFresh = plan !== undefined && plan.at > (changedAt ?? '');
  const canMeasure = isReady && !isRunning && isFresh && plan.merged.files > 0;
  // Its own key, with the time of the last change: what compaction renews is not measured again with everything else.
  const {
    data,
    isFetching,
    error: measureError,
    refetch,
    dataUpdatedAt,
  } = useQuery({
    queryKey: ['compaction gain', knowledgebase, stream, changedAt],
    queryFn: () => client.compaction.plan({ ...input, measure: true }),
    enabled: canMeasure,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const measured = data && data.merged.files > 0 ? data : undefined;
  const isOutgrown =
    canMeasure && measured !== undefined && plan.merged.files > measured.merged.files * GROWN;
  useEffect(() => {
    if (isOutgrown) void refetch();
  }, [isOutgrown, refetch]);
  // A measurement is noted in the history of cost.
  useEffect(() => {
    if (dataUpdatedAt > 0) {
      void queryClient.invalidateQueries({ queryKey: api.compaction.cost.key() });
    }
  }, [dataUpdatedAt]);
  return {
    plan,
    measured,
    isMeasuring: isFetching,
    error,
    measureError,
    measure: () => void refetch(),
  };
};

/** Rows of the loose files, oldest first; null where they are too many to be drawn one by one. */
export const useLooseRows = (
  knowledgebase: string,
  stream: string,
  files: number | undefined,
): readonly number[] | null => {
  const isFew = files !== undefined && files <= ONE_BY_ONE;
  const options = api.compaction.files.queryOptions({
    input: { knowledgebase, stream, kind: 'loose', limit: ONE_BY_ONE },
  });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, files],
    enabled: isFew,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(
    () => (isFew && data ? data.files.map(({ rows }) => rows).reverse() : null),
    [isFew, data],
  );
};
