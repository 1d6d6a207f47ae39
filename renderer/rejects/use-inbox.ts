// Owns what the inbox asks the engine for: groups with their counts, the rejects of the open one, how many are new.
// Never pushes a line in.

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { RejectFilter, RejectGroup, RejectState } from '../../core/model.ts';
import { api } from '../api.ts';
import { groupKey, heldGroups } from './inbox-items.ts';
import { filterOf, type InboxState } from './inbox-state.ts';

const PAGE = 200;

/** The groups of a tab, in an order that holds still, and the counts of all tabs. */
export const useGroups = (knowledgebase: string, state: InboxState, tab: RejectState) => {
  const filter = filterOf(state);
  const {
    data: found,
    error,
    refetch,
    isPlaceholderData: isBehind,
  } = useQuery(
    api.rejects.groups.queryOptions({
      input: { knowledgebase, ...filter, state: tab },
      placeholderData: keepPreviousData,
    }),
  );
  // What another filter found stands until this one has; that it found nothing says nothing of this one.
  const data = isBehind && found?.groups.length === 0 ? undefined : found;
  const { data: later } = useQuery(
    api.rejects.groups.queryOptions({
      input: { knowledgebase, ...filter, since: state.until, until: undefined, state: tab },
    }),
  );
  const asked = JSON.stringify([knowledgebase, tab, filter]);
  const before = useRef<{ asked: string; order: readonly string[] }>({ asked: '', order: [] });
  const groups = useMemo(() => {
    if (!data) return undefined;
    const held = before.current.asked === asked ? before.current.order : [];
    const next = heldGroups(held, data.groups);
    before.current = { asked, order: next.map(groupKey) };
    return next;
  }, [data, asked]);
  return {
    groups,
    totals: data?.totals,
    error,
    refetch,
    /** Rejects of this tab that came since. */
    added: later?.totals[tab] ?? 0,
  };
};

/** The filter that a group stands for. */
export const filterOfGroup = (
  { stream, code, field, shape }: Pick<RejectGroup, 'stream' | 'code' | 'field' | 'shape'>,
  state: InboxState,
  tab: RejectState,
): RejectFilter => ({ ...filterOf(state), stream, code, field, shape, state: tab });

/** The rejects of a group as far as they were fetched. */
export const useGroupRejects = (
  knowledgebase: string,
  group: RejectGroup | undefined,
  state: InboxState,
  tab: RejectState,
) => {
  const filter = group ? filterOfGroup(group, state, tab) : {};
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(
    api.rejects.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        knowledgebase,
        ...filter,
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: ({ cursor }) => cursor ?? undefined,
      enabled: group !== undefined,
    }),
  );
  const rejects = useMemo(() => data?.pages.flatMap((page) => page.rejects), [data]);
  return {
    rejects,
    error,
    fetchMore: (): void => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
  };
};
