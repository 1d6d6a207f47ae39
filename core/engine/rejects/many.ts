// Owns doing one thing to many rejects, as a job: with progress, stopping between two when it is cancelled.
// Never stops at one that fails.

import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { counted } from '../../counted.ts';
import { AppError } from '../../errors.ts';
import type { Fix, Job, Reject, RejectSelection } from '../../model.ts';
import type { Actor, RejectContext } from './context.ts';
import { chosenRejects } from './find.ts';
import { replayReject } from './replay.ts';
import { discardReject, reopenReject } from './set-aside.ts';

/** What became of one of many: done, failed, or passed over because it was in another state. */
type End = { readonly kind: 'done' | 'failed' | 'skipped'; readonly rows?: number };

interface Work {
  /** Kind of the job, and its words: "Replaying", "replayed". */
  readonly kind: 'replay' | 'discard' | 'reopen';
  readonly doing: string;
  readonly did: string;
  readonly one: (reject: Reject, actor: Actor) => Promise<End> | End;
}

/** Lands every open reject of a choice, mended by the fixes. */
export const replayMany = (
  context: RejectContext,
  selection: RejectSelection,
  fixes: readonly Fix[],
  actor: Omit<Actor, 'operation'>,
): Job =>
  start(context, selection, actor, {
    ...{ kind: 'replay', doing: 'Replaying', did: 'landed' },
    one: async ({ stream, rejectId }, by) => {
      const { landed, attempt } = await replayReject(context, stream, rejectId, { fixes }, by);
      return { kind: landed ? 'done' : 'failed', rows: attempt.rows ?? 0 };
    },
  });

/** Discards every open reject of a choice. */
export const discardMany = (
  context: RejectContext,
  selection: RejectSelection,
  actor: Omit<Actor, 'operation'>,
): Job =>
  start(context, selection, actor, {
    ...{ kind: 'discard', doing: 'Discarding', did: 'discarded' },
    one: ({ stream, rejectId }, by) => {
      discardReject(context, stream, rejectId, by);
      return { kind: 'done' };
    },
  });

/** Opens every discarded reject of a choice again. */
export const reopenMany = (
  context: RejectContext,
  selection: RejectSelection,
  actor: Omit<Actor, 'operation'>,
): Job =>
  start(context, selection, actor, {
    ...{ kind: 'reopen', doing: 'Reopening', did: 'opened again' },
    one: ({ stream, rejectId }, by) => {
      reopenReject(context, stream, rejectId, by);
      return { kind: 'done' };
    },
  });

const start = (
  context: RejectContext,
  selection: RejectSelection,
  { by, recipeId }: Omit<Actor, 'operation'>,
  work: Work,
): Job => {
  const { knowledgebase, jobs } = context;
  const operation = randomUUID();
  // Those meant are those there now: what is done to one does not bring others into the choice.
  const chosen = (async () => {
    const found: Reject[] = [];
    for await (const some of chosenRejects(knowledgebase, selection)) found.push(...some);
    return found;
  })();
  // The job waits for it; a fault of the choice is the job's.
  chosen.catch(() => {});
  return jobs.start(
    {
      kind: work.kind,
      title: `${work.doing} rejects of ${knowledgebase.id}`,
      knowledgebase: knowledgebase.id,
    },
    async (report, signal) => {
      const rejects = await chosen;
      const counts = { done: 0, failed: 0, skipped: 0, rows: 0 };
      try {
        // The oldest first, as they came.
        for (const [at, reject] of rejects.reverse().entries()) {
          signal.throwIfAborted();
          report({ done: at, total: rejects.length, unit: 'rejects' });
          const end = await attempt(work, reject, { by, recipeId, operation });
          counts[end.kind] += 1;
          counts.rows += end.rows ?? 0;
          await turn();
        }
        report({ done: rejects.length, total: rejects.length, unit: 'rejects' });
      } finally {
        if (counts.done + counts.failed > 0) {
          knowledgebase.tell(`rejects-${work.kind}`, sentence(work, counts, by));
        }
      }
      const { done, failed, skipped, rows } = counts;
      return work.kind === 'replay'
        ? { operation, landed: done, failed, skipped, rows }
        : { operation, changed: done, skipped: skipped + failed };
    },
  );
};

const sentence = (
  { did }: Work,
  { done, failed }: { readonly done: number; readonly failed: number },
  by: string,
): string =>
  `${counted(done, 'reject was', 'rejects were')} ${did}${failed > 0 ? `, ${counted(failed, 'still fails', 'still fail')}` : ''} (${by}).`;

/** Another state, another process that is at it, a body that is gone, and a fix that does not fit are no fault of the job. */
const attempt = async (work: Work, reject: Reject, actor: Actor): Promise<End> => {
  try {
    return await work.one(reject, actor);
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    switch (code) {
      case 'reject_not_open':
      case 'reject_not_discarded':
      case 'no_such_reject':
      case 'replay_running':
        return { kind: 'skipped' };
      case 'reject_body_gone':
      case 'fix_not_possible':
      case 'body_too_large':
        return { kind: 'failed' };
      default:
        throw error;
    }
  }
};
