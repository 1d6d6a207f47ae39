// Owns the names of a batch's columns: which column a field's name means, and which name may be one.
// Never holds values, and never folds more than A to Z.

import { decodeString, endOfPlainRun, scanString } from './scan-string.ts';
import { fail, type Trouble } from './trouble.ts';

const QUOTE = 0x22;

/** The longest name of a column, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/** Room for this many columns at first: as much as lies in the heap itself, where it costs nearly nothing. */
const FIRST_ROOM = 16;

/** Names met out of turn are remembered here; the size is a power of two. */
const MEMORY_SLOTS = 1024;
const MEMORY_INTS = 3;

/** Kept between batches: a scan runs to its end without yielding, so no two batches meet here. */
const keptMemory = new Int32Array(MEMORY_SLOTS * MEMORY_INTS);

/** Names that differ only in ASCII case are one column; Unicode case is never folded. */
const fold = (name: string): string => name.replace(/[A-Z]+/g, (run) => run.toLowerCase());

function doubled(ints: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(ints.length * 2);
  more.set(ints);
  return more;
}

/** The columns of one batch, in order of first sight. */
export class Columns {
  readonly keys: string[] = [];
  readonly firstLines: number[] = [];
  /** The column of the name that stood last at each position of a record. */
  columnAt = new Int32Array(FIRST_ROOM);
  /** The line that had each column last; it tells a name that stands twice in one record. */
  lastLine = new Int32Array(FIRST_ROOM);

  readonly #bytes: Uint8Array;
  readonly #decoder: Buffer;
  readonly #maxColumns: number;
  readonly #registered: ReadonlySet<string> | null;
  readonly #byFoldedName = new Map<string, number>();
  /** Where the name that stood last at each position has its source: start, and length. */
  #nameStart = new Int32Array(FIRST_ROOM);
  #nameLength = new Int32Array(FIRST_ROOM);
  #positions = 0;
  #memory: Int32Array | null = null;

  constructor(bytes: Uint8Array, maxColumns: number, registered: readonly string[] | undefined) {
    this.#bytes = bytes;
    this.#decoder = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#maxColumns = maxColumns;
    this.#registered = registered === undefined ? null : new Set(registered.map(fold));
  }

  /**
   * Offset of the closing quotation mark of the name at `at` when its source is that of the name
   * that stood last at this position, else -1. Most producers send the same fields in the same order.
   */
  predicted(at: number, position: number): number {
    if (position >= this.#positions) return -1;
    const bytes = this.#bytes;
    const start = this.#nameStart[position] as number;
    const length = this.#nameLength[position] as number;
    // A name has no line feed and the body ends with one, so that no byte past the end is compared.
    for (let k = 0; k < length; k++) if (bytes[start + k] !== bytes[at + k]) return -1;
    return bytes[at + length] === QUOTE ? at + length : -1;
  }

  /**
   * Scans the name at `at`, a byte after its opening quotation mark, finds or makes its column, and
   * expects it at this position from now on. Returns the offset of its closing quotation mark, or -1
   * with the trouble noted.
   */
  learn(at: number, position: number, line: number, trouble: Trouble): number {
    const bytes = this.#bytes;
    let end = endOfPlainRun(bytes, at);
    const escaped = bytes[end] !== QUOTE;
    if (escaped) end = scanString(bytes, end, true, trouble);
    if (end < 0) return end;
    const column = this.#recall(at, end, escaped, line, trouble);
    if (column < 0) return column;
    if (position === this.columnAt.length) {
      this.columnAt = doubled(this.columnAt);
      this.#nameStart = doubled(this.#nameStart);
      this.#nameLength = doubled(this.#nameLength);
    }
    this.columnAt[position] = column;
    this.#nameStart[position] = at;
    this.#nameLength[position] = end - at;
    if (position === this.#positions) this.#positions++;
    return end;
  }

  /** Notes what is wrong with a second name for a column in one record: the same, or another case. */
  refuseSecond(at: number, position: number, trouble: Trouble): -1 {
    const column = this.columnAt[position];
    let earlier = 0;
    while (this.columnAt[earlier] !== column) earlier++;
    // The source kept for an earlier position is that of this record's own name, byte for byte.
    const start = this.#nameStart[earlier] as number;
    const startLength = this.#nameLength[earlier] as number;
    const length = this.#nameLength[position] as number;
    const same =
      this.#sameSource(start, startLength, at, length) ||
      this.#text(start, start + startLength) === this.#text(at, at + length);
    trouble.other = start - 1;
    return fail(trouble, same ? 'duplicate_name' : 'case_conflict', at - 1);
  }

  /** The name's column, by its source alone where that was met before. */
  #recall(at: number, end: number, escaped: boolean, line: number, trouble: Trouble): number {
    const bytes = this.#bytes;
    this.#memory ??= keptMemory.fill(0);
    const memory = this.#memory;
    let hash = end - at;
    for (let i = at; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
    const slot = ((hash ^ (hash >>> 10)) & (MEMORY_SLOTS - 1)) * MEMORY_INTS;
    const start = memory[slot] as number;
    const length = memory[slot + 1] as number;
    if (length > 0 && this.#sameSource(start, length, at, end - at)) {
      return memory[slot + 2] as number;
    }
    const column = this.#resolve(at, end, escaped, line, trouble);
    if (column < 0) return column;
    memory[slot] = at;
    memory[slot + 1] = end - at;
    memory[slot + 2] = column;
    return column;
  }

  /** The column of a name by its text, made if it is new; -1 when the name cannot be a column. */
  #resolve(at: number, end: number, escaped: boolean, line: number, trouble: Trouble): number {
    if (end === at) return fail(trouble, 'empty_name', at - 1);
    let length = end - at;
    if (escaped) {
      const decoded = new Uint8Array(length);
      length = decodeString(this.#bytes, at, end, decoded, 0);
      // Only an escape can put a NUL into a name: a bare one ends the string.
      if (decoded.subarray(0, length).includes(0)) return fail(trouble, 'nul_name', at - 1);
    }
    if (length > MAX_NAME_BYTES) return fail(trouble, 'long_name', at - 1);
    const key = this.#text(at, end);
    const folded = fold(key);
    const known = this.#byFoldedName.get(folded);
    if (known !== undefined) return known;
    if (this.#registered !== null && !this.#registered.has(folded)) {
      return fail(trouble, 'unknown_name', at - 1);
    }
    const column = this.keys.length;
    if (column >= this.#maxColumns) return fail(trouble, 'one_too_many', at - 1);
    this.#byFoldedName.set(folded, column);
    this.keys.push(key);
    this.firstLines.push(line);
    if (column === this.lastLine.length) this.lastLine = doubled(this.lastLine);
    return column;
  }

  #sameSource(start: number, length: number, at: number, atLength: number): boolean {
    const bytes = this.#bytes;
    if (length !== atLength) return false;
    for (let k = 0; k < length; k++) if (bytes[start + k] !== bytes[at + k]) return false;
    return true;
  }

  /** The text of the name whose source stands between two offsets. */
  #text(start: number, end: number): string {
    const source = this.#bytes.subarray(start, end);
    if (!source.includes(0x5c)) return this.#decoder.toString('utf8', start, end);
    const decoded = Buffer.alloc(end - start);
    return decoded.toString('utf8', 0, decodeString(source, 0, source.length, decoded, 0));
  }
}
