// Owns finishing swaps that broke off: whoever takes the writer lock does it before anything else.
// Never starts one.

import { rmSync } from 'node:fs';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { listStreamFolders } from '../../knowledgebase/create.ts';
import { claimFolder } from '../../knowledgebase/folder-lock.ts';
import {
  type KnowledgebasePaths,
  type StreamPaths,
  transitPaths,
} from '../../knowledgebase/paths.ts';
import { type DuckDBConnection, messageOf } from '../../lake/duckdb.ts';
import { readElsewhere } from '../../lake/open-kb.ts';
import { endMoves, settle } from '../../lake/swap/carry-out.ts';
import {
  dropJournal,
  hasJournal,
  keepJournal,
  readJournal,
  type SwapJournal,
} from '../../lake/swap/journal.ts';
import { faultOfMade } from '../../lake/swap/whole.ts';
import { openViews } from '../../lake/views.ts';
import type { Ledger } from '../../ledger/open.ts';
import { sqliteCode } from '../../sqlite.ts';
import { atStep } from '../../steps.ts';
import { recordedRun } from './history.ts';
import { noteBack } from './note-back.ts';
import { recordMoves } from './record-moves.ts';
import { removeStaged } from './tidy.ts';

/** Streams with a swap that is not finished. */
export const unsettled = (paths: KnowledgebasePaths): string[] =>
  listStreamFolders(paths).filter((id) => hasJournal(paths.stream(id)));

/** A stream whose swap cannot be finished now, and why, as a sentence. */
export interface Unsettled {
  readonly stream: string;
  readonly reason: string;
}

/** Says it where a person reads it. */
export const unsettledWords = ({ stream, reason }: Unsettled): string =>
  `A compaction of ${stream} that broke off cannot be finished: ${reason.replace(/[^.]$/, '$&.')}`;

/**
 * Finishes the files' part of every swap that broke off; the caller holds the writer lock and the gate. Returns those
 * that could not be finished: one stream's fault is no other's.
 * Throws `duckdb_locked` while another program has the file, `writer_lock_held` while another process reads files.
 */
export const settleFiles = async (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
): Promise<Unsettled[]> => {
  const open: string[] = [];
  for (const id of unsettled(paths)) if (await needsFiles(paths.stream(id))) open.push(id);
  if (open.length === 0) return [];
  const claim = claimFolder(paths);
  if (!claim) throw readElsewhere();
  try {
    const { duckdb } = await openViews(paths);
    try {
      return await settleIn(paths, ledger, duckdb.connection, open);
    } finally {
      duckdb.close();
    }
  } finally {
    claim.release();
  }
};

/** Where only the ledger is behind, its files are held against what it is to record. */
const needsFiles = async (stream: StreamPaths): Promise<boolean> => {
  try {
    const journal = readJournal(stream);
    if (!journal) return false;
    if (!journal.moved) return true;
    return journal.kind === 'compact' && (await faultOfMade(stream, journal)) !== null;
  } catch {
    // What is wrong is found again, and told, where it is settled.
    return true;
  }
};

/** Does it for some streams, alone, in a kb.duckdb that is open. */
export const settleIn = async (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
  connection: DuckDBConnection,
  streams: readonly string[],
): Promise<Unsettled[]> =>
  eachAlone(streams, async (id) => {
    const stream = paths.stream(id);
    const journal = readJournal(stream);
    if (!journal) return;
    const settled = await settle({ paths, stream: id, connection }, journal);
    if (settled.way === 'back') noteBack(ledger(), id, stream, journal, settled.why);
    else if (!journal.moved) await endMoves(stream, journal);
  });

/** Brings the ledger in line with swaps whose files have moved; the caller holds the writer lock. */
export const settleLedger = async (
  paths: KnowledgebasePaths,
  ledger: () => Ledger,
): Promise<Unsettled[]> =>
  eachAlone(unsettled(paths), async (id) => {
    const journal = readJournal(paths.stream(id));
    if (journal?.moved) await recordSwap(paths, ledger, id, journal);
  });

/** What goes wrong with one stream keeps no other from its turn. */
const eachAlone = async (
  streams: readonly string[],
  work: (stream: string) => Promise<void>,
): Promise<Unsettled[]> => {
  const faults: Unsettled[] = [];
  for (const stream of streams) {
    try {
      await work(stream);
    } catch (error) {
      // The ledger is everybody's, and so is the folder.
      const isCommon =
        sqliteCode(error) !== undefined ||
        (error instanceof AppError && /^(knowledgebase_closing|folder_gone)$/.test(error.code));
      if (isCommon) throw error;
      faults.push({ stream, reason: messageOf(error).split('\n', 1)[0] as string });
    }
  }
  return faults;
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
