// Owns the proof that a merged file holds its batches exactly: for each its rows, their order, and a hash of all values.
// Never mends: a difference is an error that names the batch.

import { counted } from '../../counted.ts';
import { AppError } from '../../errors.ts';
import { fold } from '../../ids.ts';
import { emitting } from '../apart/emitting.ts';
import { identifier, literal, readRows } from '../duckdb.ts';
import { memoryFor } from './memory.ts';
import {
  type ComparedBatch,
  inputsOf,
  type MergeDesk,
  type MergeFile,
  openMergeDesk,
  portionsOf,
  rowsOf,
} from './source.ts';
import { type OnProgress, rowsIn, runWatched, type StepProgress } from './watch.ts';

/** What is compared with what. */
export interface Comparison {
  /** The originals in order, and the batches in them. */
  readonly files: readonly MergeFile[];
  readonly batches: readonly ComparedBatch[];
  /** The producer's columns of the merged file. */
  readonly columns: readonly string[];
  /** The merged file. */
  readonly made: string;
  readonly spill: string;
}

/** A batch as it was read: its rows, and the sum of a hash of each. */
type Evidence = ReadonlyMap<string, readonly [rows: number, hash: string]>;

/**
 * Compares every batch in the originals with the merged file, read again from the disk. The hash of a row covers the
 * name and value of every column (NULL is not the empty text), `_line`, and its place among the rows of its batch.
 * A task for whichever process; half of the progress is reading the merged file.
 * Throws `compaction_differs` with the batch in `details`.
 */
export const proveMerge = (
  comparison: Comparison,
  signal: AbortSignal,
): AsyncGenerator<StepProgress, void, void> =>
  emitting((emit) => proving(comparison, signal, emit));

const proving = async (
  { files, batches, columns, made, spill }: Comparison,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> => {
  const inputs = inputsOf(files, batches);
  const desk = openMergeDesk(columns, memoryFor(inputs, columns.length), spill, signal);
  try {
    let [read, rows] = [0, 0];
    const all = Math.max(1, rowsIn(inputs));
    const tell = (share: number): void => onProgress({ files: read, share, isWriting: false });
    const found = await evidenceOf(desk, [made], placesOf(batches), columns, (part) =>
      tell(part / 2),
    );
    tell(1 / 2);
    if (found.size !== batches.length) {
      const message = `The merged file has ${found.size} batches instead of ${batches.length}.`;
      throw differs(message, null);
    }
    for (const portion of portionsOf(inputs, columns.length)) {
      const places = placesOf(portion.flatMap((input) => input.batches));
      const paths = portion.map(({ path }) => path);
      const own = rowsIn(portion);
      const originals = await evidenceOf(desk, paths, places, columns, (part) =>
        tell((1 + (rows + own * part) / all) / 2),
      );
      for (const batch of portion.flatMap((input) => input.batches)) {
        const { batchId } = batch;
        compare(batchId, batch.rows, originals.get(batchId), found.get(batchId));
      }
      read += portion.length;
      rows += own;
      tell((1 + rows / all) / 2);
    }
    tell(1);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    desk.close();
  }
};

const compare = (
  batchId: string,
  rows: number,
  original: readonly [number, string] | undefined,
  made: readonly [number, string] | undefined,
): void => {
  if (original?.[0] !== rows) {
    const message = `The batch ${batchId} has ${original ? counted(original[0], 'row') : 'no rows'} in its file, the ledger says ${rows}.`;
    throw differs(message, batchId);
  }
  if (made?.[0] !== rows) {
    const message = `The batch ${batchId} has ${made ? counted(made[0], 'row') : 'no rows'} in the merged file, ${rows} in its own.`;
    throw differs(message, batchId);
  }
  if (made[1] !== original[1]) {
    throw differs(`Values of the batch ${batchId} differ in the merged file.`, batchId);
  }
};

const differs = (message: string, batchId: string | null): AppError =>
  new AppError('compaction_differs', `${message} Every file is as it was.`, {
    details: { batch_id: batchId },
  });

/** A name that no column has. */
const freeName = (wanted: string, columns: readonly string[]): string => {
  const taken = new Set(columns.map(fold));
  let name = wanted;
  while (taken.has(fold(name))) name += '_';
  return name;
};

/** Where each batch's rows begin among rows that have them one after the other. */
const placesOf = (batches: readonly ComparedBatch[]): Map<string, number> => {
  const places = new Map<string, number>();
  let first = 0;
  for (const { batchId, rows } of batches) {
    places.set(batchId, first);
    first += rows;
  }
  return places;
};

/** How many places one statement takes. */
const AT_ONCE = 2_000;

const evidenceOf = async (
  desk: MergeDesk,
  paths: readonly string[],
  places: ReadonlyMap<string, number>,
  columns: readonly string[],
  onPart: (part: number) => void,
): Promise<Evidence> => {
  const connection = await desk.connection(paths.length);
  await connection.run('DELETE FROM places');
  const entries = [...places].map(([batchId, first]) => `(${literal(batchId)}, ${first})`);
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    await connection.run(
      `INSERT INTO places VALUES ${entries.slice(from, from + AT_ONCE).join(', ')}`,
    );
  }
  const values = columns.map((name) => `, ${literal(name)}, r.${identifier(name)}`).join('');
  const place = identifier(freeName('_place', columns));
  // Another place, line, name or value gives another hash; a sum of them knows how often each was there.
  const sql = `SELECT r._batch_id, count(*), sum(hash(r._line, r.${place} - p.first${values})::HUGEINT)
     FROM (SELECT *, row_number() OVER () - 1 AS ${place} FROM ${rowsOf(paths)}) AS r
     LEFT JOIN places AS p ON r._batch_id = p._batch_id GROUP BY r._batch_id`;
  const rows = await runWatched(connection, () => readRows(connection, sql), onPart);
  return new Map(
    rows.map(([batchId, count, hash]) => [String(batchId), [Number(count), String(hash)]]),
  );
};
