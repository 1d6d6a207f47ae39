// Owns everything about one reject that a face shows beside its body.
// Never changes it.

import { CATALOGUE } from '../../errors.ts';
import type { RejectDetail } from '../../model.ts';
import { titleOf } from '../../rejects/cause.ts';
import { checkBody } from '../../rejects/check.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { keptBody, reasonOf } from './bodies.ts';
import { landingId, offersFor, rulesOf } from './checking.ts';
import { findReject } from './find.ts';

/** One reject. Throws `no_such_stream`, `no_such_reject`. */
export const rejectDetail = (
  knowledgebase: OpenKnowledgebase,
  stream: string,
  rejectId: string,
): RejectDetail => {
  const reject = findReject(knowledgebase, stream, rejectId);
  const ledger = knowledgebase.ledger();
  const reason = reasonOf(knowledgebase, reject);
  const rules = rulesOf(knowledgebase, reject);
  const body = keptBody(knowledgebase, reject);
  const { code, field, shape, message, line, column, sender } = reject;
  const alike = { stream: reject.stream, code, field, shape };
  const ofSender = ledger.rejectLists.ofSender({
    ...alike,
    ...(sender === null ? {} : { sender }),
  });
  return {
    ...reject,
    title: titleOf(reject),
    hint: reason?.hint ?? CATALOGUE[code].hint,
    status: reject.partOf === null ? CATALOGUE[code].status : 200,
    contentType: reason?.content_type ?? null,
    faults: reason?.errors ?? [{ code, message, line, column }],
    sourceLines: reason?.lines ?? null,
    now: body && checkBody(body, rules.under(landingId(reject, false), [])),
    expects: { registered: rules.registered, known: rules.known },
    history: ledger.attempts.list(reject.stream, rejectId),
    offers: body && reject.state === 'open' ? offersFor(reject, body, rules) : [],
    alike: {
      open: ledger.rejectLists.count({ ...alike, state: 'open' }),
      ofSender: ofSender.rejects,
      firstOfSenderAt: ofSender.firstAt ?? reject.receivedAt,
    },
  };
};
