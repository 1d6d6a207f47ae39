// Owns holding a reject, as it came or mended, against its stream as it is now.
// Never sends anything.

import { createHash } from 'node:crypto';
import { fold } from '../../ids.ts';
import type { Checked, CheckedMend, FixOffer, Mend, Reject } from '../../model.ts';
import { fieldOf } from '../../rejects/cause.ts';
import { type ChangeCounts, changesOf } from '../../rejects/changes.ts';
import { checkBody, type StreamRules } from '../../rejects/check.ts';
import { type Mended, mendBody } from '../../rejects/mend.ts';
import { fixesFor, fixTitle } from '../../rejects/offers.ts';
import { MAX_COLUMNS } from '../name-fields.ts';
import type { OpenKnowledgebase } from '../open.ts';

/** Bodies longer than this are not tried with every fix that may help: each costs a parse. */
const MOST_OFFER_BYTES = 8_388_608;

/** A fix may make a body longer than one that comes may be: U+FFFD has three bytes for one that is not UTF-8. */
const GROWTH = 4;

/** A reject's stream at a moment. */
export interface RejectRules extends Omit<StreamRules, 'taken'> {
  readonly maxBytes: number;
  /** The rules for landing under an id. */
  readonly under: (batchId: string, registers: readonly string[]) => StreamRules;
}

/** The rules that a reject is held against. */
export const rulesOf = (knowledgebase: OpenKnowledgebase, reject: Reject): RejectRules => {
  const ledger = knowledgebase.ledger();
  const registered = knowledgebase.streams.get(reject.stream).settings().columns;
  const known = ledger.columns.list(reject.stream).map(({ source }) => source);
  const base = { registered, known, maxColumns: MAX_COLUMNS };
  return {
    ...base,
    maxBytes: GROWTH * knowledgebase.settings().max_body_bytes,
    under: (batchId, registers) => {
      const batch = ledger.batches.get(reject.stream, batchId);
      // Its own batch, where it has landed and the mark is still to come.
      const isOther = batch !== undefined && batch.rejectId !== reject.rejectId;
      return {
        ...base,
        registered: registered === null ? null : [...registered, ...registers],
        taken: isOther ? { batchId: batch.batchId, sha256: [batch.sha256] } : null,
      };
    },
  };
};

/**
 * The id that a reject lands under: that of its batch, which is the reject's own where its producer sent none; or one
 * made from the reject's id, always the same, so that a second try after a crash meets the first. What is a part of a
 * batch has an own one always: the batch has landed.
 */
export const landingId = ({ stream, rejectId, batchId, partOf }: Reject, ownId: boolean): string =>
  ownId || partOf !== null
    ? `reject-${createHash('sha256')
        .update(`${fold(stream)}\n${rejectId}`)
        .digest('hex')
        .slice(0, 32)}`
    : batchId;

/** A mended body held against the rules. */
export interface MendCheck {
  readonly mended: Mended;
  readonly checked: Checked;
  readonly batchId: string;
  /** Whether it would land: whole, or its good lines where the mend says so. */
  readonly passes: boolean;
}

/** Mends and checks. Throws `fix_not_possible`, `body_too_large`. */
export const checkMended = (
  reject: Reject,
  body: Uint8Array,
  mend: Mend,
  rules: RejectRules,
): MendCheck => {
  const mended = mendBody(body, mend, rules);
  const batchId = landingId(reject, mended.ownId);
  const checked = checkBody(mended.bytes, rules.under(batchId, mended.registers));
  const isPart = mended.partial && checked.badLines.length > 0 && checked.records > 0;
  return { mended, checked, batchId, passes: checked.ok || isPart };
};

/** The check as a face sees it, with what would change. */
export const shownCheck = (
  body: Uint8Array,
  { mended, checked, batchId }: MendCheck,
): CheckedMend => {
  const { changes, changeCount, linesAdded, linesRemoved } = changesOf(body, mended);
  return {
    ...checked,
    ...{ changes, changeCount, linesAdded, linesRemoved, batchId },
    registers: mended.registers,
    partial: mended.partial,
  };
};

/** Fixes that help with a body, or change something of it, each with what it does. */
export const offersFor = (reject: Reject, body: Uint8Array, rules: RejectRules): FixOffer[] => {
  if (body.length > MOST_OFFER_BYTES) return [];
  const { code, field, shape, message, line, column } = reject;
  const now = checkBody(body, rules.under(landingId(reject, false), []));
  const fault = { code, message, line, column };
  const spelled = fieldOf(body, fault);
  const { registered, known } = rules;
  const facts = { cause: { code, field, shape }, field: spelled, registered, known };
  return fixesFor(facts).flatMap((fix): FixOffer[] => {
    const tried = tryFix(reject, body, { fixes: [fix] }, rules);
    if (!tried) return [];
    const { passes, checked, linesLost, linesChanged } = tried;
    const helps = passes || checked.faultCount < now.faultCount;
    const { records: rows } = checked;
    return helps ? [{ fix, title: fixTitle(fix), passes, rows, linesLost, linesChanged }] : [];
  });
};

/** A mend's check and its effect on lines; undefined where it cannot be done. */
export const tryFix = (
  reject: Reject,
  body: Uint8Array,
  mend: Mend,
  rules: RejectRules,
): (MendCheck & ChangeCounts) | undefined => {
  try {
    const check = checkMended(reject, body, mend, rules);
    return { ...check, ...changesOf(body, check.mended) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'fix_not_possible' || code === 'body_too_large') return undefined;
    throw error;
  }
};
