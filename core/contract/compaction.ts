// Owns the procedures of compaction: dry run, run, undo, history, originals, files, cost. Never implements one.
// The policy of a stream is set by streams.update and shown by streams.get.

import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  CompactionPlan,
  CompactionRun,
  CostHistory,
  FilesPage,
  Job,
  Originals,
} from '../model.ts';
import { page, stream } from './inputs.ts';

export const compaction = {
  /**
   * The dry run. With `measure` some of the files are read and merged in memory to say what queries cost now and
   * after (about a second, and the cost is noted in the history); without it `gain` is null and it takes a few ms.
   */
  plan: oc
    .input(stream.extend({ measure: z.boolean().default(false) }))
    .output(type<CompactionPlan>()),
  /**
   * Starts a run as a job of kind `compact`, whose `details` is a CompactionProgress and whose `result` is the
   * CompactionRun. Cancelling leaves every file as it is; once the swap has begun it is carried out.
   * Throws `nothing_to_compact`, `compaction_running` (one at a time in a knowledgebase; details: job, holder).
   * The job fails with a sentence when a batch differs, the disk is full, or the swap waited too long.
   */
  start: oc.input(stream).output(type<Job>()),
  /**
   * Brings the originals of the stream's newest run back, by the same swap, as a job of kind `compact-undo`.
   * Throws `nothing_to_undo`, `compaction_running`.
   */
  undo: oc.input(stream).output(type<Job>()),
  /** The history, newest first, a run under way included. */
  runs: oc.input(stream.extend(page)).output(type<CompactionRun[]>()),
  /** What is kept in processed/ and what would go; `retentionDays` previews another setting without changing it. */
  originals: oc
    .input(stream.extend({ retentionDays: z.number().int().min(0).max(3_650).optional() }))
    .output(type<Originals>()),
  /**
   * Applies the stream's retention now and answers what is left; with `run`, removes the originals of that one run
   * whether they are due or not. What is removed cannot be brought back. Throws `compaction_running`.
   */
  removeOriginals: oc
    .input(stream.extend({ run: z.string().optional() }))
    .output(type<Originals>()),
  /** The stream's files, newest first, from before `before` (a file's `place`). */
  files: oc
    .input(
      stream.extend({
        ...page,
        before: z.number().int().optional(),
        kind: z.enum(['loose', 'compacted']).optional(),
      }),
    )
    .output(type<FilesPage>()),
  /** File count and measured query cost over time. */
  cost: oc.input(stream.extend({ since: z.string().optional() })).output(type<CostHistory>()),
};
