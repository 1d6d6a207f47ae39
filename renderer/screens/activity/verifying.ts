// Owns running the proof of a knowledgebase and keeping its answer while the window is open.
// Never changes a file.

import { useSyncExternalStore } from 'react';
import type { Proof } from '../../../core/model.ts';
import { client, faultOf } from '../../api.ts';

/** How a proof stands. */
export interface Verifying {
  readonly state: 'none' | 'running' | 'done';
  readonly proof: Proof | null;
  /** When the proof was made. */
  readonly at: string | null;
  readonly fault: { readonly message: string; readonly hint: string } | null;
}

const NONE: Verifying = { state: 'none', proof: null, at: null, fault: null };
const kept = new Map<string, Verifying>();
const aborts = new Map<string, AbortController>();
const watchers = new Set<() => void>();

const set = (knowledgebase: string, change: Partial<Verifying>): void => {
  kept.set(knowledgebase, { ...(kept.get(knowledgebase) ?? NONE), ...change });
  for (const hear of watchers) hear();
};

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

/** The proof of a knowledgebase. */
export const useVerifying = (knowledgebase: string): Verifying =>
  useSyncExternalStore(watch, () => kept.get(knowledgebase) ?? NONE);

/** Makes the proof; one that is being made goes on. */
export const verify = async (knowledgebase: string): Promise<void> => {
  if (aborts.has(knowledgebase)) return;
  const abort = new AbortController();
  aborts.set(knowledgebase, abort);
  set(knowledgebase, { state: 'running', fault: null });
  try {
    const proof = await client.knowledgebases.verify({ knowledgebase }, { signal: abort.signal });
    set(knowledgebase, { state: 'done', proof, at: new Date().toISOString() });
  } catch (error) {
    set(knowledgebase, {
      state: kept.get(knowledgebase)?.proof ? 'done' : 'none',
      fault: abort.signal.aborted ? null : faultOf(error),
    });
  } finally {
    aborts.delete(knowledgebase);
  }
};

/** Stops it; the proof before stays. */
export const stopVerifying = (knowledgebase: string): void => aborts.get(knowledgebase)?.abort();
