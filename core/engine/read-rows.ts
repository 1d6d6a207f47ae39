// Owns reading rows of a stream by their number: the ledger says in which files they are, the files are held in place.
// Never filters.

import { AppError } from '../errors.ts';
import { holdFiles } from '../lake/hold-files.ts';
import { type RowRange, readRowRanges } from '../lake/rows.ts';
import { findFile } from '../lake/swap/places.ts';
import type { GridRow, PlacedBatch } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';
import type { OpenStream } from './streams.ts';

/** Which rows are wanted: `from` to `to` (exclusive, from 0, in landing order), with these columns. */
export interface WantedRows {
  readonly from: number;
  readonly to: number;
  readonly columns: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * The rows. Throws `query_cancelled` when the signal aborts, `writer_lock_held` where another process's swap does not
 * end. Files stay where they are while it reads.
 */
export const readRows = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  { from, to, columns, signal }: WantedRows,
): Promise<GridRow[]> =>
  holdFiles(knowledgebase.query, () =>
    readRowRanges(rangesOf(knowledgebase, stream, from, to), columns, signal),
  );

/** How often a file that another process's compaction has just replaced is looked up again. */
const TRIES = 5;

const rangesOf = (
  { ledger }: OpenKnowledgebase,
  stream: OpenStream,
  from: number,
  to: number,
): RowRange[] => {
  for (let left = TRIES; ; left -= 1) {
    const batches = ledger().batches.covering(stream.id, from, to);
    const paths = new Map(batches.map(({ file }) => [file, findFile(stream.paths, file)]));
    const gone = [...paths].find(([, path]) => path === undefined)?.[0];
    if (gone === undefined) return joined(batches, from, to, paths as Map<string, string>);
    if (left > 1) continue;
    throw new AppError('not_ready', `${gone} is not in data/.`, { hint: 'Run: strata verify KB.' });
  }
};

/** Batches that follow each other in one file are one range of it. */
const joined = (
  batches: readonly PlacedBatch[],
  from: number,
  to: number,
  paths: ReadonlyMap<string, string>,
): RowRange[] => {
  const ranges: RowRange[] = [];
  for (const { file, firstRow, rows, rowInFile, landedFile } of batches) {
    const path = paths.get(file) as string;
    const first = rowInFile + Math.max(0, from - firstRow);
    const end = rowInFile + Math.min(rows, to - firstRow);
    const last = ranges.at(-1);
    if (last?.path === path && last.to === first && !last.isWhole) {
      ranges[ranges.length - 1] = { ...last, to: end };
      continue;
    }
    const isWhole = landedFile === null && first === 0 && end === rows;
    ranges.push({ path, firstRow: Math.max(from, firstRow), from: first, to: end, isWhole });
  }
  return ranges;
};
