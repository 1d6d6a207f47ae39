// Owns the journal of a swap: one small durable file in the stream's folder, there from before the first file moves
// until the ledger is in line. Never decides what to do about a swap that broke off.

import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  errnoOf,
  makeFolder,
  removeQuietly,
  renameRetrying,
  replaceFile,
  syncFolder,
} from '../../durable.ts';
import { type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';

/** What a run did; kept beside its originals, so that the history can be rebuilt while they are there. */
export interface RunRecord {
  readonly run: string;
  readonly by: 'person' | 'policy';
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly filesBefore: number;
  readonly batches: number;
  readonly rows: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly heldMs: number | null;
  /** The files that it made, relative to data/. */
  readonly made: readonly string[];
  /** Of the files that it replaced, those that were compacted ones. */
  readonly replacedCompacted: readonly string[];
}

export interface SwapJournal {
  readonly format: 1;
  /** `compact` puts the made files in the place of the originals, `undo` the originals in the place of the made ones. */
  readonly kind: 'compact' | 'undo';
  /** Whether every file is where it belongs and the view is its own again; then only the ledger is behind. */
  readonly moved: boolean;
  readonly record: RunRecord;
}

/** The journal of a stream; undefined where no swap is under way. */
export const readJournal = (stream: StreamPaths): SwapJournal | undefined => readFile(stream.swap);

/** Whether there is one; cheaper than reading it. */
export const hasJournal = (stream: StreamPaths): boolean => existsSync(stream.swap);

/** Writes the journal, durably. */
export const writeJournal = (stream: StreamPaths, journal: SwapJournal): void =>
  replaceFile(stream.swap, `${JSON.stringify(journal, null, 2)}\n`);

/** Ends a swap: of a compaction its record goes beside the originals, in one step. */
export const keepJournal = (stream: StreamPaths, journal: SwapJournal): void => {
  const { history } = transitPaths(stream, journal.record.run);
  makeFolder(stream.processed);
  writeJournal(stream, journal);
  renameRetrying(stream.swap, history);
  syncFolder(stream.processed);
  syncFolder(dirname(stream.swap));
};

/** Ends a swap that leaves nothing to remember. */
export const dropJournal = (stream: StreamPaths): void => {
  removeQuietly(stream.swap);
  syncFolder(dirname(stream.swap));
};

/** What a run did, where its originals are kept. */
export const readHistory = (stream: StreamPaths, run: string): RunRecord | undefined =>
  readFile(transitPaths(stream, run).history)?.record;

const readFile = (path: string): SwapJournal | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SwapJournal;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};
