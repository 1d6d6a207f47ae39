// Owns searching in bodies: pages of what was found, as many as it takes to fill the view. Never searches by itself
// again: a search reads bodies.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { RejectState } from '../../core/model.ts';
import { client } from '../api.ts';
import { filterOf, type InboxState } from './inbox-state.ts';

const PAGE = 100;
/** A search goes on by itself until so many are found. */
const ENOUGH = 100;

/** What was found so far of the inbox's text. */
export const useSearch = (knowledgebase: string, state: InboxState, tab: RejectState) => {
  const { text } = state;
  const filter = filterOf(state);
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['rejects searched', knowledgebase, tab, filter, text],
    queryFn: ({ pageParam, signal }) =>
      client.rejects.list(
        {
          ...{ knowledgebase, ...filter, state: tab, text, limit: PAGE },
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const found = useMemo(() => data?.pages.flatMap((page) => page.rejects), [data]);
  const searched = data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0;
  const isShort = (found?.length ?? 0) < ENOUGH;
  useEffect(() => {
    if (hasNextPage && !isFetching && isShort) void fetchNextPage();
  }, [hasNextPage, isFetching, isShort, fetchNextPage]);
  return {
    found,
    searched,
    error,
    isDone: data !== undefined && !hasNextPage,
    fetchMore: (): void => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
  };
};
