// Owns making a model the newest version: views and store together, all or nothing.
// Never decides what the model is; a plan or an old version says so.
//
//   writer lock ──> BEGIN ──> views ──> store.append ──> COMMIT ──> copy into the folder
//                     │         │            │              └─ killed from here on: the new version, whole; the next
//                     │         │            │                 sync makes its views
//                     │         │            └─ refused, lost ──> ROLLBACK: the old version, whole
//                     │         └─ a view does not bind ──> ROLLBACK
//                     └─ killed up to here: the old version, whole

import { AppError } from '../errors.ts';
import { messageOf } from '../lake/duckdb.ts';
import { writeKb } from '../lake/kb-file.ts';
import { syncViewsIn } from '../lake/views.ts';
import type { ModelVersion, PromotionSummary, VersionSummary } from '../model.ts';
import { atStep } from '../steps.ts';
import { writeCopy } from './copies.ts';
import { countChanges, diffModels } from './diff.ts';
import { type Ground, storeOf, wantedFor } from './ground.ts';
import { deriveModel, planOf, withChecks } from './plan.ts';
import { EMPTY } from './promote.ts';
import { openPlan, recordEnd, removeEvidence, shownPromotion } from './records.ts';
import { holderOf } from './store/holder.ts';
import { isOutdated, type ModelStore } from './store/store.ts';
import { syncOntology } from './sync-views.ts';

/** Who applies a version, and why. */
export interface Signed {
  readonly by: string;
  readonly why: string;
}

/** A version that is about to be applied; its lock is held. */
export interface BegunApply {
  run(): Promise<VersionSummary>;
}

/**
 * Begins to apply an open plan.
 * Throws `no_such_plan`, `plan_undecided`, `plan_outdated`, `promotion_running`, `model_store_none`,
 * `model_store_unreachable`.
 */
export const beginApply = async (
  ground: Ground,
  id: string,
  signed: Signed,
  acceptRest: boolean,
): Promise<BegunApply> => {
  const store = storeOf(ground);
  const { row, document } = openPlan(ground, id);
  const lock = await store.lock(holderOf(row.stream, signed.by));
  try {
    const current = await store.current();
    if ((current?.version ?? null) !== document.baseVersion)
      throw isOutdated(current?.version ?? 0);
    const plan = planOf(document, shownPromotion(row), current?.version ?? null);
    const left = plan.items.filter(({ decision }) => decision === null);
    const wanted = plan.items.filter(({ decision }) => decision !== 'refused');
    if (wanted.length === 0) {
      throw new AppError('plan_undecided', 'Every item was refused: there is nothing to apply.', {
        hint: 'Refuse the plan, or take an edit back.',
      });
    }
    if (left.length > 0 && !acceptRest) {
      const titles = left.map(({ title }) => title);
      throw new AppError('plan_undecided', `${left.length} items are not decided.`, {
        details: { items: titles },
      });
    }
    const model = withChecks(document, deriveModel(document).model);
    const version: ModelVersion = {
      ...factsOf(current, model, signed),
      ...{ kind: 'promotion', stream: row.stream, restored: null },
      ...{ promotion: id, snapshot: document.snapshot, model },
    };
    return {
      run: async () => {
        try {
          return await runApply(ground, store, version, row);
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

const factsOf = (
  current: ModelVersion | undefined,
  model: ModelVersion['model'],
  { by, why }: Signed,
): Pick<ModelVersion, 'version' | 'at' | 'by' | 'why' | 'types' | 'links' | 'changes'> => ({
  ...{ version: (current?.version ?? 0) + 1, at: new Date().toISOString(), by, why },
  types: model.types.length,
  links: model.types.reduce((sum, { links }) => sum + links.length, 0),
  changes: countChanges(diffModels(current?.model ?? EMPTY, model)),
});

const runApply = async (
  ground: Ground,
  store: ModelStore,
  version: ModelVersion,
  row: Pick<PromotionSummary, 'id' | 'stream'>,
): Promise<VersionSummary> => {
  const { promotions } = ground.ledger();
  const number = version.version;
  promotions.change(row.id, {
    ...{ state: 'applying', words: `Applying as v${number}.`, pid: process.pid },
  });
  const older = promotions.inStates(['applied']).filter(({ stream }) => stream === row.stream);
  let unmade: string | null;
  try {
    unmade = await commit(ground, store, version);
  } catch (error) {
    const words = `It could not be applied: ${(error as Error).message}`;
    const isUnknown = error instanceof AppError && error.details.recorded === null;
    // Whether it was recorded is for the next look at the store to say; nobody runs it any more.
    promotions.change(row.id, isUnknown ? { words, host: '' } : { state: 'open', words });
    throw error;
  }
  const words = unmade
    ? `It is v${number}. Its views wait: ${unmade}`
    : `It is v${number}: ${version.types} types.`;
  recordEnd(ground, row.id, { state: 'applied', version: number, words });
  for (const one of older) removeEvidence(ground, one);
  ground.tell('model-applied', `${row.stream} was promoted: the model is v${number}.`, row.stream);
  const { model: _, ...summary } = version;
  return summary;
};

/** Makes views and version one after the other, as drawn above. Returns why the views were not made, where they were not. */
const commit = (ground: Ground, store: ModelStore, version: ModelVersion): Promise<string | null> =>
  writeKb(ground, `applying v${version.version} of the model`, async (connection) => {
    await syncViewsIn(connection, ground.paths, ground.streams());
    await connection.run('BEGIN TRANSACTION');
    try {
      await syncOntology(
        connection,
        { ...wantedFor(ground, version.model), snapshots: null },
        true,
      );
      atStep('model-views');
      await store.append(version);
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {});
      if (error instanceof AppError) throw error;
      throw new AppError(
        'edit_not_possible',
        `DuckDB refuses a view of the model: ${firstLine(error)}`,
        {
          cause: error,
        },
      );
    }
    atStep('model-record');
    let unmade: string | null = null;
    try {
      await connection.run('COMMIT');
      await connection.run('CHECKPOINT');
    } catch (error) {
      // The version is recorded; the next sync makes its views.
      unmade = firstLine(error);
    }
    atStep('model-copy');
    writeCopy(ground.paths, store.kind, version);
    return unmade;
  });

const firstLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] as string;

/**
 * Makes an old version the newest, as a new one. Throws `no_such_version`, `invalid_argument` where it is the newest,
 * `promotion_running`, `model_store_none`, `model_store_unreachable`.
 */
export const restoreVersion = async (
  ground: Ground,
  restored: number,
  signed: Signed,
): Promise<VersionSummary> => {
  const store = storeOf(ground);
  const lock = await store.lock(holderOf(`v${restored}`, signed.by));
  try {
    const current = await store.current();
    const old = await store.version(restored);
    if (!old) throw noSuchVersion(restored);
    if (old.version === current?.version) {
      throw new AppError('invalid_argument', `v${restored} is the newest version already.`, {
        hint: 'List the versions with: strata model versions KB.',
      });
    }
    const version: ModelVersion = {
      ...factsOf(current, old.model, signed),
      ...{ kind: 'restore', stream: null, restored, promotion: null },
      ...{ snapshot: old.snapshot, model: old.model },
    };
    await commit(ground, store, version);
    ground.tell(
      'model-restored',
      `v${restored} was restored: the model is v${version.version}.`,
      null,
    );
    const { model: _, ...summary } = version;
    return summary;
  } finally {
    await lock.release();
  }
};

/** What is thrown for a version that is not there. */
export const noSuchVersion = (version: number): AppError =>
  new AppError('no_such_version', `There is no version ${version} of the model.`);
