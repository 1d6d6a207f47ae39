// Owns every procedure and live event between core and a face, typed and validated once.
// Never implements one; admin/procedures.ts does. Faces import its type alone.

import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  ColumnProfile,
  CoreEvent,
  EngineStatus,
  Job,
  KnowledgebaseSummary,
  KnowledgebaseView,
  PastQuery,
  PlacedBatch,
  Proof,
  QueryPage,
  Reject,
  Repair,
  RowsPage,
  SavedQuery,
  StreamColumn,
  StreamPulse,
  StreamRates,
  StreamSummary,
  TokenSummary,
} from './model.ts';

const id = z.string().min(1).max(63);
const knowledgebase = z.object({ knowledgebase: id });
const stream = z.object({ knowledgebase: id, stream: id });
const page = { limit: z.number().int().min(1).max(1_000).default(100) };

/**
 * The contract. Errors travel with their code of the catalogue, message, and `{hint, details}` as data.
 * Served over loopback HTTP at /rpc with a bearer token; the window speaks the same over a MessagePort.
 */
export const contract = {
  engine: {
    status: oc.output(type<EngineStatus>()),
    /** The newest lines of the engine's log, oldest first. */
    log: oc.input(z.object(page)).output(type<string[]>()),
  },
  knowledgebases: {
    list: oc.output(type<KnowledgebaseSummary[]>()),
    create: oc.input(z.object({ id })).output(type<KnowledgebaseSummary>()),
    /** One knowledgebase: its settings, where it is, and the room left on its disk. */
    get: oc.input(knowledgebase).output(type<KnowledgebaseView>()),
    update: oc
      .input(
        knowledgebase.extend({
          createStreamsOnFirstPost: z.boolean().optional(),
          maxBodyBytes: z.number().int().min(1_024).max(64_000_000).optional(),
        }),
      )
      .output(type<KnowledgebaseView>()),
    /** Proves the promises; see Proof. */
    verify: oc.input(knowledgebase).output(type<Proof>()),
    repair: oc.input(knowledgebase).output(type<Repair>()),
    /** Brings the views in line with the folder, now; false when something still holds kb.duckdb. */
    syncViews: oc.input(knowledgebase).output(type<{ done: boolean; waitingFor: string | null }>()),
    /** Newest first. */
    events: oc.input(knowledgebase.extend(page)).output(type<CoreEvent[]>()),
  },
  streams: {
    list: oc.input(knowledgebase).output(type<StreamSummary[]>()),
    create: oc
      .input(
        stream.extend({
          columns: z.array(z.string()).nullable().default(null),
          recogniseEqualBodies: z.boolean().default(false),
        }),
      )
      .output(type<StreamSummary>()),
    get: oc.input(stream).output(type<StreamSummary>()),
    update: oc
      .input(
        stream.extend({
          columns: z.array(z.string()).nullable().optional(),
          recogniseEqualBodies: z.boolean().optional(),
        }),
      )
      .output(type<StreamSummary>()),
    /** Rows a second over the last quarter of an hour, of every stream. */
    rates: oc.input(knowledgebase).output(type<StreamRates>()),
    columns: oc.input(stream).output(type<StreamColumn[]>()),
    /** The columns with fill rate and examples, from the newest rows. */
    profile: oc.input(stream).output(type<ColumnProfile[]>()),
    /** Rows by place, or those that match; see RowsPage. */
    rows: oc
      .input(
        stream.extend({
          order: z.enum(['oldest', 'newest']).default('oldest'),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(1_000).default(100),
          before: z.number().int().min(0).optional(),
          filters: z
            .array(
              z.object({
                column: z.string(),
                is: z.enum(['equal', 'not-equal', 'contains', 'null', 'not-null']),
                value: z.string().optional(),
              }),
            )
            .default([]),
          find: z.string().max(1_000).optional(),
        }),
      )
      .output(type<RowsPage>()),
    batch: oc.input(stream.extend({ batchId: z.string() })).output(type<PlacedBatch>()),
    /** Newest first, from before `beforeSeq`. */
    batches: oc
      .input(stream.extend({ ...page, beforeSeq: z.number().int().positive().optional() }))
      .output(type<PlacedBatch[]>()),
  },
  rejects: {
    /** Newest first, of a stream or of all. */
    list: oc
      .input(knowledgebase.extend({ ...page, stream: id.optional() }))
      .output(type<Reject[]>()),
  },
  tokens: {
    list: oc.input(knowledgebase).output(type<TokenSummary[]>()),
    /** The secret is in this answer and nowhere else. */
    create: oc
      .input(
        z.object({
          knowledgebase: id,
          stream: id.nullable().default(null),
          label: z.string().max(80).default(''),
        }),
      )
      .output(type<{ token: TokenSummary; secret: string }>()),
    revoke: oc.input(z.object({ knowledgebase: id, id: z.string() })).output(type<TokenSummary>()),
  },
  query: {
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
  },
  jobs: {
    /** Running ones first, then newest first. */
    list: oc.output(type<Job[]>()),
    cancel: oc.input(z.object({ id: z.number().int() })).output(type<Job>()),
  },
  live: {
    /** What landed, was replayed, rejected or refused, by stream, at most four times a second. */
    pulses: oc.output(eventIterator(type<StreamPulse[]>())),
  },
};
