// Owns where the rows of a body stand: all of one height but a few that were measured. Ends of any length are
// reached because what is scrolled is scaled past a browser's cap. Never renders.

/** Below every browser's cap, at every pixel density. */
const MOST_PX = 8_000_000;

/** A row that is not of the common height. */
export interface TallRow {
  readonly row: number;
  readonly height: number;
}

/** The rows of a body. */
export interface LineLayout {
  readonly rows: number;
  readonly rowHeight: number;
  /** By row. */
  readonly tall: readonly TallRow[];
  /** For each of `tall`, what the rows before it have above the common height in all. */
  readonly above: readonly number[];
  /** Of all rows, in px. */
  readonly height: number;
}

/** Lays rows out; heights of rows that do not exist are left out. */
export const layoutOf = (
  rows: number,
  rowHeight: number,
  heights: ReadonlyMap<number, number>,
): LineLayout => {
  const tall = [...heights]
    .filter(([row, height]) => row >= 0 && row < rows && height !== rowHeight)
    .sort(([one], [other]) => one - other)
    .map(([row, height]) => ({ row, height }));
  const above: number[] = [];
  let extra = 0;
  for (const { height } of tall) {
    above.push(extra);
    extra += height - rowHeight;
  }
  return { rows, rowHeight, tall, above, height: rows * rowHeight + extra };
};

/** How many of the tall rows stand before a row. */
const tallBefore = ({ tall }: LineLayout, row: number): number => {
  let low = 0;
  let high = tall.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tall[middle] as TallRow).row < row) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Where a row begins, in px; the whole height for the row after the last. */
export const topOf = (layout: LineLayout, row: number): number => {
  const before = tallBefore(layout, row);
  const last = layout.tall[before - 1];
  const extra = last ? (layout.above[before - 1] as number) + last.height - layout.rowHeight : 0;
  return row * layout.rowHeight + extra;
};

/** The height of a row. */
export const heightOf = (layout: LineLayout, row: number): number => {
  const found = layout.tall[tallBefore(layout, row)];
  return found?.row === row ? found.height : layout.rowHeight;
};

/** The row that stands at a place, in px. */
export const rowAt = (layout: LineLayout, px: number): number => {
  let low = 0;
  let high = layout.rows - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (topOf(layout, middle) <= px) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
};

/** What is scrolled: its height, and the factor from its places to true ones. */
export const scaleOf = (layout: LineLayout, view: number): { height: number; factor: number } => {
  const height = Math.min(layout.height, MOST_PX);
  const moves = height - view;
  return { height, factor: moves <= 0 ? 1 : Math.max(1, (layout.height - view) / moves) };
};

/** Rows in view and a few around them; `to` is exclusive. */
export const rowsIn = (
  layout: LineLayout,
  top: number,
  view: number,
  around: number,
): { from: number; to: number } => ({
  from: Math.max(0, rowAt(layout, top) - around),
  to: layout.rows === 0 ? 0 : Math.min(layout.rows, rowAt(layout, top + view) + 1 + around),
});

/** The pages that rows from `from` to `to` (exclusive) are in, each of `size` rows; from 0. */
export const pagesOf = (from: number, to: number, size: number): number[] => {
  const pages: number[] = [];
  for (let page = Math.floor(from / size); page * size < to; page += 1) pages.push(page);
  return pages;
};
