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

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, removeQuietly, syncFolder, writeNewFile } from '../../durable.ts';
import {
  type KnowledgebasePaths,
  PLACEHOLDERS,
  type StreamPaths,
  transitPaths,
} from '../../knowledgebase/paths.ts';
import { atStep } from '../../steps.ts';
import type { DuckDBConnection } from '../duckdb.ts';
import { plainCodec } from '../parquet/codec.ts';
import { encodeBatch } from '../parquet/encode-batch.ts';
import { isSwapView, swapViewQuery, viewQuery } from '../view-query.ts';
import { readView, replaceView } from '../views.ts';
import { dropJournal, type SwapJournal, writeJournal } from './journal.ts';
import { moveAll, moveFiles, moveFolder, removeEmpty, syncFolders } from './move.ts';
import { parquetFiles } from './places.ts';

/** What a swap works with. */
export interface SwapDesk {
  readonly paths: KnowledgebasePaths;
  /** The stream's id. */
  readonly stream: string;
  readonly connection: DuckDBConnection;
}

/**
 * Makes ready what a swap needs besides its files, before anything is held: the placeholders, in the run's own folder.
 */
export const prepare = (stream: StreamPaths, run: string): void => {
  const { inStaging } = transitPaths(stream, run);
  for (const [number, file] of PLACEHOLDERS.entries()) {
    const path = join(inStaging, 'empty', String(number), file);
    makeFolder(dirname(path));
    removeQuietly(path);
    writeNewFile(path, [emptyFile()]);
    syncFolder(dirname(path));
  }
};

/** Carries a swap out that is prepared and whose journal is written: the files of `leaving` go, those that wait come. */
export const carryOut = async (
  desk: SwapDesk,
  journal: SwapJournal,
  leaving: readonly string[],
): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const { inData, inStaging } = transitPaths(stream, journal.record.run);
  const touched = await moveFiles(stream.data, join(inData, 'out'), leaving, () =>
    atStep('leaving'),
  );
  atStep('left');
  for (const [number, file] of PLACEHOLDERS.entries()) {
    for (const one of await moveFiles(join(inStaging, 'empty', String(number)), stream.data, [
      file,
    ])) {
      touched.add(one);
    }
  }
  // Durable before the view is: after a power cut it must not find the files where they were.
  await syncFolders([...touched, inData, stream.data]);
  await replaceView(desk.connection, desk.stream, swapViewQuery(desk.paths, desk.stream, journal));
  atStep('switched');
  await goOn(desk, journal);
};

/**
 * Finishes or undoes a swap that broke off, whichever is nearer, and says which. What decides is what readers see: the
 * view in kb.duckdb, and where that is lost, the files.
 */
export const settle = async (desk: SwapDesk, journal: SwapJournal): Promise<'forward' | 'back'> => {
  if (journal.moved) return 'forward';
  const stream = desk.paths.stream(desk.stream);
  const { kept, inStaging } = transitPaths(stream, journal.record.run);
  const view = await readView(desk.connection, desk.stream);
  const isBefore =
    journal.kind === 'compact'
      ? existsSync(join(inStaging, 'in')) && !existsSync(kept)
      : existsSync(kept) && !existsSync(join(inStaging, 'out'));
  if (isBefore && !isSwapView(view, desk.paths, desk.stream, journal)) {
    await goBack(desk, journal);
    return 'back';
  }
  await goOn(desk, journal);
  return 'forward';
};

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
  await moveAll(join(inData, 'in'), stream.data);
  clearTransit(stream, journal);
  atStep('placed');
};

/** Under the swap's view: the side that leaves goes out of data/, the other comes. */
const changePlaces = async (stream: StreamPaths, journal: SwapJournal): Promise<void> => {
  const { inData, inStaging, kept } = transitPaths(stream, journal.record.run);
  const [out, come] =
    journal.kind === 'compact' ? [kept, join(inStaging, 'in')] : [join(inStaging, 'out'), kept];
  moveFolder(join(inData, 'out'), out);
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

/** The view is its own still: what had left comes back. */
const goBack = async (desk: SwapDesk, journal: SwapJournal): Promise<void> => {
  const stream = desk.paths.stream(desk.stream);
  const { inData, inStaging } = transitPaths(stream, journal.record.run);
  const touched = await moveAll(join(inData, 'out'), stream.data);
  clearTransit(stream, journal);
  await syncFolders([...touched, stream.data]);
  // Without its journal the run is a stray; the other way round it would look like one that has gone through.
  dropJournal(stream);
  rmSync(inStaging, { recursive: true, force: true });
};

const clearTransit = (stream: StreamPaths, journal: SwapJournal): void => {
  for (const file of PLACEHOLDERS) {
    removeQuietly(join(stream.data, file));
    if (dirname(file) !== '.') removeEmpty(join(stream.data, dirname(file)));
  }
  removeEmpty(transitPaths(stream, journal.record.run).inData);
};

/** A Parquet file with Strata's own two columns and no row: DuckDB takes no pattern that matches nothing. */
const emptyFile = (): Uint8Array =>
  encodeBatch(
    {
      batch: { text: new Uint8Array(0), rows: 0, lines: new Int32Array(0), columns: [] },
      names: [],
      batchId: '',
      metadata: { 'strata.format': '1', 'strata.kind': 'placeholder' },
    },
    plainCodec,
  );
