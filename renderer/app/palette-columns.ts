// Owns the columns that the palette finds: of the streams that landed last, asked for once something is typed.
// Never asks for those of every stream.

import { useQueries } from '@tanstack/react-query';
import type { StreamSummary } from '../../core/model.ts';
import { api } from '../api.ts';

/** Streams whose columns are asked for. */
const ASKED = 40;

/** A column and the stream that has it. */
export interface FoundColumn {
  readonly stream: string;
  readonly column: string;
}

/** The columns; none until they are wanted. */
export const useFoundColumns = (
  knowledgebase: string,
  streams: readonly StreamSummary[],
  isWanted: boolean,
): FoundColumn[] => {
  const asked = streams
    .filter(({ rows }) => rows > 0)
    .sort((one, other) => (other.lastLandedAt ?? '').localeCompare(one.lastLandedAt ?? ''))
    .slice(0, ASKED);
  const answers = useQueries({
    queries: asked.map(({ stream }) =>
      api.streams.columns.queryOptions({
        input: { knowledgebase, stream },
        staleTime: 60_000,
        enabled: isWanted,
      }),
    ),
  });
  return asked.flatMap(({ stream }, at) =>
    (answers[at]?.data ?? []).map(({ landed }) => ({ stream, column: landed })),
  );
};
