// Owns which files a stream's rows lie in, from its newest batches: one layer a file. Never asks the engine.

import type { PlacedBatch, StreamFile } from '../../../core/model.ts';
import type { Layer } from '../../ui/band.tsx';
import { count, fullTime } from '../../ui/format.ts';

/** A file: the rows it holds, in landing order, and when its first and last batch landed. */
export interface FileLayer {
  readonly file: string;
  readonly firstRow: number;
  readonly rows: number;
  readonly batches: number;
  /** Whether compaction made it. */
  readonly isCompacted: boolean;
  readonly from: string;
  readonly to: string;
}

/** The files, oldest first; neighbouring batches in one file are one layer. `newest` is newest first. */
export const filesOf = (newest: readonly PlacedBatch[]): FileLayer[] => {
  const files: FileLayer[] = [];
  for (const { file, firstRow, rows, landedAt, landedFile } of newest.toReversed()) {
    const last = files.at(-1);
    if (last?.file === file) {
      const together = { rows: last.rows + rows, batches: last.batches + 1, to: landedAt };
      files[files.length - 1] = { ...last, ...together };
      continue;
    }
    const isCompacted = landedFile !== null;
    files.push({ file, firstRow, rows, batches: 1, isCompacted, from: landedAt, to: landedAt });
  }
  return files;
};

/**
 * The layers of the first `rows` rows, oldest first. Rows of files that are not known lie under them as one stretch:
 * under a compacted file it is compacted too, else it is in pieces too thin to be told apart, so that it is drawn as hatch.
 */
export const layersOf = (files: readonly FileLayer[], rows: number, height: number): Layer[] => {
  const layers: Layer[] = [];
  const under = Math.min(files[0]?.firstRow ?? rows, rows);
  const pieces = Math.max(1, Math.ceil(height));
  if (under > 0 && files[0]?.isCompacted) layers.push({ rows: under, kind: 'quiet' });
  else if (under > 0) {
    for (let at = 0; at < pieces; at += 1) layers.push({ rows: under / pieces, kind: 'loose' });
  }
  for (const file of files) {
    const seen = Math.min(rows, file.firstRow + file.rows) - file.firstRow;
    if (seen > 0) layers.push({ rows: seen, kind: file.isCompacted ? 'quiet' : 'loose' });
  }
  return layers;
};

/** The file that a row lies in; undefined where it is not known. */
export const fileAt = (files: readonly FileLayer[], row: number): FileLayer | undefined => {
  let low = 0;
  let high = files.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const file = files[middle] as FileLayer;
    if (row < file.firstRow) high = middle - 1;
    else if (row >= file.firstRow + file.rows) low = middle + 1;
    else return file;
  }
  return undefined;
};

/** The compacted file of many batches that holds this one; undefined for a loose one, and where it is not among `files`. */
export const fileOf = (
  { file, firstRow, rowInFile, landedFile }: PlacedBatch,
  files: readonly StreamFile[],
): Pick<FileLayer, 'firstRow' | 'rows' | 'batches'> | undefined => {
  const found = landedFile === null ? undefined : files.find((one) => one.file === file);
  if (found === undefined || found.batches < 2) return undefined;
  return { firstRow: firstRow - rowInFile, rows: found.rows, batches: found.batches };
};

/** Where a stretch of rows lies in a core, newest on top, in px; two at least, and within it. */
export const stretchIn = (
  { firstRow, rows }: Pick<FileLayer, 'firstRow' | 'rows'>,
  whole: Pick<FileLayer, 'firstRow' | 'rows'>,
  height: number,
): { readonly top: number; readonly thick: number } => {
  const scale = height / whole.rows;
  const thick = Math.min(height, Math.max(2, rows * scale));
  const middle = height - (firstRow - whole.firstRow + rows / 2) * scale;
  return { top: Math.min(height - thick, Math.max(0, middle - thick / 2)), thick };
};

/** `data/x.parquet`, its dates and its rows, on two lines. */
export const wordsOf = ({ file, from, to, rows, batches, isCompacted }: FileLayer): string => {
  const [first, last] = [fullTime(from).slice(0, -4), fullTime(to).slice(0, -4)];
  const until = first.slice(0, -8) === last.slice(0, -8) ? last.slice(-8) : last;
  const many = isCompacted ? `, ${count(batches)} ${batches === 1 ? 'batch' : 'batches'}` : '';
  const inWords = `${count(rows)} ${rows === 1 ? 'row' : 'rows'}${many}`;
  return `data/${file}\n${first === last ? first : `${first} to ${until}`}, ${inWords}`;
};
