// Owns what a person does to an open plan: looks, edits, decides, refuses.
// Never applies it; apply.ts does.

import { AppError } from '../errors.ts';
import { type DuckDBConnection, messageOf, readRows } from '../lake/duckdb.ts';
import { readKb, writeKb } from '../lake/kb-file.ts';
import { syncViewsIn } from '../lake/views.ts';
import type { Plan, PlanEdit, PromotionSummary, TypeEffect } from '../model.ts';
import { effectOf } from './effect.ts';
import { viewsOf } from './generate.ts';
import type { Ground } from './ground.ts';
import type { Measured } from './measured.ts';
import { deriveModel, planOf, uncheckedTypes } from './plan.ts';
import type { PlanDocument } from './plan-document.ts';
import { checked, discard, keepPlan } from './promote.ts';
import {
  documentOf,
  openPlan,
  promotionIn,
  readEvidence,
  recordEnd,
  shownPromotion,
} from './records.ts';
import { takeSnapshot } from './snapshot.ts';

/** A plan, open or applied. Throws `no_such_plan`. */
export const showPlan = async (ground: Ground, id: string): Promise<Plan> => {
  const document = documentOf(ground, id);
  const row = promotionIn(ground, id);
  const current = row.state === 'open' ? await ground.store().current() : undefined;
  const version = row.state === 'open' ? (current?.version ?? null) : document.baseVersion;
  return planOf(document, shownPromotion(row), version);
};

/** Adds an edit. Throws `edit_not_possible`, `no_such_plan`; nothing changes then. */
export const editPlan = async (ground: Ground, id: string, edit: PlanEdit): Promise<Plan> => {
  const { row, document } = openPlan(ground, id);
  const edited = { ...document, edits: [...document.edits, edit] };
  const before = planOf(document, shownPromotion(row), document.baseVersion);
  await keepChecked(ground, id, edited);
  const after = await showPlan(ground, id);
  // An item that says something else now was not accepted so.
  const changed = after.items.filter((item) => {
    const was = before.items.find((one) => one.id === item.id);
    return item.decision === 'accepted' && JSON.stringify(was) !== JSON.stringify(item);
  });
  if (changed.length === 0) return after;
  const accepted = document.accepted.filter((one) => !changed.some((item) => item.id === one));
  keepPlan(ground, row, { ...documentOf(ground, id), accepted });
  return showPlan(ground, id);
};

/** Takes the last edit back. Throws `edit_not_possible` where there is none. */
export const undoEdit = async (ground: Ground, id: string): Promise<Plan> => {
  const { document } = openPlan(ground, id);
  if (document.edits.length === 0) {
    throw new AppError('edit_not_possible', 'Nothing has been changed in this plan.');
  }
  await keepChecked(ground, id, { ...document, edits: document.edits.slice(0, -1) });
  return showPlan(ground, id);
};

/** Accepts an item, or leaves it undecided again. Throws `edit_not_possible` where it is not there. */
export const decideItem = async (
  ground: Ground,
  id: string,
  item: string,
  accepted: boolean,
): Promise<Plan> => {
  const { row, document } = openPlan(ground, id);
  const plan = planOf(document, shownPromotion(row), document.baseVersion);
  if (!plan.items.some((one) => one.id === item && one.decision !== 'refused')) {
    throw new AppError('edit_not_possible', `There is no item "${item.slice(0, 60)}" to decide.`);
  }
  const others = document.accepted.filter((one) => one !== item);
  keepPlan(ground, row, { ...document, accepted: accepted ? [...others, item] : others });
  return showPlan(ground, id);
};

/** Keeps a document after checking the types that an edit changed. */
const keepChecked = async (ground: Ground, id: string, document: PlanDocument): Promise<void> => {
  // Throws before anything is kept.
  const { model } = deriveModel(document);
  const whole =
    uncheckedTypes(document, model).length === 0
      ? document
      : await onSnapshot(ground, document, (measured) => checked(measured, document));
  keepPlan(ground, promotionIn(ground, id), whole);
};

/** What a type of the plan does to the snapshot's rows. Throws `no_such_type`, `no_such_plan`. */
export const showEffect = async (ground: Ground, id: string, type: string): Promise<TypeEffect> => {
  const document = documentOf(ground, id);
  const { stream } = document.profile;
  const found = deriveModel(document).model.types.find((one) => one.id === type);
  const check = document.checks[type];
  if (!found || !check || !found.streams.includes(stream)) {
    throw new AppError('no_such_type', `The plan of ${stream} has no type "${type.slice(0, 60)}".`);
  }
  return onSnapshot(ground, document, (measured) => effectOf(measured, found, stream, check));
};

/** What applying the plan runs on kb.duckdb, to be read. */
export const showSql = (ground: Ground, id: string): string =>
  viewsOf(deriveModel(documentOf(ground, id)).model)
    .map(({ relation, query }) => `CREATE OR REPLACE VIEW ${relation} AS\n${query};\n`)
    .join('\n');

/** Refuses a plan: its snapshot and evidence go, the record stays. */
export const refusePlan = async (
  ground: Ground,
  id: string,
  by: string,
  why: string,
): Promise<PromotionSummary> => {
  const { row } = openPlan(ground, id);
  const reason = why === '' ? '' : ` ${why}`;
  recordEnd(ground, id, { state: 'refused', words: `Refused by ${by}.${reason}` });
  ground.ledger().promotions.setDocument(id, null);
  await discard(ground, [row]);
  ground.tell('promotion-refused', `The plan of ${row.stream} was refused by ${by}.`, row.stream);
  return shownPromotion(promotionIn(ground, id));
};

/** Runs `work` over the snapshot of a plan; one that went with a kb.duckdb that was made anew is taken again. */
const onSnapshot = async <T>(
  ground: Ground,
  { snapshot }: PlanDocument,
  work: (measured: Measured) => Promise<T>,
): Promise<T> => {
  const { table, rows } = snapshot;
  const isThere = await readKb(ground, (connection) => hasRows(connection, table, rows)).catch(
    (error: unknown) => {
      if (error instanceof AppError) throw error;
      return false;
    },
  );
  if (!isThere) await retake(ground, snapshot);
  return readKb(ground, (connection) => work({ connection, table, rows }));
};

const hasRows = async (
  connection: DuckDBConnection,
  table: string,
  rows: number,
): Promise<boolean> => {
  try {
    const [[count] = []] = await readRows(connection, `SELECT count(*) FROM ${table}`);
    return Number(count) === rows;
  } catch (error) {
    if (/does not exist/.test(messageOf(error))) return false;
    throw error;
  }
};

const retake = async (ground: Ground, snapshot: PlanDocument['snapshot']): Promise<void> => {
  const { stream, promotion } = snapshot;
  const evidence = readEvidence(ground, snapshot);
  const { batches } = ground.ledger();
  const found = evidence?.batches.map((id) => batches.get(stream, id));
  if (!found || found.includes(undefined)) {
    throw new AppError(
      'no_such_plan',
      `The snapshot of ${stream} is gone, and what it held is not known.`,
    );
  }
  const held = found.flatMap((one) => (one ? [{ batchId: one.batchId, rows: one.rows }] : []));
  await writeKb(ground, `taking the snapshot of ${stream} again`, async (connection) => {
    await syncViewsIn(connection, ground.paths, ground.streams());
    await takeSnapshot(connection, stream, promotion, held);
  });
};
