// Owns the dry run of a stream's compaction: at once without query times, then measured. Never measures while one runs.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, queryClient } from '../../../api.ts';

/** Loose files up to here are drawn one by one. */
const ONE_BY_ONE = 98;

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
  const canMeasure = isReady && !isRunning && (plan?.merged.files ?? 0) > 0;
  const measuring = useQuery(
    api.compaction.plan.queryOptions({
      input: { ...input, measure: true },
      enabled: canMeasure,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  // A measurement is noted in the history of cost.
  const { dataUpdatedAt } = measuring;
  useEffect(() => {
    if (dataUpdatedAt > 0) {
      void queryClient.invalidateQueries({ queryKey: api.compaction.cost.key() });
    }
  }, [dataUpdatedAt]);
  return {
    plan,
    // A measurement is shown while it is of these files: not after a compaction or an undo made others of them.
    measured:
      measuring.data && (isRunning || measuring.data.at > (changedAt ?? ''))
        ? measuring.data
        : undefined,
    isMeasuring: measuring.isFetching,
    error,
    measureError: measuring.error,
    measure: () => void measuring.refetch(),
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
