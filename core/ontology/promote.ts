// Owns the way of a promotion to its plan: lock, snapshot, profile, plan. READ THIS FIRST of the ontology.
// Never changes the model; apply.ts does, when a person says so.
//
//   promote ──> lock ──> snapshot ──> measure ──> derive + check ──> plan ──> a person ──> apply.ts
//     │          │          │            │                             │
//     │          │          │            └─ cancelled, failed ──> the record says so, nothing stays
//     │          │          └─ view and ledger differ ──> 409     nothing new ──> unchanged, nothing stays
//     │          └─ another one runs ──> 409, named
//     └─ no store, no rows ──> 409
//
// Between the stream and the model there is only plain data: profile -> synthesis -> proposal -> plan -> SQL.

import { counted } from '../counted.ts';
import { AppError } from '../errors.ts';
import { readKb, writeKb } from '../lake/kb-file.ts';
import { syncViewsIn } from '../lake/views.ts';
import type { PromotionRow } from '../ledger/promotions.ts';
import type { Model, ModelVersion, PlanEdit, PromotionSummary, Snapshot } from '../model.ts';
import { atStep } from '../steps.ts';
import { checkType } from './check.ts';
import { batchesOf, type Ground, storeOf } from './ground.ts';
import { measure } from './measure.ts';
import type { Measured } from './measured.ts';
import { countsOf, deriveModel, isUnchanged, planOf, uncheckedTypes } from './plan.ts';
import type { PlanDocument } from './plan-document.ts';
import {
  documentOf,
  promotionIn,
  recordEnd,
  recordStart,
  removeEvidence,
  shownPromotion,
  writeEvidence,
} from './records.ts';
import { settlePromotions } from './settle.ts';
import { dropSnapshots, snapshotColumns, snapshotName, takeSnapshot } from './snapshot.ts';
import { holderOf } from './store/holder.ts';
import type { RunLock } from './store/store.ts';

/** What a promotion tells while it runs. */
export type PromotionReport = (
  done: number,
  total: number | null,
  unit: string,
  words: string,
) => void;

/** A promotion that has begun: it has its lock and its record. */
export interface Begun {
  readonly id: string;
  /** Goes on to its end, and lets go of the lock whatever happens. */
  run(report: PromotionReport, signal?: AbortSignal): Promise<PromotionSummary>;
}

/** A model without a type. */
export const EMPTY: Model = { types: [], leftOut: [] };

/**
 * Begins the promotion of a stream (its id as it is written).
 * Throws `model_store_none`, `stream_has_no_rows`, `promotion_running`, `model_store_unreachable`.
 */
export const beginPromotion = async (
  ground: Ground,
  stream: string,
  by: string,
): Promise<Begun> => {
  const store = storeOf(ground);
  if ((ground.ledger().streams.get(stream)?.rows ?? 0) === 0) {
    throw new AppError('stream_has_no_rows', `The stream ${stream} has no rows to model.`);
  }
  await settlePromotions(ground);
  const lock = await store.lock(holderOf(stream, by));
  try {
    const current = await store.current();
    const row = recordStart(ground, stream, by, current?.version ?? null);
    return { id: row.id, run: (report, signal) => run(ground, row, current, lock, report, signal) };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

const run = async (
  ground: Ground,
  row: PromotionRow,
  current: ModelVersion | undefined,
  lock: RunLock,
  report: PromotionReport,
  signal: AbortSignal | undefined,
): Promise<PromotionSummary> => {
  try {
    await goOn(ground, row, current, report, signal);
  } catch (error) {
    const cancelled = signal?.aborted === true;
    const words = cancelled
      ? 'It was cancelled. The model is as it was.'
      : `It failed: ${(error as Error).message} The model is as it was.`;
    recordEnd(ground, row.id, { state: cancelled ? 'cancelled' : 'failed', words });
    await discard(ground, [row]);
    throw error;
  } finally {
    await lock.release();
  }
  return shownPromotion(promotionIn(ground, row.id));
};

const goOn = async (
  ground: Ground,
  row: PromotionRow,
  current: ModelVersion | undefined,
  report: PromotionReport,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { stream, id } = row;
  report(0, null, 'rows', `Taking a snapshot of ${stream}`);
  const batches = batchesOf(ground, stream);
  const snapshot = await writeKb(
    ground,
    `taking a snapshot of ${stream}`,
    async (connection) => {
      // A first batch that landed a moment ago may not have its view yet.
      await syncViewsIn(connection, ground.paths, ground.streams());
      return takeSnapshot(connection, stream, id, batches);
    },
    { signal },
  );
  const document = await readKb(
    ground,
    async (connection): Promise<PlanDocument> => {
      const measured = { connection, table: snapshot.table, rows: snapshot.rows };
      const columns = await snapshotColumns(connection, snapshot.table);
      const profile = await measure(measured, stream, columns, (done, total, words) => {
        signal?.throwIfAborted();
        report(done, total, 'columns', words);
      });
      report(0, 1, 'types', 'Checking what the plan does to every row');
      const fresh = {
        ...{ snapshot, profile, base: current?.model ?? EMPTY },
        ...{ baseVersion: current?.version ?? null, edits: [], accepted: [], checks: {} },
      };
      return checked(measured, { ...fresh, edits: editsThatFit(ground, row, fresh) });
    },
    { signal },
  );
  signal?.throwIfAborted();
  await supersede(ground, row);
  writeEvidence(ground, {
    ...{ snapshot, batches: batches.map(({ batchId }) => batchId), profile: document.profile },
  });
  atStep('plan');
  if (isUnchanged(document)) {
    recordEnd(ground, id, { state: 'unchanged', words: unchangedWords(snapshot, document) });
    await discard(ground, [row]);
    return;
  }
  keepPlan(ground, row, document);
  const words = `${stream} was measured: ${rowsIn(snapshot.rows, snapshot.batches)}. Its plan is open.`;
  ground.ledger().promotions.change(id, { state: 'open', words });
  ground.tell('promotion-planned', words, stream);
};

/** What a person changed in the plan that this one takes the place of, as far as it fits. */
const editsThatFit = (ground: Ground, row: PromotionRow, fresh: PlanDocument): PlanEdit[] => {
  const fitting: PlanEdit[] = [];
  for (const { id } of openPlansOf(ground, row)) {
    for (const edit of documentOf(ground, id).edits) {
      try {
        deriveModel(fresh, [...fitting, edit]);
        fitting.push(edit);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
  return fitting;
};

/** Open plans of the stream, but this one. */
const openPlansOf = ({ ledger }: Ground, row: PromotionRow): PromotionRow[] =>
  ledger()
    .promotions.inStates(['open'])
    .filter(({ stream, id }) => stream === row.stream && id !== row.id);

const unchangedWords = ({ rows, batches }: Snapshot, { baseVersion }: PlanDocument): string =>
  `Nothing has changed since v${baseVersion}: ${rowsIn(rows, batches)} were looked at.`;

const rowsIn = (rows: number, batches: number): string =>
  `${counted(rows, 'row')} in ${counted(batches, 'batch', 'batches')}`;

/** The document with a check of every type of the plan that the stream feeds. */
export const checked = async (
  measured: Measured,
  document: PlanDocument,
): Promise<PlanDocument> => {
  const { model } = deriveModel(document);
  const checks = { ...document.checks };
  for (const type of uncheckedTypes(document, model)) {
    checks[type.id] = await checkType(measured, type, document.profile.stream);
  }
  return { ...document, checks };
};

/** Keeps a plan's document, and how much of it is decided. */
export const keepPlan = (ground: Ground, row: PromotionRow, document: PlanDocument): void => {
  const plan = planOf(document, shownPromotion(row), document.baseVersion);
  const { promotions } = ground.ledger();
  ground.ledger().transaction(() => {
    promotions.setDocument(row.id, JSON.stringify(document));
    promotions.change(row.id, countsOf(plan.items));
  });
};

/** A stream has one open plan; a new one takes its place. */
const supersede = async (ground: Ground, row: PromotionRow): Promise<void> => {
  const old = openPlansOf(ground, row);
  for (const { id } of old) {
    const words = `${row.stream} was promoted again by ${row.by}; that plan takes its place.`;
    recordEnd(ground, id, { state: 'refused', words });
    ground.ledger().promotions.setDocument(id, null);
  }
  if (old.length > 0) await discard(ground, old);
};

/** Removes what promotions left that came to nothing. What another program holds goes at a later sync. */
export const discard = async (
  ground: Ground,
  promotions: readonly Pick<PromotionSummary, 'stream' | 'id'>[],
): Promise<void> => {
  for (const one of promotions) removeEvidence(ground, one);
  const names = promotions.map(({ stream, id }) => snapshotName(stream, id));
  try {
    await writeKb(ground, 'removing a snapshot', (connection) => dropSnapshots(connection, names), {
      patienceMs: 2_000,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};
