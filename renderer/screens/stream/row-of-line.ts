// Owns finding the row that a line of a batch became. Blank lines are no rows, so a line is not a place.
// Never reads more than one row at a time.

/** The batch's rows: how many, and where the first of them is in the stream. */
interface Placed {
  readonly firstRow: number;
  readonly rows: number;
}

/**
 * The row's number in the stream, in landing order. Lines rise within a batch and are never behind the row's own place,
 * so the guess that no line was blank is looked at first, and halving finds the others.
 * A line that became no row gives the next row of the batch, or its last.
 */
export const rowOfLine = async (
  { firstRow, rows }: Placed,
  line: number,
  lineAt: (row: number) => Promise<number | undefined>,
): Promise<number> => {
  let low = 0;
  let high = Math.max(0, Math.min(rows, line) - 1);
  let at = high;
  for (;;) {
    const there = await lineAt(firstRow + at);
    if (there === undefined || there === line || low >= high) return firstRow + at;
    if (there < line) low = at + 1;
    else high = at;
    at = Math.min(high, Math.floor((low + high) / 2));
  }
};
