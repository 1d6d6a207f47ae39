// Owns finishing swaps that broke off: whoever takes the writer lock does it before anything else.
// Never starts one.

import { rmSync } from 'node:fs';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { listStreamFolders } from '../../knowledgebase/create.ts';
import { claimFolder } from '../../knowledgebase/folder-lock.ts';
import { type KnowledgebasePaths, transitPaths } from '../../knowledgebase/paths.ts';
import { readElsewhere } from '../../lake/open-kb.ts';
import { endMoves, settle } from '../../lake/swap/carry-out.ts';
import {
  dropJournal,
  hasJournal,
  keepJournal,
  readJournal,
  type SwapJournal,
} from '../../lake/swap/journal.ts';
import { openViews } from '../../lake/views.ts';
import type { Ledger } from '../../ledger/open.ts';
import { atStep } from '../../steps.ts';
import { recordedRun } from './history.ts';
import { recordMoves } from './record-moves.ts';
import { removeStaged } from './tidy.ts';

/** Streams with a swap that is not finished. */
export const unsettled = (paths: KnowledgebasePaths): string[] =>
  listStreamFolders(paths).filter((id) => hasJournal(paths.stream(id)));

/**
 * Finishes the files' part of every swap that broke off; the caller holds the writer lock and the gate.
 * Throws `duckdb_locked` while another program has the file, `writer_lock_held` while another process reads files.
 */
export const settleFiles = async (paths: KnowledgebasePaths): Promise<void> => {
  const open = unsettled(paths).filter((id) => readJournal(paths.stream(id))?.moved === false);
  if (open.length === 0) return;
  const claim = claimFolder(paths);
  if (!claim) throw readElsewhere();
  try {
    const { duckdb } = await openViews(paths);
    try {
      for (const id of open) {
        const journal = readJournal(paths.stream(id));
        if (!journal) continue;
        const desk = { paths, stream: id, connection: duckdb.connection };
        if ((await settle(desk, journal)) === 'forward') await endMoves(paths.stream(id), journal);
      }
    } finally {
      duckdb.close();
    }
  } finally {
    claim.release();
  }
};

/** Brings the ledger in line with swaps whose files have moved; the caller holds the writer lock. */
export const settleLedger = async (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
): Promise<void> => {
  for (const id of unsettled(paths)) {
    const stream = paths.stream(id);
    const journal = readJournal(stream);
    if (journal?.moved) await recordSwap(paths, ledger, id, journal);
  }
};

/** Records what a swap changed and ends its journal. Doing it again changes nothing. */
export const recordSwap = async (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
  id: string,
  journal: SwapJournal,
): Promise<void> => {
  const stream = paths.stream(id);
  const record = { ...journal.record, endedAt: journal.record.endedAt ?? new Date().toISOString() };
  if (journal.kind === 'compact') {
    await recordSteps(ledger, id, stream, journal);
    ledger().transaction(() => {
      for (const file of record.replacedCompacted) ledger().compactedFiles.remove(id, file);
      ledger().streams.settleFiles(id);
      ledger().compactions.put(id, recordedRun(record));
    });
    atStep('recorded');
    keepJournal(stream, { ...journal, record });
    // What the merge left there; a process that died in the swap cannot do it.
    rmSync(transitPaths(stream, record.run).inStaging, { recursive: true, force: true });
    return;
  }
  const { inStaging, history } = transitPaths(stream, record.run);
  await recordSteps(ledger, id, stream, journal);
  ledger().transaction(() => {
    for (const file of record.made) ledger().compactedFiles.remove(id, file);
    ledger().streams.settleFiles(id);
    const undone = {
      ...recordedRun(record),
      state: 'undone',
      undoneAt: new Date().toISOString(),
    } as const;
    ledger().compactions.put(id, undone);
  });
  atStep('recorded');
  rmSync(history, { force: true });
  dropJournal(stream);
  for (let left = TRIES; !removeStaged(paths, inStaging) && left > 1; left -= 1)
    await wait(RETRY_MS);
};

/** How long what an undo took out waits for who reads it: a page ends in that time. */
const TRIES = 50;
const RETRY_MS = 20;

const recordSteps = async (...[ledger, id, stream, journal]: Parameters<typeof recordMoves>) => {
  for await (const _ of recordMoves(ledger, id, stream, journal)) {
    atStep('recording');
    await turn();
  }
};
