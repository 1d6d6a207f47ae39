// Owns the procedures over rejects: finding, reading, mending, landing, putting aside. Never implements one.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  BodyPage,
  CheckedMend,
  GroupPreview,
  Job,
  LetIn,
  Recipe,
  RejectDetail,
  RejectGroups,
  RejectPage,
  ReplayOutcome,
  RetentionPreview,
  RetentionView,
} from '../model.ts';
import { knowledgebase, page, stream } from './inputs.ts';
import { filter, fix, mend, one, selection, selectionWithMend } from './reject-inputs.ts';

/** The bodies themselves can be fetched at `GET /rejects/{knowledgebase}/{stream}/{rejectId}` of the admin address, with its token. */
export const rejects = {
  /** Newest first. Cheap with any number of rejects unless `text` is given. */
  list: oc
    .input(knowledgebase.extend({ ...page, ...filter, cursor: z.string().max(40).optional() }))
    .output(type<RejectPage>()),
  /** By stream and cause. The filter's state narrows the groups, not the counts in them. */
  groups: oc.input(knowledgebase.extend(filter)).output(type<RejectGroups>()),
  get: oc.input(one).output(type<RejectDetail>()),
  /**
   * A piece of a body: lines from `line`, each cut after `width` bytes (fewer than `count` once they have 1 MB); or bytes
   * from `offset` (fewer than `bytes` once 8,192 of them are not UTF-8). Of the body as it came, or of that of an
   * attempt. Throws `reject_body_gone`.
   */
  body: oc
    .input(
      one.extend({
        attempt: z.number().int().positive().optional(),
        range: z.discriminatedUnion('as', [
          z.object({
            as: z.literal('lines'),
            line: z.number().int().min(1).default(1),
            count: z.number().int().min(1).max(2_000).default(200),
            width: z.number().int().min(16).max(65_536).default(4_096),
          }),
          z.object({
            as: z.enum(['text', 'base64']),
            offset: z.number().int().min(0).default(0),
            bytes: z.number().int().min(1).max(1_048_576).default(65_536),
          }),
        ]),
      }),
    )
    .output(type<BodyPage>()),
  /** Holds a mended body against the stream as it is now; nothing is sent. Throws `reject_body_gone`, `fix_not_possible`. */
  check: oc.input(one.extend(mend)).output(type<CheckedMend>()),
  /** What fixes would do to a choice of rejects; nothing is sent. */
  preview: oc.input(selectionWithMend).output(type<GroupPreview>()),
  /**
   * Lands one reject down the way of a POST. Where it still fails it stays open, and the try is in its history.
   * Throws `reject_not_open`, `reject_body_gone`, `fix_not_possible`, `disk_full`.
   */
  replay: oc
    .input(one.extend({ ...mend, recipe: z.string().max(80).optional() }))
    .output(type<ReplayOutcome>()),
  /** Lands a choice of open rejects as a job: result `{operation, landed, failed, skipped, rows}`. Cancelling stops between two. */
  replayMany: oc
    .input(selectionWithMend.extend({ recipe: z.string().max(80).optional() }))
    .output(type<Job>()),
  /** Puts one open reject aside; its body stays. Throws `reject_not_open`. */
  discard: oc.input(one).output(type<RejectDetail>()),
  /** Takes a discard back. Throws `reject_not_discarded`. */
  reopen: oc.input(one).output(type<RejectDetail>()),
  /** As jobs: result `{operation, changed, skipped}`. `reopenMany` with `{filter: {operation}}` undoes a `discardMany`. */
  discardMany: oc.input(selection).output(type<Job>()),
  reopenMany: oc.input(selection).output(type<Job>()),
  /** Open rejects of a stream that these columns, added to the registered ones, would let in. */
  letIn: oc.input(stream.extend({ columns: z.array(z.string()).min(1) })).output(type<LetIn>()),
  /** Bodies and reasons of a choice as a tar file, as a job of kind `export`; `path` as in query.export. */
  export: oc
    .input(
      selection.extend({
        name: z.string().max(120).default('rejects'),
        path: z.string().nullable().default(null),
      }),
    )
    .output(type<Job>()),
  /** A short text (Markdown) for the producer's owner. Without data it has no line, no message and no value of a body. */
  report: oc
    .input(selection.extend({ withData: z.boolean().default(false) }))
    .output(type<{ text: string }>()),
  recipes: {
    /** Of a stream, or of all; by stream and name. */
    list: oc
      .input(knowledgebase.extend({ stream: stream.shape.stream.optional() }))
      .output(type<Recipe[]>()),
    /** Saves fixes for rejects alike this one. Throws `recipe_exists` where the stream has one of that name. */
    create: oc
      .input(
        one.extend({
          name: z.string().trim().min(1).max(80),
          fixes: z.array(fix).min(1).max(20),
          automatic: z.boolean().default(false),
        }),
      )
      .output(type<Recipe>()),
    update: oc
      .input(
        stream.extend({
          id: z.string().max(80),
          name: z.string().trim().min(1).max(80).optional(),
          automatic: z.boolean().optional(),
        }),
      )
      .output(type<Recipe>()),
    remove: oc.input(stream.extend({ id: z.string().max(80) })).output(type<{ id: string }>()),
  },
  retention: {
    get: oc.input(knowledgebase).output(type<RetentionView>()),
    /** Changes the settings; what they remove goes at the next `apply`, at the next start, and once an hour. */
    update: oc
      .input(
        knowledgebase.extend({
          days: z.number().int().min(1).max(36_500).nullable().optional(),
          bytes: z.number().int().min(0).nullable().optional(),
        }),
      )
      .output(type<RetentionView>()),
    /** What the settings, or others that are given, would remove now. */
    preview: oc
      .input(
        knowledgebase.extend({
          days: z.number().int().min(1).max(36_500).nullable().optional(),
          bytes: z.number().int().min(0).nullable().optional(),
        }),
      )
      .output(type<RetentionPreview>()),
    /** Removes what the settings say, now. */
    apply: oc.input(knowledgebase).output(type<RetentionPreview>()),
  },
};
