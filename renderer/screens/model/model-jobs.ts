// Owns promotions and the applying of plans as they run: starting, following, cancelling, how they ended.
// Goes on while another screen is shown. Never decides anything of a plan.

import { useSyncExternalStore } from 'react';
import type { Job } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { renewModel } from './use-model.ts';

export interface JobFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What runs for the model of a knowledgebase, and how the last of it ended. */
export interface ModelJob {
  readonly job: Job | null;
  /** Asked for and not answered yet. */
  readonly isAsked: boolean;
  readonly fault: JobFault | null;
  /** What to tell of the one that ended; null where it failed, or nothing ended yet. */
  readonly said: string | null;
}

const NONE: ModelJob = { job: null, isAsked: false, fault: null, said: null };
const POLL_MS = 250;

const kept = new Map<string, ModelJob>();
const watchers = new Set<() => void>();

const set = (knowledgebase: string, change: Partial<ModelJob>): void => {
  kept.set(knowledgebase, { ...(kept.get(knowledgebase) ?? NONE), ...change });
  for (const hear of watchers) hear();
};

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

/** What runs for the model. */
export const useModelJob = (knowledgebase: string): ModelJob =>
  useSyncExternalStore(watch, () => kept.get(knowledgebase) ?? NONE);

/** Lets what was said of the last one go. */
export const forgetSaid = (knowledgebase: string): void =>
  set(knowledgebase, { fault: null, said: null });

/** Promotes a stream; answers the promotion whose plan is open then, null where there is none. */
export const promote = async (knowledgebase: string, stream: string): Promise<string | null> => {
  const job = await run(knowledgebase, () => client.ontology.promote({ knowledgebase, stream }));
  if (job?.state !== 'done') return null;
  const { state, words, promotion } = job.result ?? {};
  if (state === 'open') return String(promotion);
  set(knowledgebase, { said: String(words) });
  return null;
};

/** Applies a plan in which all is decided; answers whether it became a version. */
export const applyPlan = async (
  knowledgebase: string,
  promotion: string,
  why: string,
): Promise<boolean> => {
  const signed = why.trim() === '' ? {} : { why: why.trim() };
  const job = await run(knowledgebase, () =>
    client.ontology.apply({ knowledgebase, promotion, ...signed }),
  );
  if (job?.state !== 'done') return false;
  set(knowledgebase, { said: `v${String(job.result?.version)} is live.` });
  return true;
};

/** Stops what runs. */
export const cancelModelJob = (knowledgebase: string): void => {
  const id = kept.get(knowledgebase)?.job?.id;
  if (id !== undefined) void client.jobs.cancel({ id }).catch(() => {});
};

const run = async (knowledgebase: string, start: () => Promise<Job>): Promise<Job | null> => {
  const before = kept.get(knowledgebase);
  if (before?.isAsked || before?.job) return null;
  set(knowledgebase, { isAsked: true, fault: null, said: null });
  try {
    const ended = await follow(knowledgebase, await start());
    if (ended.state === 'failed') {
      set(knowledgebase, { fault: { code: 'failed', message: faultWords(ended), hint: '' } });
    }
    if (ended.state === 'cancelled') {
      set(knowledgebase, { said: 'Cancelled. The model is as it was.' });
    }
    return ended;
  } catch (error) {
    set(knowledgebase, { fault: faultOf(error) });
    return null;
  } finally {
    set(knowledgebase, { isAsked: false, job: null });
    await Promise.all([
      renewModel(),
      queryClient.invalidateQueries({ queryKey: api.jobs.list.key() }),
    ]);
  }
};

const faultWords = ({ fault }: Job): string => fault ?? 'It failed, and no reason was given.';

const follow = async (knowledgebase: string, started: Job): Promise<Job> => {
  let job = started;
  while (job.state === 'running') {
    set(knowledgebase, { job, isAsked: false });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const found = (await client.jobs.list()).find(({ id }) => id === started.id);
    if (!found) throw new Error('The engine was started again. Activity says what happened.');
    job = found;
  }
  return job;
};
