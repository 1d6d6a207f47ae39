// Owns the cells of a batch while it is scanned, one after the other, and turns them into columns.
// Never looks at bytes: a cell is two offsets.

/** A cell in `Cells.data`: its column, and the start and end of its text (start -1: NULL). */
export const CELL_INTS = 3;

function grown(ints: Int32Array): Int32Array {
  const more = new Int32Array(ints.length * 2);
  more.set(ints);
  return more;
}

/**
 * What the batch before was scanned with, taken again where it is long enough: a scan runs to its end without
 * yielding, so no two batches meet here. What only a large batch needs is not kept.
 */
const KEPT_INTS = 65_536;
const kept: { data: Int32Array; rowEnds: Int32Array; lines: Int32Array } = {
  data: new Int32Array(0),
  rowEnds: new Int32Array(256),
  lines: new Int32Array(256),
};

/** Cells in the order they came. A record counts once it is committed; until then its cells may go. */
export class Cells {
  data: Int32Array;
  /** How many integers of `data` belong to committed rows. */
  used = 0;
  rows = 0;
  #rowEnds = kept.rowEnds;
  #lines = kept.lines;

  /** `bodyBytes` is a hint: room for a cell in 24 bytes of body, which is small for a field. */
  constructor(bodyBytes: number) {
    const ints = (bodyBytes >>> 3) + 16;
    this.data = kept.data.length >= ints ? kept.data : new Int32Array(ints);
  }

  /** Makes `data` longer and returns it. */
  grow(): Int32Array {
    this.data = grown(this.data);
    return this.data;
  }

  /** Makes the cells up to `end` of `data` a row. */
  commit(end: number, line: number): void {
    if (this.rows === this.#lines.length) {
      this.#rowEnds = grown(this.#rowEnds);
      this.#lines = grown(this.#lines);
    }
    this.#rowEnds[this.rows] = end;
    this.#lines[this.rows] = line;
    this.rows++;
    this.used = end;
  }

  /** Keeps what the next batch can use. Nothing may be read from these cells afterwards. */
  release(): void {
    if (this.data.length <= KEPT_INTS) kept.data = this.data;
    if (this.#lines.length > KEPT_INTS) return;
    kept.rowEnds = this.#rowEnds;
    kept.lines = this.#lines;
  }

  /** The line of each row. */
  lines(): Int32Array {
    return this.#lines.slice(0, this.rows);
  }

  /** For each column two integers a row, start and end; -1 and -1 where a row has no cell. */
  spans(columnCount: number): Int32Array[] {
    const { data, rows } = this;
    const cellCounts = new Int32Array(columnCount);
    for (let i = 0; i < this.used; i += CELL_INTS) {
      const column = data[i] as number;
      cellCounts[column] = (cellCounts[column] as number) + 1;
    }
    // Parts of one array: one of its own for each column would cost a small batch more than its scan.
    const all = new Int32Array(rows * 2 * columnCount);
    const spans: Int32Array[] = [];
    for (const count of cellCounts) {
      const column = all.subarray(spans.length * rows * 2, (spans.length + 1) * rows * 2);
      spans.push(count === rows ? column : column.fill(-1));
    }
    let i = 0;
    for (let row = 0; row < rows; row++) {
      const end = this.#rowEnds[row] as number;
      for (; i < end; i += CELL_INTS) {
        const column = spans[data[i] as number] as Int32Array;
        column[row * 2] = data[i + 1] as number;
        column[row * 2 + 1] = data[i + 2] as number;
      }
    }
    return spans;
  }
}
