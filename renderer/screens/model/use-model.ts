// Owns reading the model, its counts and the plan that is open, and renewing all of it. Never changes anything.

import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../../api.ts';

/** The newest version of the model, with the open plans. */
export const useModel = (knowledgebase: string) =>
  useQuery(api.ontology.get.queryOptions({ input: { knowledgebase }, refetchInterval: 15_000 }));

/** Rows of every type now, counted when a person looks and not again by itself. */
export const useCounts = (knowledgebase: string, isAsked: boolean) =>
  useQuery(
    api.ontology.counts.queryOptions({
      input: { knowledgebase },
      enabled: isAsked,
      staleTime: 60_000,
    }),
  ).data;

/** The versions, newest first. */
export const useVersions = (knowledgebase: string, isAsked: boolean) =>
  useQuery(api.ontology.versions.queryOptions({ input: { knowledgebase }, enabled: isAsked }));

/** Asks anew for all that has to do with the model. */
export const renewModel = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: api.ontology.key() });
