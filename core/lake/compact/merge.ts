// Owns merging files into one: in order, in bounded memory, with its manifest, synced. Never moves or removes an input.

import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../durable.ts';
import { emitting } from '../apart/emitting.ts';
import { identifier, literal } from '../duckdb.ts';
import { type CompactedFacts, type ManifestBatch, metadataOfCompacted } from './manifest.ts';
import { copyOf, groupRowsOf, memoryFor, type Writing } from './memory.ts';
import {
  inputsOf,
  type MergeDesk,
  type MergeFile,
  type MergeInput,
  openMergeDesk,
  portionsOf,
  rowsOf,
} from './source.ts';
import { type OnProgress, rowsIn, runWatched, type StepProgress } from './watch.ts';

/** What is to be merged, and into what. */
export interface Merge {
  /** In order, and the batches in them. */
  readonly files: readonly MergeFile[];
  readonly batches: readonly ManifestBatch[];
  /** What the file will say of itself besides. */
  readonly facts: Omit<CompactedFacts, 'batches'>;
  /** Where the file goes; its folder is made. */
  readonly target: string;
  /** A folder of its own for what is only needed meanwhile. */
  readonly work: string;
}

/**
 * Merges and syncs: a task for whichever process. Tells how far it is, ends with the size of the file. Throws once the
 * signal has aborted. Where inputs are read in portions, a row passes twice: half of the progress is reading them, half
 * is writing the file.
 */
export const mergeFiles = (
  merge: Merge,
  signal: AbortSignal,
): AsyncGenerator<StepProgress, number, void> => emitting((emit) => merging(merge, signal, emit));

const merging = async (
  { files: listed, batches, facts: said, target, work }: Merge,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<number> => {
  const inputs = inputsOf(listed, batches);
  const facts = { ...said, batches };
  mkdirSync(dirname(target), { recursive: true });
  mkdirSync(work, { recursive: true });
  const columns = facts.columns.map(({ landed }) => landed);
  const desk = openMergeDesk(
    columns,
    memoryFor(inputs, columns.length),
    join(work, 'spill'),
    signal,
  );
  const groupRows = groupRowsOf({
    rows: sumOf(batches, (batch) => batch.rows),
    bodyBytes: sumOf(batches, (batch) => batch.bodyBytes),
    columns: columns.length,
  });
  try {
    const metadata = metadataText(await metadataOfCompacted(facts));
    const portions = portionsOf(inputs, columns.length);
    const selected = [...columns, '_batch_id', '_line'].map(identifier).join(', ');
    const files = inputs.length;
    const all = Math.max(1, rowsIn(inputs));
    const copy = (
      paths: readonly string[],
      to: string,
      more: string,
      onPart: (part: number) => void,
    ): Promise<void> =>
      copyRows(desk, `SELECT ${selected} FROM ${rowsOf(paths)}`, paths.length, onPart, {
        ...{ target: to, columns: columns.length, groupRows, more },
      });
    if (portions.length === 1) {
      await copy(pathsOf(inputs), target, metadata, (share) =>
        onProgress({ files: 0, share, isWriting: false }),
      );
    } else {
      const pieces: string[] = [];
      let [read, rows] = [0, 0];
      for (const [at, portion] of portions.entries()) {
        const piece = join(work, `piece-${at}.parquet`);
        const own = rowsIn(portion);
        await copy(pathsOf(portion), piece, '', (part) =>
          onProgress({ files: read, share: (rows + own * part) / all / 2, isWriting: false }),
        );
        pieces.push(piece);
        read += portion.length;
        rows += own;
        onProgress({ files: read, share: rows / all / 2, isWriting: read === files });
      }
      await copy(pieces, target, metadata, (part) =>
        onProgress({ files, share: (1 + part) / 2, isWriting: true }),
      );
    }
    onProgress({ files, share: 1, isWriting: portions.length > 1 });
  } catch (error) {
    // What DuckDB says of an interrupt is not it.
    signal.throwIfAborted();
    throw error;
  } finally {
    desk.close();
    rmSync(work, { recursive: true, force: true });
  }
  syncFile(target);
  syncFolder(dirname(target));
  return statSync(target).size;
};

const copyRows = async (
  desk: MergeDesk,
  rows: string,
  files: number,
  onPart: (part: number) => void,
  writing: Writing,
): Promise<void> => {
  const connection = await desk.connection(files);
  const sql = copyOf(rows, writing);
  await runWatched(connection, () => connection.run(sql), onPart);
};

const sumOf = (batches: readonly ManifestBatch[], of: (batch: ManifestBatch) => number): number =>
  batches.reduce((sum, batch) => sum + of(batch), 0);

const pathsOf = (inputs: readonly MergeInput[]): string[] => inputs.map(({ path }) => path);

const metadataText = (metadata: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(metadata).map(
    ([key, value]) => `${literal(key)}: ${literal(value)}`,
  );
  return `, KV_METADATA {${entries.join(', ')}}`;
};

const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};
