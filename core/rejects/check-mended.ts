// Owns holding a reject, as it came or mended, against the rules of its stream, and which fixes help with it. Pure.
// Never sends anything, and costs a parse each time: desk/ has a thread for it.

import type { Checked, CheckedMend, FixOffer, Mend, Reject } from '../model.ts';
import { fieldOf } from './cause.ts';
import { type ChangeCounts, changesOf } from './changes.ts';
import { type CheckedBody, checkBody, type StreamRules } from './check.ts';
import { type Mended, mendBody } from './mend.ts';
import { fixesFor, fixTitle } from './offers.ts';
import type { LandingPlace, RejectRules } from './rules.ts';

/** Bodies longer than this are not tried with every fix that may help: each costs a parse. */
const MOST_OFFER_BYTES = 8_388_608;

/** A mended body held against the rules. */
export interface MendCheck {
  readonly mended: Mended;
  readonly checked: Checked;
  readonly batchId: string;
  /** Whether it would land: whole, or its good lines where the mend says so. */
  readonly passes: boolean;
}

/**
 * Mends and checks; what is known of the body as it came is not found again. Throws `fix_not_possible`,
 * `body_too_large`.
 */
export const checkMended = (
  body: Uint8Array,
  mend: Mend,
  rules: RejectRules,
  asItCame?: CheckedBody,
): MendCheck => {
  const mended = mendBody(body, mend, rules, asItCame?.badLines);
  const { bytes, registers, ownId } = mended;
  const place = ownId ? rules.places.own : rules.places.batch;
  const { checked } =
    asItCame && bytes === body && registers.length === 0 && !ownId
      ? asItCame
      : checkBody(bytes, rulesUnder(place, rules, registers));
  const isPart = mended.partial && checked.badLineCount > 0 && checked.records > 0;
  return { mended, checked, batchId: place.batchId, passes: checked.ok || isPart };
};

const rulesUnder = (
  { taken }: LandingPlace,
  { registered, known, maxColumns }: RejectRules,
  registers: readonly string[],
): StreamRules => ({
  ...{ known, maxColumns, taken },
  registered: registered === null ? null : [...registered, ...registers],
});

/** The body as it came, held against the rules. */
export const checkAsItCame = (body: Uint8Array, rules: RejectRules): CheckedBody =>
  checkBody(body, rulesUnder(rules.places.batch, rules, []));

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

/** Fixes that help with a body, or change something of it, each with what it does. `now` is the body as it came, checked. */
export const offersFor = (
  reject: Reject,
  body: Uint8Array,
  now: CheckedBody,
  rules: RejectRules,
): FixOffer[] => {
  if (body.length > MOST_OFFER_BYTES) return [];
  const { code, field, shape, message, line, column } = reject;
  const fault = { code, message, line, column };
  const spelled = fieldOf(body, fault);
  const { registered, known } = rules;
  const facts = { cause: { code, field, shape }, field: spelled, registered, known };
  return fixesFor(facts).flatMap((fix): FixOffer[] => {
    const tried = tryMend(body, { fixes: [fix] }, rules, now);
    if (!tried) return [];
    const { passes, checked, linesLost, linesChanged } = tried;
    const helps = passes || checked.faultCount < now.checked.faultCount;
    const { records: rows } = checked;
    return helps ? [{ fix, title: fixTitle(fix), passes, rows, linesLost, linesChanged }] : [];
  });
};

/** A mend's check and its effect on lines; undefined where it cannot be done. */
export const tryMend = (
  body: Uint8Array,
  mend: Mend,
  rules: RejectRules,
  asItCame?: CheckedBody,
): (MendCheck & ChangeCounts) | undefined => {
  try {
    const check = checkMended(body, mend, rules, asItCame);
    return { ...check, ...changesOf(body, check.mended) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'fix_not_possible' || code === 'body_too_large') return undefined;
    throw error;
  }
};
