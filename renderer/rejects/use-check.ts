// Owns holding a choice against the stream: for one reject as a diff, for many as counts. Nothing is sent.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RejectSelection } from '../../core/model.ts';
import { api, client } from '../api.ts';
import type { Choice } from './choices.ts';
import { givenMend, givenSelection } from './given.ts';

interface OneReject {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly rejectId: string;
}

/** An edit is checked when nothing was typed for so long. */
const PAUSE_MS = 400;

/**
 * What came of a choice for one reject. `version` is that of the edit, so that its text is no part of a key.
 * `isBehind` says that it came of an edit as it was before.
 */
export const useCheck = (reject: OneReject, choice: Choice | null, version: number) => {
  const settled = useSettled(version);
  const isEdit = choice?.key === 'edit';
  const check = useQuery({
    queryKey: [
      ...api.rejects.check.key(),
      reject,
      choice?.key,
      isEdit ? settled : (choice?.mend.fixes ?? null),
    ],
    queryFn: ({ signal }) =>
      client.rejects.check({ ...reject, ...givenMend(choice?.mend ?? {}) }, { signal }),
    enabled: choice !== null,
    placeholderData: isEdit ? keepPreviousData : undefined,
    gcTime: 30_000,
  });
  return { check, isBehind: isEdit && (settled !== version || check.isPlaceholderData) };
};

/** What came of a choice for many. */
export const usePreview = (
  knowledgebase: string,
  choice: Choice | null,
  selection: RejectSelection | null,
) => {
  const isOff = choice === null || choice.isOneOnly || selection === null;
  return useQuery(
    api.rejects.preview.queryOptions({
      input: {
        knowledgebase,
        selection: givenSelection(selection ?? { filter: {} }),
        fixes: [...(choice?.mend.fixes ?? [])],
      },
      enabled: !isOff,
      staleTime: 5_000,
      gcTime: 30_000,
    }),
  );
};

const useSettled = (version: number): number => {
  const [settled, setSettled] = useState(version);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(version), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [version]);
  return settled;
};
