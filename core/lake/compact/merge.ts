// Owns merging files into one: in order, in bounded memory, with its manifest, synced. Never moves or removes an input.

import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../durable.ts';
import { emitting } from '../apart/emitting.ts';
import { identifier, literal } from '../duckdb.ts';
import { type CompactedFacts, type ManifestBatch, metadataOfCompacted } from './manifest.ts';
import {
  inputsOf,
  type MergeDesk,
  type MergeFile,
  type MergeInput,
  memoryFor,
  openMergeDesk,
  portionsOf,
  rowsOf,
} from './source.ts';

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

/** Bytes of bodies that a row group may have: a whole one is in memory while it is written, and when it is read. */
const GROUP_BYTES = 64 * 1024 * 1024;
/** Rows of a row group, see docs/compaction.md for what was measured. DuckDB counts in vectors of 2,048. */
const MOST_GROUP_ROWS = 122_880;
const LEAST_GROUP_ROWS = 2_048;

/**
 * Merges and syncs: a task for whichever process. Tells how many more of the inputs were read; ends with the size of
 * the file. Throws once the signal has aborted.
 */
export const mergeFiles = (
  merge: Merge,
  signal: AbortSignal,
): AsyncGenerator<number, number, void> => emitting((emit) => merging(merge, signal, emit));

const merging = async (
  { files, batches, facts: said, target, work }: Merge,
  signal: AbortSignal,
  tell: (read: number) => void,
): Promise<number> => {
  const inputs = inputsOf(files, batches);
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
  const groupRows = groupRowsOf(facts);
  try {
    const metadata = metadataText(await metadataOfCompacted(facts));
    const portions = portionsOf(inputs, columns.length);
    const selected = [...columns, '_batch_id', '_line'].map(identifier).join(', ');
    if (portions.length === 1) {
      const rows = rowsOf(pathsOf(inputs));
      await copy(
        desk,
        inputs.length,
        `SELECT ${selected} FROM ${rows}`,
        target,
        groupRows,
        metadata,
      );
      tell(inputs.length);
    } else {
      const pieces: string[] = [];
      for (const [at, portion] of portions.entries()) {
        const piece = join(work, `piece-${at}.parquet`);
        const rows = `SELECT ${selected} FROM ${rowsOf(pathsOf(portion))}`;
        await copy(desk, portion.length, rows, piece, groupRows, '');
        pieces.push(piece);
        tell(portion.length);
      }
      const rows = `SELECT ${selected} FROM ${rowsOf(pieces)}`;
      await copy(desk, pieces.length, rows, target, groupRows, metadata);
    }
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

const copy = async (
  desk: MergeDesk,
  files: number,
  rows: string,
  target: string,
  groupRows: number,
  metadata: string,
): Promise<void> => {
  const connection = await desk.connection(files);
  await connection.run(
    `COPY (${rows}) TO ${literal(target.replaceAll('\\', '/'))}
     (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows}${metadata})`,
  );
};

const pathsOf = (inputs: readonly MergeInput[]): string[] => inputs.map(({ path }) => path);

const metadataText = (metadata: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(metadata).map(
    ([key, value]) => `${literal(key)}: ${literal(value)}`,
  );
  return `, KV_METADATA {${entries.join(', ')}}`;
};

/** What a value takes in DuckDB's memory beside its text, also a null. */
const VALUE_BYTES = 17;

const groupRowsOf = ({ batches, columns }: CompactedFacts): number => {
  const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
  const bytes = batches.reduce((sum, batch) => sum + batch.bodyBytes, 0);
  const rowBytes = bytes / Math.max(1, rows) + (columns.length + 2) * VALUE_BYTES;
  const fitting = Math.floor(GROUP_BYTES / rowBytes);
  const vectors = Math.floor(Math.min(MOST_GROUP_ROWS, fitting) / LEAST_GROUP_ROWS);
  return Math.max(1, vectors) * LEAST_GROUP_ROWS;
};

const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};
