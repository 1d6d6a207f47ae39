// Owns discarding a reject and taking that back: in the ledger, beside its body, in the events.
// Never touches the body.

import { AppError } from '../../errors.ts';
import type { Reject } from '../../model.ts';
import { atStep } from '../../steps.ts';
import type { Actor, RejectContext } from './context.ts';
import { findReject } from './find.ts';
import { saveState } from './save-states.ts';

/** Discards an open reject. Throws `no_such_reject`, `reject_not_open`. */
export const discardReject = (
  context: RejectContext,
  stream: string,
  rejectId: string,
  actor: Actor,
): void => {
  const reject = findReject(context.knowledgebase, stream, rejectId);
  if (change(context, reject, 'open', 'discarded', actor)) return;
  const now = findReject(context.knowledgebase, stream, rejectId);
  throw new AppError(
    'reject_not_open',
    now.state === 'replayed'
      ? `The reject ${rejectId} has landed as ${now.landedAs}.`
      : `The reject ${rejectId} is discarded already.`,
    { details: { state: now.state } },
  );
};

/** Opens a discarded reject again. Throws `no_such_reject`, `reject_not_discarded`. */
export const reopenReject = (
  context: RejectContext,
  stream: string,
  rejectId: string,
  actor: Actor,
): void => {
  const reject = findReject(context.knowledgebase, stream, rejectId);
  if (change(context, reject, 'discarded', 'open', actor)) return;
  const { state } = findReject(context.knowledgebase, stream, rejectId);
  throw new AppError('reject_not_discarded', `The reject ${rejectId} is ${state}.`, {
    details: { state },
  });
};

const change = (
  { knowledgebase, announce }: RejectContext,
  { stream, rejectId }: Reject,
  from: 'open' | 'discarded',
  to: 'open' | 'discarded',
  { by, operation }: Actor,
): boolean => {
  const { id, ledger, paths, tell } = knowledgebase;
  const at = new Date().toISOString();
  const changed = ledger().transaction(() =>
    ledger().rejects.change(stream, rejectId, from, {
      state: to,
      at,
      by,
      operation,
      landedAs: null,
    }),
  );
  if (!changed) return false;
  atStep('state');
  saveState(ledger(), paths.stream(stream), stream, rejectId);
  knowledgebase.rejectIndex.request();
  // Of many at once the job tells.
  if (operation === null) {
    const [kind, did] =
      to === 'discarded' ? ['reject-discarded', 'discarded'] : ['reject-reopened', 'opened again'];
    tell(kind, `The reject ${rejectId} was ${did} (${by}).`, stream);
  }
  announce({ kind: 'reject-changed', knowledgebase: id, stream, rejectId, at });
  return true;
};
