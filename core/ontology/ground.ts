// Owns what a promotion needs of an open knowledgebase. Never opens one; engine/ does.

import { userInfo } from 'node:os';
import { AppError } from '../errors.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { Gate } from '../lake/gate.ts';
import type { ViewedStream } from '../lake/views.ts';
import type { Ledger } from '../ledger/open.ts';
import type { CoreEvent, Model, PromotionSummary } from '../model.ts';
import { type OrderedBatch, snapshotName } from './snapshot.ts';
import type { ModelStore } from './store/store.ts';
import type { WantedOntology } from './sync-views.ts';

/** A knowledgebase as the ontology sees it. */
export interface Ground {
  readonly id: string;
  readonly paths: KnowledgebasePaths;
  readonly gate: Gate;
  ledger(): Ledger;
  /** Where its model is kept, as its settings say now. */
  store(): ModelStore;
  /** Streams as the sync of views needs them. */
  streams(): readonly ViewedStream[];
  tell(kind: string, message: string, stream: string | null, level?: CoreEvent['level']): void;
}

/** The batches of a stream that are acknowledged now, in landing order. */
export const batchesOf = ({ ledger }: Ground, stream: string): OrderedBatch[] =>
  [...ledger().batches.each(stream)].map(({ batchId, rows }) => ({ batchId, rows }));

/** Whether a stream is here and has a file, and so a view. */
export const hasStream = ({ streams }: Ground): ((stream: string) => boolean) => {
  const here = new Set(streams().flatMap(({ stream, hasFiles }) => (hasFiles ? [stream] : [])));
  return (stream) => here.has(stream);
};

/** What kb.duckdb is to be like for a model, as the ledger has it now. */
export const wantedFor = (ground: Ground, model: Model): WantedOntology => ({
  model,
  has: hasStream(ground),
  order: (stream) => batchesOf(ground, stream).map(({ batchId }) => batchId),
  snapshots: keptPromotions(ground).map(({ stream, id }) => snapshotName(stream, id)),
});

/** Promotions whose snapshot is evidence: those that are not over, and the last one applied of each stream. */
const keptPromotions = ({ ledger }: Ground): PromotionSummary[] => {
  const { promotions } = ledger();
  const applied = promotions.inStates(['applied']);
  const newest = applied.filter(
    ({ stream, id }) => applied.find((one) => one.stream === stream)?.id === id,
  );
  return [...promotions.inStates(['running', 'open', 'applying']), ...newest];
};

/** The store, where there is one. Throws `model_store_none`. */
export const storeOf = (ground: Ground): ModelStore => {
  const store = ground.store();
  if (store.kind !== 'none') return store;
  throw new AppError('model_store_none', `${ground.id} keeps no model.`, {
    hint: `Give it a model store with: strata model store ${ground.id} sqlite.`,
  });
};

/** Who acts where nobody says so: the account that the process runs under. */
export const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // An account without a name (a container's number) is none that could be told.
    return 'unknown';
  }
};
