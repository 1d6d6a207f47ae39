// Owns the files of a stream as they are listed, newest first, fetched as the end comes near; and finding one of them.
// Never puts new ones in by itself, but after a compaction.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { StreamFile } from '../../../../core/model.ts';
import { api, client } from '../../../api.ts';

const PAGE = 200;
const MOST = 1_000;
const COMPACTED = 'file:';

/** How the address names a file: by its batch, or by its own name where it holds many. */
export const nameOf = ({ batchId, file }: Pick<StreamFile, 'batchId' | 'file'>): string =>
  batchId ?? `${COMPACTED}${file}`;

/** The files fetched so far. */
export const useFiles = (knowledgebase: string, stream: string) => {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    api.compaction.files.infiniteOptions({
      input: (before: number | undefined) => ({
        ...{ knowledgebase, stream, limit: PAGE },
        ...(before === undefined ? {} : { before }),
      }),
      initialPageParam: undefined,
      getNextPageParam: ({ files }) => (files.length < PAGE ? undefined : files.at(-1)?.place),
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
      refetchOnReconnect: false,
    }),
  );
  const files = useMemo(() => data?.pages.flatMap((page) => page.files), [data]);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { files, sums: data?.pages[0], error, isFetching, onEnd, refetch };
};

/** The compacted files of a stream, oldest first; undefined until they are known. */
export const useCompactedFiles = (
  knowledgebase: string,
  stream: string,
): readonly StreamFile[] | undefined => {
  const { data } = useQuery(
    api.compaction.files.queryOptions({
      input: { knowledgebase, stream, kind: 'compacted', limit: MOST },
    }),
  );
  return useMemo(() => data && [...data.files].reverse(), [data]);
};

/** The file that the address names, wherever it stands in the list; undefined while it is looked for, null without one. */
export const useChosenFile = (
  knowledgebase: string,
  stream: string,
  at: string | null,
  files: readonly StreamFile[] | undefined,
): StreamFile | null | undefined => {
  const listed = files?.find((file) => nameOf(file) === at);
  const { data } = useQuery({
    queryKey: [...api.compaction.files.key(), 'named', knowledgebase, stream, at],
    queryFn: () => findFile(knowledgebase, stream, at as string),
    enabled: at !== null && files !== undefined && listed === undefined,
  });
  return at === null ? null : (listed ?? data);
};

const findFile = async (
  knowledgebase: string,
  stream: string,
  at: string,
): Promise<StreamFile | null> => {
  const input = { knowledgebase, stream };
  const compacted = async (name: string): Promise<StreamFile | null> => {
    const { files } = await client.compaction.files({ ...input, kind: 'compacted', limit: MOST });
    return files.find(({ file }) => file === name) ?? null;
  };
  if (at.startsWith(COMPACTED)) return compacted(at.slice(COMPACTED.length));
  const { file, landedFile, seq } = await client.streams.batch({ ...input, batchId: at });
  if (landedFile !== null) return compacted(file);
  const before = seq + 1;
  const { files } = await client.compaction.files({ ...input, kind: 'loose', limit: 1, before });
  return files.find((one) => one.file === file) ?? null;
};
