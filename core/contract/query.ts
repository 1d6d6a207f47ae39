// Owns the procedures of a person's queries. Never implements one.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { Job, PastQuery, QueryPage, SavedQuery } from '../model.ts';
import { id, knowledgebase, page } from './inputs.ts';

export const query = {
  /** One page of one reading statement; aborting the call stops the query. */
  run: oc
    .input(
      z.object({
        knowledgebase: id,
        sql: z.string().min(1).max(1_000_000),
        offset: z.number().int().min(0).default(0),
        limit: z.number().int().min(1).max(10_000).default(1_000),
        timeoutMs: z.number().int().min(1).max(3_600_000).default(60_000),
      }),
    )
    .output(type<QueryPage>()),
  /** What was run, newest first. */
  history: oc.input(knowledgebase.extend(page)).output(type<PastQuery[]>()),
  saved: oc.input(knowledgebase).output(type<SavedQuery[]>()),
  /** Saves under a name, over one of that name. */
  save: oc
    .input(knowledgebase.extend({ name: z.string().min(1).max(120), sql: z.string().min(1) }))
    .output(type<SavedQuery>()),
  remove: oc.input(knowledgebase.extend({ id: z.number().int() })).output(type<{ id: number }>()),
  /** Starts an export; `path` is a file on the engine's machine, or null for one that is fetched from /exports/{job}. */
  export: oc
    .input(
      z.object({
        knowledgebase: id,
        sql: z.string().min(1).max(1_000_000),
        format: z.enum(['csv', 'ndjson', 'parquet']),
        name: z.string().max(120).default('query'),
        path: z.string().nullable().default(null),
      }),
    )
    .output(type<Job>()),
};
