// Owns running queries: the pages of each tab's answer, its time, its error, cancelling it. Runs go on while
// another screen is shown. Never changes a value.

import { useSyncExternalStore } from 'react';
import type { QueryColumn } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { type Part, placedIn } from './sql-words.ts';

/** Rows of the first page, of later ones, and the most that are kept; an export has all. */
const FIRST_PAGE = 500;
const NEXT_PAGE = 2_000;
export const MOST_ROWS = 100_000;

export interface RunFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Where in the SQL, both from 1; null where it is not known. */
  readonly line: number | null;
  readonly column: number | null;
}

/** What a query answered so far. */
export interface Answer {
  readonly sql: string;
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly more: boolean;
  readonly elapsedMs: number;
  readonly unavailable: string | null;
  /** Whether it is of a part of the tab's text. */
  readonly isPart: boolean;
}

export interface Run {
  readonly state: 'none' | 'running' | 'done' | 'failed' | 'cancelled';
  /** When it was started, in ms. */
  readonly startedAt: number;
  /** The last answer; it stays while the next run goes on. */
  readonly answer: Answer | null;
  readonly fault: RunFault | null;
  /** Whether a further page is on its way. */
  readonly isFetching: boolean;
}

const NONE: Run = { state: 'none', startedAt: 0, answer: null, fault: null, isFetching: false };

const runs = new Map<string, Run>();
const aborts = new Map<string, AbortController>();
const watchers = new Set<() => void>();

const set = (key: string, change: Partial<Run>): void => {
  runs.set(key, { ...(runs.get(key) ?? NONE), ...change });
  for (const hear of watchers) hear();
};

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

/** The run of a tab. */
export const useRun = (key: string): Run =>
  useSyncExternalStore(watch, () => runs.get(key) ?? NONE);

/** Runs a tab's SQL, or a part of it; a run that goes on is stopped first. */
export const startRun = async (
  key: string,
  knowledgebase: string,
  whole: string,
  part: Part | null = null,
): Promise<void> => {
  const sql = part?.sql ?? whole;
  aborts.get(key)?.abort();
  const abort = new AbortController();
  aborts.set(key, abort);
  set(key, { state: 'running', startedAt: Date.now(), fault: null, isFetching: false });
  try {
    const page = await client.query.run(
      { knowledgebase, sql, limit: FIRST_PAGE, timeoutMs: 3_600_000 },
      { signal: abort.signal },
    );
    if (abort.signal.aborted) return;
    set(key, { state: 'done', answer: { ...page, sql, isPart: part !== null } });
  } catch (error) {
    if (aborts.get(key) !== abort) return;
    if (abort.signal.aborted) set(key, { state: 'cancelled' });
    else set(key, { state: 'failed', answer: null, fault: placedIn(runFault(error), part) });
  } finally {
    if (aborts.get(key) === abort) aborts.delete(key);
    void queryClient.invalidateQueries({ queryKey: api.query.history.key() });
  }
};

/** Stops a tab's run. */
export const cancelRun = (key: string): void => {
  const abort = aborts.get(key);
  if (!abort) return;
  abort.abort();
  set(key, { state: 'cancelled' });
};

/** Fetches the next page of a tab's answer; nothing where there is none, or one is on its way. */
export const fetchMore = async (
  key: string,
  knowledgebase: string,
  limit = NEXT_PAGE,
): Promise<void> => {
  const run = runs.get(key);
  const answer = run?.answer;
  if (!answer?.more || run?.isFetching || run?.state !== 'done') return;
  if (answer.rows.length >= MOST_ROWS) return;
  set(key, { isFetching: true });
  try {
    const page = await client.query.run({
      ...{ knowledgebase, sql: answer.sql, offset: answer.rows.length, limit },
      timeoutMs: 3_600_000,
    });
    // Another run may have answered meanwhile.
    if (runs.get(key)?.answer !== answer) return;
    const rows = [...answer.rows, ...page.rows];
    set(key, { answer: { ...answer, rows, more: page.more }, isFetching: false, fault: null });
  } catch (error) {
    if (runs.get(key)?.answer === answer) set(key, { isFetching: false, fault: runFault(error) });
  }
};

/** Lets a closed tab's answer go. */
export const forgetRun = (key: string): void => {
  aborts.get(key)?.abort();
  aborts.delete(key);
  runs.delete(key);
};

const runFault = (error: unknown): RunFault => {
  const { data } = error as { data?: { details?: { line?: unknown; column?: unknown } } };
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    ...faultOf(error),
    line: number(data?.details?.line),
    column: number(data?.details?.column),
  };
};
