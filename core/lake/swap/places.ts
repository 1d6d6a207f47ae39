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
export const madeSide = ({ kind }: Pick<SwapJournal, 'kind'>): 'in' | 'out' =>
  kind === 'compact' ? 'in' : 'out';

/** Where a file that a run made lies while a swap moves it: on its way, or at its place in data/. */
export const findMade = (
  stream: StreamPaths,
  journal: Pick<SwapJournal, 'kind' | 'record'>,
  file: string,
): string | undefined => {
  const { inData, inStaging } = transitPaths(stream, journal.record.run);
  const side = madeSide(journal);
  return [join(inStaging, side), join(inData, side), stream.data]
    .map((folder) => join(folder, file))
    .find((path) => existsSync(path));
};

/** Whether a swap broke off, and a file that its run made is nowhere any more. Then its own view reads what is gone. */
export const isMadeLost = (stream: StreamPaths, journal: SwapJournal): boolean =>
  !journal.moved &&
  journal.record.made.some((file) => findMade(stream, journal, file) === undefined);

/**
 * The folder whose files count besides what lies below data/: where one side of a swap has left and the other has not
 * come, or cannot come any more. The made files in staging, whose view is the swap's own; or the originals, where a
 * made file is lost.
 */
export const countedBeside = (stream: StreamPaths, journal: SwapJournal): string | undefined => {
  const { inData, inStaging, kept } = transitPaths(stream, journal.record.run);
  const side = madeSide(journal);
  const staged = join(inStaging, side);
  if (journal.moved) return undefined;
  if (isMadeLost(stream, journal)) {
    const isInData = journal.record.made.some((file) =>
      [join(inData, side), stream.data].some((folder) => existsSync(join(folder, file))),
    );
    return existsSync(kept) && !isInData ? kept : undefined;
  }
  if (!existsSync(staged)) return undefined;
  if (existsSync(kept)) return staged;
  // Of an undo the originals have come, or they are lost; the placeholders go when they have come.
  const isOpen = PLACEHOLDERS.some((file) => existsSync(join(stream.data, file)));
  return journal.kind === 'undo' && isOpen && !existsSync(join(inData, 'in')) ? staged : undefined;
};

/** Every file whose rows count, by its place in data/ (where it belongs when no swap is under way), in name order. */
export const listStreamFiles = (stream: StreamPaths): Map<string, string> => {
  const found: [string, string][] = parquetFiles(stream.data).flatMap((file) =>
    PLACEHOLDERS.includes(placeOf(file)) ? [] : [[placeOf(file), join(stream.data, file)]],
  );
  const journal = readJournal(stream);
  const beside = journal && countedBeside(stream, journal);
  if (beside !== undefined) {
    for (const file of parquetFiles(beside)) {
      if (!PLACEHOLDERS.includes(file)) found.push([file, join(beside, file)]);
    }
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
