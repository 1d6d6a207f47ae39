// Owns the model store in the ledger: one knowledgebase, its own model. The default.
// Never waits: SQLite's lock on a file of its own is the lock of a promotion, and dies with its process.

import type { KnowledgebasePaths } from '../../knowledgebase/paths.ts';
import { takeFileLock } from '../../knowledgebase/writer-lock.ts';
import type { Ledger } from '../../ledger/open.ts';
import { isOutdated, isRunning, type ModelStore, type RunHolder } from './store.ts';

/** The store of a knowledgebase's own ledger. */
export const sqliteStore = (paths: KnowledgebasePaths, ledger: () => Ledger): ModelStore => ({
  kind: 'sqlite',
  status: async () => ({ kind: 'sqlite', address: null, model: null, fault: null }),
  versions: async () => ledger().modelVersions.list(),
  version: async (version) => ledger().modelVersions.get(version),
  current: async () => {
    const { modelVersions } = ledger();
    const newest = modelVersions.newest();
    return newest === null ? undefined : modelVersions.get(newest);
  },
  append: async (version) => {
    const open = ledger();
    open.durably(() => {
      const newest = open.modelVersions.newest() ?? 0;
      const fits = version.version === newest + 1 && open.modelVersions.add(version);
      if (!fits) throw isOutdated(newest);
    });
  },
  lock: async (holder) => {
    const purpose = JSON.stringify(holder);
    const taken = takeFileLock(paths.promotionLock, paths.promotionLockHolder, purpose);
    if ('release' in taken) return { release: async () => taken.release() };
    throw isRunning(taken.holder ? (JSON.parse(taken.holder.purpose) as RunHolder) : null);
  },
  close: async () => {},
});

/** The store of a knowledgebase that keeps no model. */
export const noStore = (): ModelStore => ({
  kind: 'none',
  status: async () => ({ kind: 'none', address: null, model: null, fault: null }),
  versions: async () => [],
  version: async () => undefined,
  current: async () => undefined,
  append: () => Promise.reject(new Error('A store that keeps nothing was given a version.')),
  lock: () => Promise.reject(new Error('A store that keeps nothing was asked for its lock.')),
  close: async () => {},
});
