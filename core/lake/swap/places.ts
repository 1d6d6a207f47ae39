// Owns where a stream's files are at any moment, also while a swap is under way or broke off: which of them count, and
// where each lies. Never moves one.

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  PLACEHOLDERS,
  runOfTransit,
  type StreamPaths,
  transitPaths,
} from '../../knowledgebase/paths.ts';
import { readJournal, type SwapJournal } from './journal.ts';

/** The side of a swap that is few files: those the run made. */
export const madeSide = ({ kind }: SwapJournal): 'in' | 'out' =>
  kind === 'compact' ? 'in' : 'out';

/**
 * Whether a swap stands where one side's files have left data/ and the other's have not come. Only then is what counts
 * not what lies below data/; the swap's own view stands in kb.duckdb, and the made files are in staging.
 */
export const isBetween = (stream: StreamPaths, journal: SwapJournal): boolean => {
  const { inStaging, kept } = transitPaths(stream, journal.record.run);
  return !journal.moved && existsSync(kept) && existsSync(join(inStaging, madeSide(journal)));
};

/** Every file whose rows count, by its place in data/ (where it belongs when no swap is under way), in name order. */
export const listStreamFiles = (stream: StreamPaths): Map<string, string> => {
  const found: [string, string][] = parquetFiles(stream.data).flatMap((file) =>
    PLACEHOLDERS.includes(file) ? [] : [[placeOf(file), join(stream.data, file)]],
  );
  const journal = readJournal(stream);
  if (journal && isBetween(stream, journal)) {
    const side = join(transitPaths(stream, journal.record.run).inStaging, madeSide(journal));
    for (const file of parquetFiles(side)) found.push([file, join(side, file)]);
  }
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
};

/**
 * The path of a file by its place in data/. While a swap is under way, or waits for the ledger, the file may be on its
 * way, or replaced by one with the same rows: its bytes are the same wherever it is. Undefined where it is gone. Who goes
 * by what the ledger said earlier gives the journal of before that: it ends as soon as the ledger is in line.
 */
export const findFile = (
  stream: StreamPaths,
  file: string,
  known?: SwapJournal,
): string | undefined => {
  const own = join(stream.data, file);
  // A link that leads nowhere is there too.
  if (lstatSync(own, { throwIfNoEntry: false })) return own;
  const journal = known ?? readJournal(stream);
  if (!journal) return undefined;
  const { inData, inStaging, kept } = transitPaths(stream, journal.record.run);
  return [
    ...[join(inData, 'out', file), join(inData, 'in', file)],
    ...[join(inStaging, 'in', file), join(inStaging, 'out', file), join(kept, file)],
  ].find((path) => existsSync(path));
};

/** Every Parquet file below a folder, relative to it, with forward slashes. Names alone: 10,000 take some 10 ms. */
export const parquetFiles = (folder: string): string[] => {
  const found: string[] = [];
  const look = (path: string, before: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isDirectory()) look(join(path, name), `${before}${name}/`);
      else if (name.endsWith('.parquet')) found.push(before + name);
    }
  };
  if (existsSync(folder)) look(folder, '');
  return found;
};

/** Where a file belongs: one on its way is in a folder of the run's. */
const placeOf = (file: string): string => {
  const [first, side, ...rest] = file.split('/');
  const isOnItsWay = runOfTransit(first as string) !== undefined && /^(in|out)$/.test(side ?? '');
  return isOnItsWay && rest.length > 0 ? rest.join('/') : file;
};
