// Owns comparing the files of a stream with what the ledger has of them: loose ones, and those that hold many batches.
// Never moves a file: who asked decides what becomes of one that cannot stay.

import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { grouped } from '../counted.ts';
import { fold } from '../ids.ts';
import { batchFile, type StreamPaths } from '../knowledgebase/paths.ts';
import type { CompactedFacts } from '../lake/compact/manifest.ts';
import { type DescribedFile, describeFile, type FileFacts } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import { listStreamFiles } from '../lake/swap/places.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch } from '../model.ts';
import { twinOf } from './kept-instead.ts';

/** A file that the ledger does not know. */
export interface Found {
  /** Its place in the data folder. */
  readonly file: string;
  /** Where it lies, which is elsewhere while a swap moves it. */
  readonly path: string;
  readonly described: DescribedFile;
}

/** A file that the ledger names and that is not there. */
export interface Missing {
  readonly file: string;
  /** Its batch; null for a compacted file. */
  readonly batchId: string | null;
}

/** How a stream's files and the ledger differ. */
interface Comparison {
  /** In landing order. A batch of one that is known is in this file from now on: its own file is gone. */
  readonly unknown: readonly Found[];
  /** Files that cannot stay where views read them, and why. */
  readonly broken: readonly Broken[];
  readonly missing: readonly Missing[];
}

interface Broken {
  readonly file: string;
  readonly reason: string;
  /** Whether views read it nevertheless; one that they cannot read has every query of the stream end with an error. */
  readonly isRead: boolean;
}

/** Compares the files that count, wherever a swap has them at the moment. */
export const compareFiles = (ledger: Ledger, id: string, stream: StreamPaths): Comparison => {
  const known = new Map<string, Missing & { readonly sizeBytes: number }>();
  for (const { file, batchId, sizeBytes } of ledger.batches.eachLoose(id)) {
    known.set(file, { file, batchId, sizeBytes });
  }
  for (const { file, sizeBytes } of ledger.compactedFiles.list(id)) {
    known.set(file, { file, batchId: null, sizeBytes });
  }
  const files = listStreamFiles(stream);
  const strange: Found[] = [];
  const broken: Broken[] = [];
  for (const [file, path] of files) {
    const recorded = known.get(file);
    known.delete(file);
    if (recorded && lstatSync(path).size === recorded.sizeBytes) continue;
    const described = readOwnFile(path);
    if ('reason' in described) broken.push({ file, ...described });
    else if (!recorded) strange.push({ file, path, described });
  }
  const unknown = setApartCopies({ ledger, id, files, broken }, strange);
  return { unknown, broken, missing: [...known.values()] };
};

interface Desk {
  readonly ledger: Ledger;
  readonly id: string;
  /** The files that are there. */
  readonly files: ReadonlyMap<string, string>;
  readonly broken: Broken[];
}

/**
 * A second file with the rows of a batch (a copy under another name, what a process left that died before it gave way)
 * would count them twice: it is set aside too.
 */
const setApartCopies = (desk: Desk, strange: Found[]): Found[] => {
  // In landing order, so that the first spelling of a column is the first again; compacted files stand before copies.
  strange.sort((one, other) => compare(orderOf(one), orderOf(other)));
  const seen = new Map<string, string>();
  const merged = new Set(
    strange.filter(
      ({ file, described: { compacted } }) => compacted && isNew(desk, file, compacted, seen),
    ),
  );
  return strange.filter((found) => {
    const { file, described } = found;
    if (!described.facts) return merged.has(found);
    const { batchId, sha256, repairs } = described.facts;
    const batch = desk.ledger.batches.get(desk.id, batchId);
    const rejectId = repairs?.rejectId ?? null;
    const kept = batch ?? twinOf(desk.ledger, { stream: desk.id, batchId, sha256, rejectId });
    const first = seen.get(fold(batchId)) ?? (isThere(desk, kept, file) ? kept.file : undefined);
    seen.set(fold(batchId), first ?? file);
    if (first !== undefined)
      desk.broken.push({ file, reason: copyOf(kept?.batchId ?? batchId, first), isRead: true });
    else if (batch && !isSame(batch, described.facts, described.sizeBytes)) {
      desk.broken.push({ file, reason: otherOf(batchId), isRead: true });
    } else return true;
    return false;
  });
};

/** Whether a compacted file holds what no other file does; then loose files of its batches are copies. */
const isNew = (
  desk: Desk,
  file: string,
  { batches }: CompactedFacts,
  seen: Map<string, string>,
): boolean => {
  const known = batches.map(({ batchId }) => desk.ledger.batches.get(desk.id, batchId));
  const elsewhere = known.filter((batch) => isThere(desk, batch, file));
  const other = batches.find(({ sha256 }, at) => known[at] && known[at].sha256 !== sha256);
  if (other || elsewhere.length === batches.length) {
    const copied = `${batches.length === 1 ? 'Its batch is' : `Its ${grouped(batches.length)} batches are`} in other files already.`;
    const reason = other ? otherOf(other.batchId) : copied;
    desk.broken.push({ file, reason, isRead: true });
    return false;
  }
  for (const batch of elsewhere) {
    if (batch.landedFile !== null) continue;
    const reason = copyOf(batch.batchId, file);
    desk.broken.push({ file: batch.file, reason, isRead: true });
  }
  for (const { batchId } of batches) seen.set(fold(batchId), file);
  return true;
};

const isThere = ({ files }: Desk, batch: Batch | undefined, besides: string): batch is Batch =>
  batch !== undefined && batch.file !== besides && files.has(batch.file);

/** Whether a file is the one that a batch landed as. */
const isSame = (batch: Batch, { sha256 }: FileFacts, sizeBytes: number): boolean =>
  batch.sha256 === sha256 && batch.sizeBytes === sizeBytes;

const copyOf = (batchId: string, first: string): string =>
  `It holds the batch ${batchId}, which is in ${first} already.`;

const otherOf = (batchId: string): string =>
  `It holds the batch ${batchId} otherwise than it landed.`;

/** What a file says of itself, or why it cannot stay where views read it. */
const readOwnFile = (path: string): DescribedFile | Omit<Broken, 'file'> => {
  // A link may lead out of the knowledgebase, where no query may read.
  if (!lstatSync(path).isFile()) return { reason: 'It is not a file of its own.', isRead: false };
  try {
    const described = describeFile(path);
    return described.facts === null && described.compacted === null
      ? { reason: 'Strata did not land it; import it instead.', isRead: true }
      : described;
  } catch (error) {
    if (error instanceof NotParquetError) return { reason: error.message, isRead: false };
    throw error;
  }
};

/** By landing; of files of one batch, the compacted one first, then the one under its own name. */
const orderOf = ({ file, described: { facts, compacted } }: Found): string =>
  compacted
    ? `${compacted.batches[0]?.receivedAt}\n0\n${file}`
    : `${facts?.receivedAt}\n${basename(file) === batchFile(facts?.batchId ?? '') ? 1 : 2}\n${file}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
