// Owns what a reject of an open knowledgebase is held against, as its ledger and settings are now.
// Never holds anything against it.

import type { Reject } from '../../model.ts';
import { landingId, type RejectRules } from '../../rejects/rules.ts';
import { MAX_COLUMNS } from '../name-fields.ts';
import type { OpenKnowledgebase } from '../open.ts';

/** A fix may make a body longer than one that comes may be: U+FFFD has three bytes for one that is not UTF-8. */
const GROWTH = 4;

/** The rules that a reject is held against. */
export const rulesOf = (knowledgebase: OpenKnowledgebase, reject: Reject): RejectRules => {
  const ledger = knowledgebase.ledger();
  const placeOf = (ownId: boolean) => {
    const batchId = landingId(reject, ownId);
    const batch = ledger.batches.get(reject.stream, batchId);
    // Its own batch, where it has landed and the mark is still to come.
    const isOther = batch !== undefined && batch.rejectId !== reject.rejectId;
    return {
      batchId,
      taken: isOther ? { batchId: batch.batchId, sha256: [batch.sha256] } : null,
    };
  };
  return {
    registered: knowledgebase.streams.get(reject.stream).settings().columns,
    known: ledger.columns.list(reject.stream).map(({ source }) => source),
    maxColumns: MAX_COLUMNS,
    maxBytes: GROWTH * knowledgebase.settings().max_body_bytes,
    places: { batch: placeOf(false), own: placeOf(true) },
  };
};
