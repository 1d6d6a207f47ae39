// Owns which files of a stream a compaction merges, and into how many. Never reads a file.

import { setImmediate as turn } from 'node:timers/promises';
import { grouped } from '../../counted.ts';
import { DATE_FOLDER } from '../../knowledgebase/paths.ts';
import type { CompactedFile } from '../../ledger/compacted-files.ts';
import type { Ledger } from '../../ledger/open.ts';
import type { FileSums, PlacedBatch } from '../../model.ts';

/** A file as choosing sees it. */
export interface Candidate extends FileSums {
  readonly file: string;
  readonly batches: number;
  readonly bodyBytes: number;
  /** Place of its first batch in landing order. */
  readonly firstSeq: number;
  /** The batch of a loose file; null for a compacted one. */
  readonly batch: PlacedBatch | null;
}

/** Files that become one, in landing order. */
export interface Target {
  /** The folder below data/ that they are in: '' or a day's. */
  readonly folder: string;
  readonly files: readonly Candidate[];
}

export interface Choice {
  readonly targets: readonly Target[];
  /** What stays out and why, each a sentence. */
  readonly waits: readonly string[];
}

/**
 * The most that one compacted file holds: what was measured in docs/compaction.md. Past it a file is only harder to
 * merge again, while a query gains nothing more.
 */
export const MOST = { rows: 10_000_000, batches: 50_000, bodyBytes: 1_073_741_824 } as const;

/** How many batches are read before others get a turn: about 2 ms. */
const PAGE = 250;

/** Chooses among what has landed until now. `today` is the date, UTC: its folder is not sealed. */
export const chooseFiles = async (
  ledger: Ledger,
  stream: string,
  today: string = new Date().toISOString().slice(0, 10),
): Promise<Choice> => {
  const folders = new Map<string, Candidate[]>();
  const put = (candidate: Candidate): void => {
    const folder = folderOf(candidate.file);
    const others = folders.get(folder);
    if (others) others.push(candidate);
    else folders.set(folder, [candidate]);
  };
  for (const file of ledger.compactedFiles.list(stream)) put(compactedCandidate(file));
  for (let seq = 0; ; ) {
    const page = ledger.batches.looseAfter(stream, seq, PAGE);
    for (const batch of page) put(looseCandidate(batch));
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    seq = last.seq;
    await turn();
  }
  return chooseIn(folders, today);
};

const chooseIn = (folders: ReadonlyMap<string, readonly Candidate[]>, today: string): Choice => {
  const targets: Target[] = [];
  const waits: string[] = [];
  for (const [folder, candidates] of folders) {
    const loose = candidates.filter(({ batch }) => batch !== null);
    const day = DATE_FOLDER.exec(folder)?.[1];
    if (day !== undefined && day >= today) {
      if (loose.length > 0) waits.push(waitOf(loose.length, day));
      continue;
    }
    targets.push(...cut(folder, worthMerging(candidates)));
  }
  return { targets, waits };
};

const waitOf = (count: number, day: string): string =>
  count === 1
    ? `The file of ${day} waits until the day is over.`
    : `The ${grouped(count)} files of ${day} wait until the day is over.`;

const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

/**
 * The loose files, and those compacted ones before them that are no larger than what they are merged with. So a file
 * at least doubles each time it is merged again, and a row is written a number of times that grows as a logarithm.
 */
const worthMerging = (candidates: readonly Candidate[]): Candidate[] => {
  const inOrder = [...candidates].sort((one, other) => one.firstSeq - other.firstSeq);
  const loose = inOrder.filter(({ batch }) => batch !== null);
  const compacted = inOrder.filter(({ batch }) => batch === null);
  if (loose.length === 0) return [];
  const chosen = new Set(loose);
  let sum = loose.reduce<Load>(add, EMPTY);
  for (const file of compacted.reverse()) {
    const joined = add(sum, file);
    if (file.rows > sum.rows || !fits(joined)) break;
    chosen.add(file);
    sum = joined;
  }
  return inOrder.filter((candidate) => chosen.has(candidate));
};

interface Load {
  readonly rows: number;
  readonly batches: number;
  readonly bodyBytes: number;
}

const EMPTY: Load = { rows: 0, batches: 0, bodyBytes: 0 };

const add = (one: Load, other: Load): Load => ({
  rows: one.rows + other.rows,
  batches: one.batches + other.batches,
  bodyBytes: one.bodyBytes + other.bodyBytes,
});

const fits = ({ rows, batches, bodyBytes }: Load): boolean =>
  rows <= MOST.rows && batches <= MOST.batches && bodyBytes <= MOST.bodyBytes;

/** Cuts files in order into targets that are full; a target of one file would gain nothing. */
const cut = (folder: string, files: readonly Candidate[]): Target[] => {
  const targets: Candidate[][] = [[]];
  let load = EMPTY;
  for (const file of files) {
    const last = targets.at(-1) as Candidate[];
    const joined = add(load, file);
    if (last.length > 0 && !fits(joined)) {
      targets.push([file]);
      load = add(EMPTY, file);
    } else {
      last.push(file);
      load = joined;
    }
  }
  return targets.filter(({ length }) => length >= 2).map((chosen) => ({ folder, files: chosen }));
};

const looseCandidate = (batch: PlacedBatch): Candidate => ({
  ...{ file: batch.file, files: 1, rows: batch.rows, sizeBytes: batch.sizeBytes, batches: 1 },
  ...{ bodyBytes: batch.bodyBytes, firstSeq: batch.seq, batch },
});

const compactedCandidate = (file: CompactedFile): Candidate => ({
  ...{
    file: file.file,
    files: 1,
    rows: file.rows,
    sizeBytes: file.sizeBytes,
    batches: file.batches,
  },
  ...{ bodyBytes: file.bodyBytes, firstSeq: file.firstSeq, batch: null },
});
