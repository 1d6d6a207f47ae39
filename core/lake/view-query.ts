// Owns what a stream's view says: over everything below its data folder, or, while a swap is under way, over what is
// right at that moment. Never runs it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type KnowledgebasePaths,
  runOfTransit,
  transitName,
  transitPaths,
} from '../knowledgebase/paths.ts';
import { globLiteral } from './duckdb.ts';
import { readJournal, type SwapJournal } from './swap/journal.ts';
import { countedBeside, isMadeLost, madeSide, parquetFiles } from './swap/places.ts';

const OPTIONS = 'union_by_name = true, filename = true, hive_partitioning = false';

/** The query of a stream's view. It names the folder, so a moved knowledgebase needs its views rewritten. */
export const viewQuery = (paths: KnowledgebasePaths, stream: string): string =>
  `SELECT * FROM read_parquet(${streamGlob(paths, stream)}, ${OPTIONS})`;

/**
 * The query of a stream's view while a swap moves files: the made files, wherever their folder is at the moment, and
 * every file that takes no part, also one that lands later. Files of the other side, on their way in a folder of the
 * run's, match no pattern. Each pattern must match something, which is what the placeholders are for.
 */
export const swapViewQuery = (
  paths: KnowledgebasePaths,
  stream: string,
  journal: SwapJournal,
): string => {
  const { data } = paths.stream(stream);
  const patterns = [
    swapGlob(paths, stream, journal),
    globLiteral(data, '/*.parquet'),
    globLiteral(data, '/dt=*/*.parquet'),
    ...otherFolders(data).map((folder) => globLiteral(join(data, folder), '/*.parquet')),
  ];
  return `SELECT * FROM read_parquet([${patterns.join(', ')}], ${OPTIONS})`;
};

/** The query that is right now for who cannot read kb.duckdb; the caller sees to it that no swap goes on meanwhile. */
export const currentViewQuery = (paths: KnowledgebasePaths, stream: string): string => {
  const own = paths.stream(stream);
  const journal = readJournal(own);
  const beside = journal && countedBeside(own, journal);
  if (!journal || beside === undefined) return viewQuery(paths, stream);
  if (beside !== transitPaths(own, journal.record.run).kept) {
    return swapViewQuery(paths, stream, journal);
  }
  const kept = globLiteral(beside, '/**/*.parquet');
  return `SELECT * FROM read_parquet([${streamGlob(paths, stream)}, ${kept}], ${OPTIONS})`;
};

/**
 * Whether a view's definition is over the stream's folder where it is now; `orSwap` takes that of a swap too.
 * DuckDB prints a view's query in its own way; the folder is all of it that can differ.
 */
export const isOwnView = (
  definition: string,
  paths: KnowledgebasePaths,
  stream: string,
  orSwap: boolean,
): boolean =>
  definition.includes(streamGlob(paths, stream)) ||
  (orSwap && definition.includes(globLiteral(paths.stream(stream).data, '/dt=*/*.parquet')));

/** Whether a view's definition is that of this swap, whatever the folder was called when it was made. */
export const isSwapView = (definition: string | undefined, journal: SwapJournal): boolean =>
  definition?.includes(`${swapPattern(journal)}'`) ?? false;

/** Whether a view is that of a swap whose made files are lost; what counts instead is known to `currentViewQuery`. */
export const readsLost = (
  paths: KnowledgebasePaths,
  stream: string,
  definition: string,
): boolean => {
  const own = paths.stream(stream);
  const journal = readJournal(own);
  return journal !== undefined && isSwapView(definition, journal) && isMadeLost(own, journal);
};

const streamGlob = (paths: KnowledgebasePaths, stream: string): string => {
  const { data, glob } = paths.stream(stream);
  return globLiteral(data, glob.slice(data.length));
};

/** Matches the made files in data/ and in staging alike: their folder goes from one to the other in one step. */
const swapGlob = (paths: KnowledgebasePaths, stream: string, journal: SwapJournal): string => {
  return globLiteral(paths.stream(stream).root, swapPattern(journal));
};

const swapPattern = (journal: SwapJournal): string =>
  `/*/${transitName(journal.record.run)}/${madeSide(journal)}/**/*.parquet`;

/** Folders below data/ that nobody lands in by rule and that have files all the same. */
const otherFolders = (data: string): string[] => {
  const names = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && runOfTransit(entry.name) === undefined)
    .map(({ name }) => name);
  const folders = names.flatMap((name) =>
    parquetFiles(join(data, name)).map((file) => {
      const path = `${name}/${file}`;
      return path.slice(0, path.lastIndexOf('/'));
    }),
  );
  return [...new Set(folders)].filter((folder) => !/^dt=[^/]*$/.test(folder));
};
