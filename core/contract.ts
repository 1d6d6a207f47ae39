// Owns every procedure and live event between core and a face, typed and validated once.
// Never implements one; admin/procedures.ts does. Faces import its type alone.

import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  Batch,
  CoreEvent,
  EngineStatus,
  KnowledgebaseSummary,
  Proof,
  QueryPage,
  Reject,
  Repair,
  StreamColumn,
  StreamPulse,
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
  },
  knowledgebases: {
    list: oc.output(type<KnowledgebaseSummary[]>()),
    create: oc.input(z.object({ id })).output(type<KnowledgebaseSummary>()),
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
    columns: oc.input(stream).output(type<StreamColumn[]>()),
    /** Newest first, from before `beforeSeq`. */
    batches: oc
      .input(stream.extend({ ...page, beforeSeq: z.number().int().positive().optional() }))
      .output(type<(Batch & { seq: number })[]>()),
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
  },
  live: {
    /** What landed, was replayed, rejected or refused, by stream, at most four times a second. */
    pulses: oc.output(eventIterator(type<StreamPulse[]>())),
  },
};
