// Owns the cells of a batch while it is scanned, one after the other, and turns them into columns.
// Never looks at bytes: a cell is two offsets.

/** A cell in `Cells.data`: its column, and the start and end of its text (start -1: NULL). */
export const CELL_INTS = 3;

function grown(ints: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(ints.length * 2);
  more.set(ints);
  return more;
}

/** Cells in the order they came. A record counts once it is committed; until then its cells may go. */
export class Cells {
  data: Int32Array;
  /** How many integers of `data` belong to committed rows. */
  used = 0;
  rows = 0;
  #rowEnds = new Int32Array(256);
  #lines = new Int32Array(256);

  /** `bodyBytes` is a hint: room for a cell in 24 bytes of body, which is small for a field. */
  constructor(bodyBytes: number) {
    this.data = new Int32Array((bodyBytes >>> 3) + 16);
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
    const spans: Int32Array[] = [];
    for (const count of cellCounts) {
      const column = new Int32Array(rows * 2);
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
