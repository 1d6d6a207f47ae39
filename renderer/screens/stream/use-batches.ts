// Owns the batches of a stream as they are listed: newest first, fetched as the end comes near.
// Never puts new ones in by itself.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';

const PAGE = 200;

/** The batches fetched so far. */
export const useBatches = (knowledgebase: string, { stream }: StreamSummary) => {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    api.streams.batches.infiniteOptions({
      input: (beforeSeq: number | undefined) => ({
        knowledgebase,
        stream,
        limit: PAGE,
        ...(beforeSeq === undefined ? {} : { beforeSeq }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.seq),
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
      refetchOnReconnect: false,
    }),
  );
  const batches = useMemo(() => data?.pages.flat(), [data]);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { batches, error, isFetching, onEnd, refetch };
};
