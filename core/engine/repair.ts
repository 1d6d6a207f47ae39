// Owns rebuilding the ledger and the views of a knowledgebase from its folder.
// Never changes a landed file or a kept body; recover.ts sets aside what is broken.

import { renameSync, statSync } from 'node:fs';
import { counted } from '../counted.ts';
import { removeQuietly } from '../durable.ts';
import { AppError } from '../errors.ts';
import { readKnowledgebase } from '../knowledgebase/create.ts';
import type { KnowledgebasePaths } from '../knowledgebase/paths.ts';
import { takeWriterLock, type WriterLock } from '../knowledgebase/writer-lock.ts';
import { type Ledger, openLedger } from '../ledger/open.ts';
import type { LedgerMemory } from '../ledger/rebuild.ts';
import type { Repair } from '../model.ts';
import { recover } from './recover.ts';

/**
 * Rebuilds the ledger from the folder: batches from their files, rejects from their reasons and what is written beside
 * them. What only a ledger knows (replays, refusals) is kept where the old one can still be read. Views follow when the
 * knowledgebase is next opened for writing, which the caller does.
 * Throws `writer_lock_held` while another process changes views or files.
 */
export const repair = (root: string): Repair => {
  const paths = readKnowledgebase(root);
  const lock = takeSoon(paths);
  try {
    const { ledger, damagedLedger, salvaged } = openOrReplace(paths);
    try {
      // One transaction: a process that lands batches meanwhile sees the old ledger or the new one.
      const recovery = ledger.transaction(() => {
        const before = ledger.streams
          .list()
          .flatMap(({ stream }) => [...ledger.batches.each(stream)]);
        const memory = salvaged ?? ledger.forget();
        const found = recover(paths, ledger);
        ledger.remember(memory);
        const missing = before
          .filter(
            ({ stream, batchId, file }) =>
              ledger.batches.get(stream, batchId) === undefined &&
              !found.setAside.includes(`${stream}/${file}`),
          )
          .map(({ stream, file }) => `${stream}/${file}`);
        return { ...found, missing };
      });
      const at = new Date().toISOString();
      const message = `The ledger was rebuilt from the folder: ${counted(recovery.recorded, 'batch', 'batches')}.`;
      ledger.events.add({ at, level: 'warn', kind: 'ledger-rebuilt', stream: null, message });
      return { ...recovery, damagedLedger };
    } finally {
      ledger.close();
    }
  } finally {
    lock.release();
  }
};

interface Opened {
  readonly ledger: Ledger;
  /** Where the old ledger went, when it was damaged; then this one is new. */
  readonly damagedLedger: string | null;
  /** What the damaged one still knew. */
  readonly salvaged: LedgerMemory | null;
}

/** How long a repair waits for a view that is being made; whoever holds the lock longer is named. */
const PATIENCE_MS = 5_000;

const takeSoon = (paths: KnowledgebasePaths): WriterLock => {
  for (const giveUpAtMs = Date.now() + PATIENCE_MS; ; ) {
    try {
      return takeWriterLock(paths, 'repairing');
    } catch (error) {
      const isHeld = error instanceof AppError && error.code === 'writer_lock_held';
      if (!isHeld || Date.now() > giveUpAtMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
};

const openOrReplace = (paths: KnowledgebasePaths): Opened => {
  let salvaged: LedgerMemory | null = null;
  try {
    const ledger = openLedger(paths.ledger);
    if (ledger.faults().length === 0) return { ledger, damagedLedger: null, salvaged };
    salvaged = ledger.salvage();
    ledger.close();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ledger_broken') throw error;
  }
  const damagedLedger = `${paths.ledger}.damaged-${Date.now()}`;
  if (statSync(paths.ledger, { throwIfNoEntry: false })) renameSync(paths.ledger, damagedLedger);
  for (const end of ['-wal', '-shm']) removeQuietly(`${paths.ledger}${end}`);
  return { ledger: openLedger(paths.ledger), damagedLedger, salvaged };
};
