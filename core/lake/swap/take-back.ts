// Owns bringing one side of a swap back after the switch, where the side that was to come is not whole.
// Never deletes a file that is damaged, nor any where its rows may be nowhere else.
//
//   view of the swap     the made files are in staging, and seen there or in data/ alike; the originals change folders,
//                        which that view does not see
//   ─ back ─             the view is over data/** again; in data/ is the side that stays
//   view over data/**    its files go to their places

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type KnowledgebasePaths,
  PLACEHOLDERS,
  type StreamPaths,
  transitPaths,
} from '../../knowledgebase/paths.ts';
import { atStep } from '../../steps.ts';
import type { DuckDBConnection } from '../duckdb.ts';
import { moveAside } from '../move-aside.ts';
import { swapViewQuery, viewQuery } from '../view-query.ts';
import { replaceView } from '../views.ts';
import { dropJournal, keepJournal, type SwapJournal, writeJournal } from './journal.ts';
import { moveAll, moveFiles, moveFolder, removeEmpty, syncFolders } from './move.ts';
import {
  clearPlaceholders,
  makeEmptyFile,
  makePlaceholders,
  placePlaceholders,
} from './placeholders.ts';
import { findMade, madeSide, parquetFiles } from './places.ts';
import { faultOfMadeFile, faultOfOriginals, originalsOf } from './whole.ts';

/** What a swap works with. */
export interface SwapDesk {
  readonly paths: KnowledgebasePaths;
  /** The stream's id. */
  readonly stream: string;
  readonly connection: DuckDBConnection;
}

/** Brings the originals of a compaction back, or the made files of an undo; can be done again from any point. */
export const takeBack = async (
  desk: SwapDesk,
  told: SwapJournal,
  isSwitched: boolean,
): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const journal: SwapJournal = { ...told, moved: false };
  if (told.moved) writeJournal(stream, journal);
  const { inData, inStaging } = transitPaths(stream, journal.record.run);
  const side = madeSide(journal);
  const staged = join(inStaging, side);
  const back = journal.kind === 'compact' ? await takeOutMade(stream, journal) : 'made';
  if (!isSwitched) {
    makePlaceholders(stream, journal.record.run);
    await placePlaceholders(stream, journal.record.run);
    makeEmptyFile(join(staged, PLACEHOLDERS[0] as string));
    await syncFolders([stream.data, stream.staging]);
    await replaceView(
      desk.connection,
      desk.stream,
      swapViewQuery(desk.paths, desk.stream, journal),
    );
  }
  const touched = await changeBack(stream, journal, back);
  await syncFolders([...touched, inData, inStaging, stream.processed, stream.data, stream.staging]);
  await replaceView(desk.connection, desk.stream, viewQuery(desk.paths, desk.stream));
  atStep('back');
  for (const name of ['in', 'out']) {
    for (const one of await moveAll(join(inData, name), stream.data)) touched.add(one);
  }
  clearPlaceholders(stream);
  removeEmpty(inData);
  await syncFolders([...touched, stream.data]);
  endJournal(stream, journal);
  rmSync(inStaging, { recursive: true, force: true });
};

/** Under the swap's view: which side is in data/ afterwards. */
const changeBack = async (
  stream: StreamPaths,
  journal: SwapJournal,
  back: 'made' | 'originals',
): Promise<Set<string>> => {
  const { inData, inStaging, kept } = transitPaths(stream, journal.record.run);
  const side = madeSide(journal);
  const staged = join(inStaging, side);
  const touched = new Set<string>();
  const move = async (from: string, to: string, files = parquetFiles(from)): Promise<void> => {
    for (const one of await moveFiles(from, to, files)) touched.add(one);
  };
  const arrived = join(inData, side);
  if (back === 'made') {
    const others = join(inData, side === 'in' ? 'out' : 'in');
    await move(others, kept);
    removeEmpty(others);
    await move(
      staged,
      arrived,
      parquetFiles(staged).filter((file) => !isPlaceholder(file)),
    );
    return touched;
  }
  await move(arrived, staged);
  await move(
    stream.data,
    staged,
    journal.record.made.filter((file) => existsSync(join(stream.data, file))),
  );
  removeEmpty(arrived);
  if (existsSync(join(inData, 'out'))) await move(kept, join(inData, 'out'));
  else moveFolder(kept, join(inData, 'out'));
  removeEmpty(kept);
  return touched;
};

const isPlaceholder = (file: string): boolean => PLACEHOLDERS.includes(file);

/**
 * Sets those of a compaction's made files aside that must not be lost with the others, and says which side comes back:
 * what is left of the made files, where there is no original at all.
 */
const takeOutMade = async (
  stream: StreamPaths,
  journal: SwapJournal,
): Promise<'made' | 'originals'> => {
  const { record } = journal;
  const folder = originalsOf(stream, journal);
  const isEmpty = folder === undefined || parquetFiles(folder).length === 0;
  const missing = folder === undefined ? null : await faultOfOriginals(folder, record);
  for (const file of record.made) {
    const path = findMade(stream, journal, file);
    if (path === undefined) continue;
    const fault = await faultOfMadeFile(path, file, record.run);
    if (fault !== null) moveAside(stream, path, file, fault);
    else if (missing !== null && !isEmpty) moveAside(stream, path, file, missing);
  }
  return isEmpty ? 'made' : 'originals';
};

/** Of an undo the run stands again, with what there is of its originals. */
const endJournal = (stream: StreamPaths, journal: SwapJournal): void => {
  const { kept, history } = transitPaths(stream, journal.record.run);
  if (journal.kind === 'undo' && existsSync(kept)) {
    if (existsSync(history)) dropJournal(stream);
    else keepJournal(stream, { ...journal, kind: 'compact', moved: true });
    return;
  }
  rmSync(history, { force: true });
  dropJournal(stream);
};
