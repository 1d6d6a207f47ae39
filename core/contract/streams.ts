// Owns the procedures over streams, their rows and batches. Never implements one.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  ColumnProfile,
  PlacedBatch,
  RowsPage,
  StreamColumn,
  StreamRates,
  StreamSummary,
} from '../model.ts';
import { knowledgebase, page, stream } from './inputs.ts';

export const streams = {
  list: oc.input(knowledgebase).output(type<StreamSummary[]>()),
  create: oc
    .input(
      stream.extend({
        columns: z.array(z.string()).nullable().default(null),
        recogniseEqualBodies: z.boolean().default(false),
        dateFolders: z.boolean().default(false),
      }),
    )
    .output(type<StreamSummary>()),
  get: oc.input(stream).output(type<StreamSummary>()),
  update: oc
    .input(
      stream.extend({
        columns: z.array(z.string()).nullable().optional(),
        recogniseEqualBodies: z.boolean().optional(),
        compaction: z
          .object({
            policy: z.enum(['off', 'suggested', 'automatic']).optional(),
            files: z.number().int().min(2).max(1_000_000).optional(),
            retentionDays: z.number().int().min(0).max(3_650).optional(),
          })
          .optional(),
        /** Only where batches land from now on; those that have landed stay where they are. */
        dateFolders: z.boolean().optional(),
        partialLanding: z.boolean().optional(),
      }),
    )
    .output(type<StreamSummary>()),
  /** Closes the stream's alerts (files set aside, or missing): a person has seen them. The events keep them. */
  acknowledge: oc.input(stream).output(type<StreamSummary>()),
  /** Rows a second over the last quarter of an hour, of every stream. */
  rates: oc.input(knowledgebase).output(type<StreamRates>()),
  columns: oc.input(stream).output(type<StreamColumn[]>()),
  /** The columns with fill rate and examples, from the newest rows. */
  profile: oc.input(stream).output(type<ColumnProfile[]>()),
  /**
   * Rows by place, or those that match, in landing order or against it; see RowsPage. With the same `before`, pages of
   * one filter are counted once.
   */
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
};
