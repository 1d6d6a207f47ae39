// Owns comparing the files of a stream's data folder with the batches that the ledger knows.
// Never moves a file: who asked decides what becomes of one that cannot stay.

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fold } from '../ids.ts';
import { batchFile, relativePath, type StreamPaths } from '../knowledgebase/paths.ts';
import { type DescribedFile, describeFile } from '../lake/land.ts';
import { NotParquetError } from '../lake/parquet/not-parquet-error.ts';
import type { Ledger } from '../ledger/open.ts';
import type { Batch } from '../model.ts';

/** A file that the ledger does not know. */
export interface Found {
  /** Relative to the data folder. */
  readonly file: string;
  readonly path: string;
  readonly described: DescribedFile;
}

/** How a data folder and the ledger differ. */
interface Comparison {
  /** In landing order. */
  readonly unknown: readonly Found[];
  /** Files that cannot stay where views read them, and why. */
  readonly broken: readonly { readonly file: string; readonly reason: string }[];
  /** Files of batches that are gone. */
  readonly missing: readonly string[];
}

/** Everything that a view reads below a stream's data folder, relative to it, in name order. */
export const listDataFiles = ({ data }: StreamPaths): string[] =>
  existsSync(data)
    ? readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.parquet'))
        .map((entry) => relativePath(data, join(entry.parentPath, entry.name)))
        .sort()
    : [];

/** Compares a stream's data folder with its batches; batches whose file has moved inside it are followed at once. */
export const compareFiles = (ledger: Ledger, id: string, stream: StreamPaths): Comparison => {
  const known = new Map<string, Batch>();
  for (const batch of ledger.batches.each(id)) known.set(batch.file, batch);
  const unknown: Found[] = [];
  const broken: { file: string; reason: string }[] = [];
  for (const file of listDataFiles(stream)) {
    const path = join(stream.data, file);
    const batch = known.get(file);
    known.delete(file);
    if (batch && lstatSync(path).size === batch.sizeBytes) continue;
    const described = readOwnFile(path);
    if (typeof described === 'string') broken.push({ file, reason: described });
    else if (!batch) unknown.push({ file, path, described });
  }
  const strange = followMoved(ledger, id, unknown, known);
  return { ...setApartCopies(ledger, id, strange, broken), missing: [...known.keys()] };
};

/** A batch whose file is gone from where it was and lies elsewhere in data/ is where it lies; the others are given back. */
const followMoved = (
  ledger: Ledger,
  id: string,
  unknown: readonly Found[],
  missing: Map<string, Batch>,
): Found[] => {
  const gone = new Map([...missing.values()].map((batch) => [fold(batch.batchId), batch]));
  return unknown.filter(({ file, described: { facts, sizeBytes } }) => {
    const key = fold(facts?.batchId ?? '');
    const batch = gone.get(key);
    if (batch?.sha256 !== facts?.sha256 || batch?.sizeBytes !== sizeBytes) return true;
    ledger.batches.moveTo(id, batch.batchId, file);
    gone.delete(key);
    missing.delete(batch.file);
    return false;
  });
};

/** A second file of a batch (a copy under another name) would count its rows twice: it is set aside too. */
const setApartCopies = (
  ledger: Ledger,
  id: string,
  unknown: Found[],
  broken: { file: string; reason: string }[],
) => {
  // In landing order, so that the first spelling of a column is the first again.
  unknown.sort((one, other) => compare(orderOf(one), orderOf(other)));
  const seen = new Map<string, string>();
  const single = unknown.filter(({ file, described }) => {
    const batchId = described.facts?.batchId ?? '';
    const first = seen.get(fold(batchId)) ?? ledger.batches.get(id, batchId)?.file;
    seen.set(fold(batchId), first ?? file);
    if (first === undefined || first === file) return true;
    broken.push({ file, reason: `It holds the batch ${batchId}, which is in ${first} already.` });
    return false;
  });
  return { unknown: single, broken };
};

/** What a file says of itself, or why it cannot stay where views read it. */
const readOwnFile = (path: string): DescribedFile | string => {
  // A link may lead out of the knowledgebase, where no query may read.
  if (!lstatSync(path).isFile()) return 'It is not a file of its own.';
  try {
    const described = describeFile(path);
    return described.facts === null ? 'Strata did not land it; import it instead.' : described;
  } catch (error) {
    if (error instanceof NotParquetError) return error.message;
    throw error;
  }
};

/** By landing; of files of one batch, the one under its own name first. */
const orderOf = ({ file, described: { facts } }: Found): string =>
  `${facts?.receivedAt}\n${basename(file) === batchFile(facts?.batchId ?? '') ? 0 : 1}\n${file}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
