// Owns an open knowledgebase's ontology: its model store as the settings say, and what its views are to be.
// Never promotes; core/ontology does, on the ground that this file gives it.

import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import type { KnowledgebaseSettings } from '../knowledgebase/settings.ts';
import { openOrRebuild } from '../lake/open-kb.ts';
import type { Log } from '../log.ts';
import type { ModelVersion } from '../model.ts';
import { readSharedCopy, writeCopy } from '../ontology/copies.ts';
import { type Ground, wantedFor } from '../ontology/ground.ts';
import { EMPTY } from '../ontology/promote.ts';
import { settlePromotions } from '../ontology/settle.ts';
import { openStore } from '../ontology/store/open-store.ts';
import type { ModelStore } from '../ontology/store/store.ts';
import { type OntologyChanges, syncOntology, type WantedOntology } from '../ontology/sync-views.ts';

export interface Ontology {
  readonly ground: Ground;
  /** What kb.duckdb is to be like now; null where there was never a model. */
  wanted(): Promise<WantedOntology | null>;
  /** Says what became of promotions that a killed process left. */
  settle(): void;
  close(): Promise<void>;
}

export interface OntologyOptions extends Omit<Ground, 'store'> {
  settings(): KnowledgebaseSettings;
  readonly log: Log;
}

/** The ontology of a knowledgebase. Its store is opened at its first use, and again when the settings change. */
export const openOntology = (options: OntologyOptions): Ontology => {
  const { paths, ledger, settings, log } = options;
  let open: { readonly key: string; readonly store: ModelStore } | undefined;
  let settling: Promise<void> = Promise.resolve();

  const store = (): ModelStore => {
    const { id, model_store: where, model_name: name } = settings();
    const key = JSON.stringify([where, name]);
    if (open?.key === key) return open.store;
    void open?.store.close().catch((error: unknown) => log.error(error));
    open = { key, store: openStore({ where, name: name ?? id, paths, ledger }) };
    return open.store;
  };

  const ground: Ground = { ...options, store };

  return {
    ground,
    wanted: async () => {
      const { kind } = store();
      if (kind === 'none') {
        const had = ledger().modelVersions.newest() !== null || readSharedCopy(paths) !== undefined;
        return had ? wantedFor(ground, EMPTY) : null;
      }
      const current = await newestOf(store(), paths, log);
      return current ? wantedFor(ground, current.model) : null;
    },
    settle: () => {
      settling = settlePromotions(ground).catch((error: unknown) => log.error(error));
    },
    close: async () => {
      await settling;
      await open?.store.close();
    },
  };
};

/** The newest version; of a shared model whose store is out of reach, the one that this folder last saw. */
const newestOf = async (
  store: ModelStore,
  paths: KnowledgebasePaths,
  log: Log,
): Promise<ModelVersion | undefined> => {
  if (store.kind !== 'postgres') return store.current();
  const copy = readSharedCopy(paths);
  try {
    const current = await store.current();
    if (current && current.version !== copy?.version) writeCopy(paths, store.kind, current);
    return current;
  } catch (error) {
    log.warn('The model store cannot be reached; views keep to the version that was seen last.', {
      reason: (error as Error).message,
    });
    return copy;
  }
};

/** Brings the ontology's views in line; the caller has the writer lock and the gate. */
export const syncOntologyViews = async (
  paths: KnowledgebasePaths,
  wanted: WantedOntology,
): Promise<OntologyChanges> => {
  const { duckdb } = await openOrRebuild(paths);
  try {
    const changes = await syncOntology(duckdb.connection, wanted, false);
    await duckdb.connection.run('CHECKPOINT');
    return changes;
  } finally {
    duckdb.close();
  }
};
