// Owns saying whether a side of a swap is all there and whole: what its rows rest on once the other side has gone.
// Never moves a file, and reads footers alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted, grouped } from '../../counted.ts';
import { errnoOf } from '../../durable.ts';
import { type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';
import { openPace } from '../../pace.ts';
import { type DescribedFile, describeFileInTurns } from '../land.ts';
import { NotParquetError } from '../parquet/not-parquet-error.ts';
import type { RunRecord, SwapJournal } from './journal.ts';
import { findMade, parquetFiles } from './places.ts';

/** Why a file cannot be relied on, as a sentence that begins with its name; null where it can. */
export const faultOfFile = async (
  path: string | undefined,
  file: string,
  check: (described: DescribedFile) => string | null,
): Promise<string | null> => {
  if (path === undefined) return `${file} is gone.`;
  try {
    return check(await describeFileInTurns(path, openPace()));
  } catch (error) {
    if (error instanceof NotParquetError) return `${file} is not whole: ${error.message}`;
    if (errnoOf(error) === 'ENOENT') return `${file} is gone.`;
    throw error;
  }
};

/** Why one of a run's own files cannot be relied on; null where it is there and whole. `told` hears what it holds. */
export const faultOfMadeFile = (
  path: string | undefined,
  file: string,
  run: string,
  told: (described: DescribedFile) => void = () => {},
): Promise<string | null> =>
  faultOfFile(path, file, (described) => {
    const { compacted, rows } = described;
    if (compacted?.run !== run) return `${file} is not the file that was made.`;
    const said = compacted.batches.reduce((sum, batch) => sum + batch.rows, 0);
    if (said !== rows) {
      return `${file} has ${counted(rows, 'row')}, its manifest says ${grouped(said)}.`;
    }
    told(described);
    return null;
  });

/** Why the files that a run made do not hold its rows, wherever a swap has them; null where they do. */
export const faultOfMade = async (
  stream: StreamPaths,
  { kind, record }: Pick<SwapJournal, 'kind' | 'record'>,
): Promise<string | null> => {
  const sum = { rows: 0, batches: 0, sizeBytes: 0 };
  for (const file of record.made) {
    const path = findMade(stream, { kind, record }, file);
    const fault = await faultOfMadeFile(path, file, record.run, (described) => {
      sum.rows += described.rows;
      sum.batches += described.compacted?.batches.length ?? 0;
      sum.sizeBytes += described.sizeBytes;
    });
    if (fault) return fault;
  }
  if (sum.rows === record.rows && sum.batches === record.batches) {
    if (sum.sizeBytes === record.bytesAfter) return null;
  }
  return 'The merged files are not those that were made.';
};

/** Why the originals of a run, in the folder where all of them lie, are not all there and whole; null where they are. */
export const faultOfOriginals = async (
  folder: string,
  { filesBefore, rows }: RunRecord,
): Promise<string | null> => {
  const files = parquetFiles(folder);
  if (files.length !== filesBefore) {
    return `Of ${counted(filesBefore, 'original')}, ${grouped(filesBefore - files.length)} are gone.`;
  }
  let sum = 0;
  for (const file of files) {
    const fault = await faultOfFile(join(folder, file), file, (described) => {
      sum += described.rows;
      return null;
    });
    if (fault) return fault;
  }
  return sum === rows ? null : 'The originals are not those that were replaced.';
};

/** Where a swap has all originals at once; undefined where they lie among other files, or are gone. */
export const originalsOf = (
  stream: StreamPaths,
  { kind, record }: SwapJournal,
): string | undefined => {
  const { inData, kept } = transitPaths(stream, record.run);
  return [kept, join(inData, kind === 'compact' ? 'out' : 'in')].find((path) => existsSync(path));
};
