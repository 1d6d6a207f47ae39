// Owns long work over rejects as it runs: replaying, discarding, reopening many; how far it is, cancelling, its end.
// Work goes on while another screen is shown. Never decides what it is done to.

import { useSyncExternalStore } from 'react';
import type { Job } from '../../core/model.ts';
import { api, client, queryClient } from '../api.ts';

const POLL_MS = 250;

const running = new Map<string, Job>();
const watchers = new Set<() => void>();

const set = (knowledgebase: string, job: Job | null): void => {
  if (job) running.set(knowledgebase, job);
  else running.delete(knowledgebase);
  for (const hear of watchers) hear();
};

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

/** The work that runs over the rejects of a knowledgebase, if any was started here. */
export const useWork = (knowledgebase: string): Job | undefined =>
  useSyncExternalStore(watch, () => running.get(knowledgebase));

/** What changed over rejects is asked for anew. */
export const renewRejects = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: api.rejects.groups.key() }),
    queryClient.invalidateQueries({ queryKey: api.rejects.list.key() }),
    queryClient.invalidateQueries({ queryKey: api.rejects.get.key() }),
    queryClient.invalidateQueries({ queryKey: api.rejects.recipes.key() }),
    queryClient.invalidateQueries({ queryKey: api.streams.list.key() }),
  ]);
};

/** Follows a job to its end. Throws what it failed with. */
export const follow = async (knowledgebase: string, started: Job): Promise<Job> => {
  set(knowledgebase, started);
  try {
    void queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });
    let job = started;
    while (job.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const found = (await client.jobs.list()).find(({ id }) => id === started.id);
      if (!found) throw new Error('The engine was started again before this was done.');
      job = found;
      set(knowledgebase, job);
    }
    if (job.state === 'failed') throw new Error(job.fault ?? 'It failed, and no reason was given.');
    return job;
  } finally {
    set(knowledgebase, null);
    await renewRejects();
    void queryClient.invalidateQueries({ queryKey: api.jobs.list.key() });
  }
};

/** A number of a job's result; 0 where it has none of the name. */
export const resultOf = ({ result }: Job, name: string): number => {
  const value = result?.[name];
  return typeof value === 'number' ? value : 0;
};
