// Owns comparing a stream's files with what the ledger has of them, and recording those that it does not know.
// Never moves a file; recover.ts sets aside what is named here as broken.

import { lstatSync } from 'node:fs';
import { syncFolder } from '../durable.ts';
import { fold } from '../ids.ts';
import { batchFile, type StreamPaths } from '../knowledgebase/paths.ts';
import { type DescribedFile, describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import { listStreamFiles } from '../lake/swap/places.ts';
import type { Ledger } from '../ledger/open.ts';
import { recordCompacted } from './compaction/record-file.ts';
import { addBatch } from './recorder.ts';

interface Found {
  readonly file: string;
  readonly described: DescribedFile;
}

interface Broken {
  readonly file: string;
  readonly reason: string;
}

/** A file that the ledger names and that is not there. */
export interface Missing {
  readonly file: string;
  /** Its batch; null for a compacted file. */
  readonly batchId: string | null;
}

/** How many landed files one transaction records: other processes get their turn between two. */
const CHUNK = 500;

/** What is there and not recorded, what cannot stay where views read it, and what is recorded and not there. */
export const compareFiles = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
): { unknown: Found[]; broken: Broken[]; missing: Missing[] } => {
  const known = new Map<string, Missing & { readonly sizeBytes: number }>();
  for (const { file, batchId, sizeBytes } of ledger.batches.eachLoose(id)) {
    known.set(file, { file, batchId, sizeBytes });
  }
  for (const { file, sizeBytes } of ledger.compactedFiles.list(id)) {
    known.set(file, { file, batchId: null, sizeBytes });
  }
  const files = listStreamFiles(stream);
  const unknown: Found[] = [];
  const broken: Broken[] = [];
  for (const [file, path] of files) {
    const recorded = known.get(file);
    known.delete(file);
    if (recorded && lstatSync(path).size === recorded.sizeBytes) continue;
    const described = readOwnFile(path);
    if (typeof described === 'string') broken.push({ file, reason: described });
    else if (!recorded) unknown.push({ file, described });
  }
  const single = withoutCopies(ledger, id, files, unknown, broken);
  return { unknown: single, broken, missing: [...known.values()] };
};

/** A second file with the rows of a batch (a copy under another name) would count them twice: it is set aside too. */
const withoutCopies = (
  ledger: Ledger,
  id: string,
  files: ReadonlyMap<string, string>,
  unknown: Found[],
  broken: Broken[],
): Found[] => {
  // In landing order, so that the first spelling of a column is the first again; compacted files stand before copies.
  unknown.sort((one, other) => compare(orderOf(one), orderOf(other)));
  const isThere = (file: string | undefined, besides: string): file is string =>
    file !== undefined && file !== besides && files.has(file);
  const seen = new Map<string, string>();
  const compacted = new Set<Found>();
  for (const found of unknown) {
    const { file, described } = found;
    if (!described.compacted) continue;
    const { batches } = described.compacted;
    const elsewhere = batches
      .map(({ batchId }) => ledger.batches.get(id, batchId))
      .filter((batch) => isThere(batch?.file, file));
    if (elsewhere.length === batches.length) {
      broken.push({ file, reason: `Its ${batches.length} batches are in other files already.` });
      continue;
    }
    for (const batch of elsewhere) {
      if (!batch || batch.landedFile !== null) continue;
      broken.push({ file: batch.file, reason: copyOf(batch.batchId, file) });
    }
    for (const { batchId } of batches) seen.set(fold(batchId), file);
    compacted.add(found);
  }
  return unknown.filter((found) => {
    const { file, described } = found;
    if (described.compacted) return compacted.has(found);
    const batchId = described.facts?.batchId ?? '';
    const recorded = ledger.batches.get(id, batchId)?.file;
    const first = seen.get(fold(batchId)) ?? (isThere(recorded, file) ? recorded : undefined);
    seen.set(fold(batchId), first ?? file);
    if (first === undefined) return true;
    broken.push({ file, reason: copyOf(batchId, first) });
    return false;
  });
};

const copyOf = (batchId: string, first: string): string =>
  `It holds the batch ${batchId}, which is in ${first} already.`;

/** What a file says of itself, or why it cannot stay where views read it. */
const readOwnFile = (path: string): DescribedFile | string => {
  // A link may lead out of the knowledgebase, where no query may read.
  if (!lstatSync(path).isFile()) return 'It is not a file of its own.';
  try {
    const described = describeFile(path);
    return described.facts === null && described.compacted === null
      ? 'Strata did not land it; import it instead.'
      : described;
  } catch (error) {
    if (error instanceof NotParquetError) return error.message;
    throw error;
  }
};

/** Records files that are unknown; returns how many batches are new to the ledger. */
export const recordFiles = (
  ledger: Ledger,
  id: string,
  stream: StreamPaths,
  unknown: readonly Found[],
): number => {
  // A crash may have come before their folder was synced; what is recorded is answered as a replay.
  if (unknown.length > 0) syncFolder(stream.data);
  let recorded = 0;
  let loose: Found[] = [];
  const recordLoose = (): void => {
    const some = loose;
    loose = [];
    if (some.length === 0) return;
    recorded += ledger.transaction(
      () => some.filter((found) => recordOne(ledger, id, found)).length,
    );
  };
  for (const found of unknown) {
    const { compacted, sizeBytes } = found.described;
    if (compacted) {
      recordLoose();
      for (const added of recordCompacted(ledger, id, found.file, sizeBytes, compacted)) {
        recorded += added;
      }
      continue;
    }
    loose.push(found);
    if (loose.length === CHUNK) recordLoose();
  }
  recordLoose();
  return recorded;
};

/** Of files that are missing, those that the ledger still needs once everything else is recorded. */
export const stillNeeded = (ledger: Ledger, id: string, missing: readonly Missing[]): string[] => {
  if (missing.length === 0) return [];
  const compacted = new Set(
    missing.flatMap(({ file, batchId }) => (batchId === null ? [file] : [])),
  );
  const used = new Set<string>();
  if (compacted.size > 0) {
    for (const { file } of ledger.batches.each(id)) if (compacted.has(file)) used.add(file);
    for (const file of compacted) if (!used.has(file)) ledger.compactedFiles.remove(id, file);
  }
  ledger.streams.settleFiles(id);
  return missing
    .filter(({ file, batchId }) =>
      batchId === null ? used.has(file) : ledger.batches.get(id, batchId)?.file === file,
    )
    .map(({ file }) => file);
};

/** By landing; of files of one batch, the one under its own name first. */
const orderOf = ({ file, described: { facts, compacted } }: Found): string =>
  compacted
    ? `${compacted.batches[0]?.receivedAt}\n0\n${file}`
    : `${facts?.receivedAt}\n${file === batchFile(facts?.batchId ?? '') ? 1 : 2}\n${file}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Records a file of one batch; false where the ledger knew the batch, which is then in this file. */
const recordOne = (ledger: Ledger, id: string, { file, described }: Found): boolean => {
  const { facts, columns, landedAt, rows, sizeBytes } = described;
  if (!facts) return false;
  const { batchId, bodyBytes, sha256, sender, receivedAt } = facts;
  const sourceOf = new Map(
    Object.entries(facts.renamed).map(([source, landed]) => [fold(landed), source]),
  );
  for (const landed of columns) {
    const source = sourceOf.get(fold(landed)) ?? landed;
    ledger.columns.restore(id, { source, landed, firstSeenAt: landedAt, firstBatchId: batchId });
  }
  const isNew = addBatch(ledger, {
    ...{ stream: id, batchId, file, landedFile: null, rowInFile: 0, rows, sizeBytes, bodyBytes },
    ...{ sha256, sender, receivedAt, landedAt, replays: 0, lastReplayedAt: null, recovered: true },
  });
  if (!isNew) ledger.batches.move(id, batchId, { file, landedFile: null, rowInFile: 0 });
  return isNew;
};
