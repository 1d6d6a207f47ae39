// Owns everything about one reject that a face shows beside its body.
// Never changes it, and never reads its body: the desk does.

import { CATALOGUE } from '../../errors.ts';
import type { RejectDetail } from '../../model.ts';
import { titleOf } from '../../rejects/cause.ts';
import type { OpenKnowledgebase } from '../open.ts';
import { keptFiles } from './bodies.ts';
import { findReject } from './find.ts';
import { rulesOf } from './rules.ts';

/** One reject. Throws `no_such_stream`, `no_such_reject`. */
export const rejectDetail = async (
  knowledgebase: OpenKnowledgebase,
  stream: string,
  rejectId: string,
  signal?: AbortSignal,
): Promise<RejectDetail> => {
  const reject = findReject(knowledgebase, stream, rejectId);
  const ledger = knowledgebase.ledger();
  const rules = rulesOf(knowledgebase, reject);
  const { code, field, shape, message, line, column, sender } = reject;
  const alike = { stream: reject.stream, code, field, shape };
  const ofSender = ledger.rejectLists.ofSender({
    ...alike,
    ...(sender === null ? {} : { sender }),
  });
  const known = {
    expects: { registered: rules.registered, known: rules.known },
    history: ledger.attempts.list(reject.stream, rejectId),
    alike: {
      open: ledger.rejectLists.count({ ...alike, state: 'open' }),
      ofSender: ofSender.rejects,
      firstOfSenderAt: ofSender.firstAt ?? reject.receivedAt,
    },
  };
  const files = keptFiles(knowledgebase, reject);
  const { reason, now, offers } = await knowledgebase.desk.run(
    'tell',
    { reject, files, rules },
    signal,
  );
  return {
    ...reject,
    title: titleOf(reject),
    hint: reason?.hint ?? CATALOGUE[code].hint,
    status: reject.partOf === null ? CATALOGUE[code].status : 200,
    contentType: reason?.content_type ?? null,
    faults: reason?.errors ?? [{ code, message, line, column }],
    sourceLines: reason?.lines ?? null,
    ...{ now, offers, ...known },
  };
};
