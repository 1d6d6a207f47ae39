// Owns the files without a row that stand in data/ while a swap's view does: DuckDB takes no pattern that matches
// nothing. Never decides when they come and go.

import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { makeFolder, removeQuietly, syncFolder, writeNewFile } from '../../durable.ts';
import { PLACEHOLDERS, type StreamPaths, transitPaths } from '../../knowledgebase/paths.ts';
import { plainCodec } from '../parquet/codec.ts';
import { encodeBatch } from '../parquet/encode-batch.ts';
import { moveFiles, removeEmpty } from './move.ts';

/** Makes them ready in the run's own folder. */
export const makePlaceholders = (stream: StreamPaths, run: string): void => {
  for (const [number, file] of PLACEHOLDERS.entries()) {
    makeEmptyFile(join(folderOf(stream, run, number), file));
  }
};

/** Puts them into data/; returns the folders whose names have changed. */
export const placePlaceholders = async (stream: StreamPaths, run: string): Promise<Set<string>> => {
  const touched = new Set<string>();
  for (const [number, file] of PLACEHOLDERS.entries()) {
    const moved = await moveFiles(folderOf(stream, run, number), stream.data, [file]);
    for (const one of moved) touched.add(one);
  }
  return touched;
};

/** Takes them out of data/. */
export const clearPlaceholders = (stream: StreamPaths): void => {
  for (const file of PLACEHOLDERS) {
    removeQuietly(join(stream.data, file));
    if (dirname(file) !== '.') removeEmpty(join(stream.data, dirname(file)));
  }
};

/** Writes a Parquet file with Strata's own two columns and no row, durably, over what is there. */
export const makeEmptyFile = (path: string): void => {
  const folder = join(path, '..');
  makeFolder(folder);
  removeQuietly(path);
  writeNewFile(path, [emptyFile()]);
  syncFolder(folder);
};

const folderOf = (stream: StreamPaths, run: string, number: number): string =>
  join(transitPaths(stream, run).inStaging, 'empty', String(number));

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
