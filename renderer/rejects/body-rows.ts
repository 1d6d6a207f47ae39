// Owns which rows a body is shown in: a line is one row, or, where it is open and long, a row for each piece.
// Never fetches one.

/** An open line that takes several rows. */
export interface SplitLine {
  /** From 1. */
  readonly line: number;
  readonly bytes: number;
}

/** The rows of a body. */
export interface BodyRows {
  readonly rows: number;
  readonly pieceBytes: number;
  /** By line, with the row each begins at. */
  readonly split: readonly (SplitLine & { readonly row: number; readonly pieces: number })[];
}

/** A row: a line, or the piece of one that begins at `offset` of the line. */
export interface BodyRow {
  readonly line: number;
  /** Null where the row is the whole line. */
  readonly piece: { readonly offset: number; readonly isLast: boolean } | null;
}

/** Gives each line its rows. Lines that are no longer than a piece take one. */
export const rowsOf = (
  lines: number,
  splits: readonly SplitLine[],
  pieceBytes: number,
): BodyRows => {
  const split = [];
  let more = 0;
  for (const { line, bytes } of [...splits].sort((one, other) => one.line - other.line)) {
    const pieces = Math.ceil(bytes / pieceBytes);
    if (pieces < 2) continue;
    split.push({ line, bytes, pieces, row: line - 1 + more });
    more += pieces - 1;
  }
  return { rows: lines + more, pieceBytes, split };
};

/** What stands in a row, from 0. */
export const rowOf = ({ split, pieceBytes }: BodyRows, row: number): BodyRow => {
  let more = 0;
  for (const one of split) {
    if (row < one.row) break;
    if (row < one.row + one.pieces) {
      const piece = row - one.row;
      return {
        line: one.line,
        piece: { offset: piece * pieceBytes, isLast: piece === one.pieces - 1 },
      };
    }
    more += one.pieces - 1;
  }
  return { line: row - more + 1, piece: null };
};

/** The row of a line, or of its byte `offset`. */
export const rowOfLine = ({ split, pieceBytes }: BodyRows, line: number, offset = 0): number => {
  let more = 0;
  for (const one of split) {
    if (one.line === line) {
      return one.row + Math.min(one.pieces - 1, Math.floor(offset / pieceBytes));
    }
    if (one.line > line) break;
    more += one.pieces - 1;
  }
  return line - 1 + more;
};

/** Rows of text in a piece, where each byte is a column. */
export const PIECE_ROWS = 32;

/** Bytes of a piece: whole rows of as many columns, so that a wrapped line has no short row inside. */
export const pieceBytesOf = (columns: number): number => Math.max(20, columns) * PIECE_ROWS;
