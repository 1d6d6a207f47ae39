// Owns the swap itself: the order in which files move and the view changes, forward from any point, or back.
// Never records in the ledger. The caller holds the writer lock, the folder lock and the gate, and has kb.duckdb open
// for writing, which DuckDB grants only where no other process has it open.
//
//   view over data/**    the files that leave go, one by one, into data/~run/out/     every row once: the view sees them there
//   ─ switch ─           the view is over ~run/in/ (compact) or ~run/out/ (undo), wherever that folder is, and over what
//                        lies in data/ itself or in its date folders: batches that land meanwhile are in it
//   view of the swap     whole folders change places, each in one step                the view follows the made files
//   ─ back ─             the view is over data/** again
//   view over data/**    the files that came go from data/~run/in/ to their places    every row once

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../durable.ts';
import { type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';
import { atStep } from '../../steps.ts';
import { isSwapView, swapViewQuery, viewQuery } from '../view-query.ts';
import { readView, replaceView } from '../views.ts';
import { dropJournal, type SwapJournal, writeJournal } from './journal.ts';
import { moveAll, moveFiles, moveFolder, removeEmpty, syncFolders } from './move.ts';
import { checkOneDisk } from './one-disk.ts';
import { clearPlaceholders, makePlaceholders, placePlaceholders } from './placeholders.ts';
import { countedBeside, isMadeLost, parquetFiles } from './places.ts';
import { type SwapDesk, takeBack } from './take-back.ts';
import { faultOfMade, faultOfOriginals, originalsOf } from './whole.ts';

/**
 * Makes ready what a swap needs besides its files, before anything is held: the placeholders, in the run's own folder,
 * and that a power cut leaves the files that wait there. Throws `folders_apart`.
 */
export const prepare = (stream: StreamPaths, run: string): void => {
  checkOneDisk(stream);
  const { inStaging } = transitPaths(stream, run);
  makePlaceholders(stream, run);
  const inside = existsSync(join(inStaging, 'in'))
    ? readdirSync(join(inStaging, 'in'), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
  const all = [...inside, join(inStaging, 'in'), inStaging, stream.staging, stream.processed];
  for (const folder of all) if (existsSync(folder)) syncFolder(folder);
};

/** Carries a swap out that is prepared and whose journal is written: the files of `leaving` go, those that wait come. */
export const carryOut = async (
  desk: SwapDesk,
  journal: SwapJournal,
  leaving: readonly string[],
): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const { inData } = transitPaths(stream, journal.record.run);
  const touched = await moveFiles(stream.data, join(inData, 'out'), leaving, () =>
    atStep('leaving'),
  );
  atStep('left');
  for (const one of await placePlaceholders(stream, journal.record.run)) touched.add(one);
  // Durable before the view is: after a power cut it must not find the files where they were.
  await syncFolders([...touched, inData, stream.data]);
  await replaceView(desk.connection, desk.stream, swapViewQuery(desk.paths, desk.stream, journal));
  atStep('switched');
  await goOn(desk, journal);
};

/** Which way a swap went that broke off; back with why, where the side that was to come is not whole. */
export type Settled =
  | { readonly way: 'forward' }
  | { readonly way: 'back'; readonly why: string | null };

const FORWARD: Settled = { way: 'forward' };

/**
 * Finishes or undoes a swap that broke off. What decides is what readers see (the view in kb.duckdb, and where that is
 * lost, the files), and whether the side that is to come is whole: else the other one comes back.
 */
export const settle = async (desk: SwapDesk, journal: SwapJournal): Promise<Settled> => {
  const stream = desk.paths.stream(desk.stream);
  const { inStaging, kept } = transitPaths(stream, journal.record.run);
  const isSwitched = isSwapView(await readView(desk.connection, desk.stream), journal);
  const back = async (why: string | null): Promise<Settled> => {
    await goBack(desk, journal);
    return { way: 'back', why };
  };
  const forward = async (): Promise<Settled> => {
    if (!journal.moved) await goOn(desk, journal);
    return FORWARD;
  };
  if (journal.kind === 'undo') {
    if (journal.moved) return FORWARD;
    if (!isSwitched) {
      const isOut = existsSync(join(inStaging, 'out'));
      if (!isOut && existsSync(kept)) return back(null);
      if (!isOut && !isMadeLost(stream, journal)) return back('The originals are gone.');
      if (!existsSync(kept) && !isMadeWaiting(stream, journal)) return forward();
    }
    const folder = originalsOf(stream, journal);
    const why = folder ? await faultOfOriginals(folder, journal.record) : 'The originals are gone.';
    // Where neither side is whole, what there is of the originals is nearest to what has landed.
    if (why === null || (folder && (await faultOfMade(stream, journal)) !== null)) return forward();
    await takeBack(desk, journal, isSwitched);
    return { way: 'back', why };
  }
  const isAway = isSwitched || existsSync(kept);
  if (!isAway && !journal.moved && existsSync(join(inStaging, 'in'))) return back(null);
  const why = await faultOfMade(stream, journal);
  if (why === null) return forward();
  // Without originals to bring back, who reads the stream is told what is missing in it.
  if (!isAway) return back(why);
  await takeBack(desk, journal, isSwitched);
  return { way: 'back', why };
};

/** Whether the files that an undo takes out wait in staging for originals that have not come. */
const isMadeWaiting = (stream: StreamPaths, journal: SwapJournal): boolean =>
  countedBeside(stream, journal) !== undefined;

/** From the switch on; each step is left out where it is done. */
const goOn = async (desk: SwapDesk, journal: SwapJournal): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const { inData } = transitPaths(stream, journal.record.run);
  const query = viewQuery(desk.paths, desk.stream);
  const change = (): Promise<void> => changePlaces(stream, journal);
  if (journal.kind === 'undo' && existsSync(join(inData, 'out'))) {
    // The same two commits in the same places. Now the view is over few files, afterwards over thousands, each of which
    // DuckDB would open while nobody is let in.
    await replaceView(desk.connection, desk.stream, query, change);
  } else {
    await change();
    await replaceView(desk.connection, desk.stream, query);
  }
  atStep('back');
  // Wherever in data/ a file is from now on, the view finds it.
  const arrived = join(inData, 'in');
  await moveFiles(arrived, stream.data, parquetFiles(arrived));
  // Before the folder that they came from: without both an undo looks like one whose originals are lost.
  clearTransit(stream, journal);
  atStep('placed');
};

/** Under the swap's view: the side that leaves goes out of data/, the other comes. */
const changePlaces = async (stream: StreamPaths, journal: SwapJournal): Promise<void> => {
  const { inData, inStaging, kept } = transitPaths(stream, journal.record.run);
  const [out, come] =
    journal.kind === 'compact' ? [kept, join(inStaging, 'in')] : [join(inStaging, 'out'), kept];
  moveFolder(join(inData, 'out'), out);
  // Durable before the others come: both sides in data/ after a power cut would look like copies.
  await syncFolders([inData, dirname(out), dirname(dirname(out))]);
  atStep('gone');
  moveFolder(come, join(inData, 'in'));
  atStep('arrived');
  // All of them, also those that a process moved which died before it could.
  await syncFolders([inData, inStaging, stream.processed, stream.staging, stream.root]);
};

/** Ends the files' part of a swap, once kb.duckdb is closed: durable, and said in the journal. */
export const endMoves = async (stream: StreamPaths, journal: SwapJournal): Promise<void> => {
  const { record } = journal;
  const arrived = journal.kind === 'compact' ? record.made : parquetFiles(stream.data);
  const folders = new Set(arrived.map((file) => dirname(file)));
  await syncFolders([...[...folders].map((folder) => join(stream.data, folder)), stream.data]);
  writeJournal(stream, { ...journal, moved: true });
  atStep('moved');
};

/** The view is its own: what had left comes back, and what there is of the other side where nothing had. */
const goBack = async (desk: SwapDesk, journal: SwapJournal): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const { inData, inStaging } = transitPaths(stream, journal.record.run);
  const touched = await moveAll(join(inData, 'out'), stream.data);
  for (const one of await moveAll(join(inData, 'in'), stream.data)) touched.add(one);
  clearTransit(stream, journal);
  await syncFolders([...touched, stream.data]);
  // Without its journal the run is a stray; the other way round it would look like one that has gone through.
  dropJournal(stream);
  rmSync(inStaging, { recursive: true, force: true });
};

const clearTransit = (stream: StreamPaths, journal: SwapJournal): void => {
  clearPlaceholders(stream);
  removeEmpty(transitPaths(stream, journal.record.run).inData);
};
