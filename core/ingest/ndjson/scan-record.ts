// Owns one line: a record is scanned once, its names become columns and its values cells.
// Never words a fault, and never reads past the line feed that ends the line.

import { CELL_INTS, type Cells } from './cells.ts';
import type { Columns } from './columns.ts';
import type { DecodedText } from './decoded-text.ts';
import { endOfPlainRun, scanString } from './scan-string.ts';
import { scanValue, skipSpace } from './scan-value.ts';
import { fail, type Trouble } from './trouble.ts';

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LOWER_N = 0x6e;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What the lines of one batch are scanned with and into. */
export interface BatchScan {
  /** The body; its last byte is a line feed, so that every scan ends without minding the length. */
  readonly bytes: Uint8Array;
  readonly columns: Columns;
  readonly cells: Cells;
  readonly decoded: DecodedText;
  /** Scratch for scanValue, as long as values may be deep. */
  readonly open: Uint8Array;
  /** The same for a line that is no record, where depth is no limit; made when it is first needed. */
  anyDepth: Uint8Array | null;
  readonly trouble: Trouble;
}

/** Notes what a line is that begins with no brace: another JSON value, or no JSON. */
function refuseLine(scan: BatchScan, at: number): -1 {
  const { bytes, trouble } = scan;
  scan.anyDepth ??= new Uint8Array(bytes.length);
  const end = scanValue(bytes, at, scan.anyDepth, trouble);
  if (end < 0) return trouble.at === at ? fail(trouble, 'record', at) : -1;
  const rest = skipSpace(bytes, end);
  return bytes[rest] === LINE_FEED
    ? fail(trouble, 'not_object', at)
    : fail(trouble, 'line_end', rest);
}

/**
 * Scans the record that begins at `at`, the first byte of a line that is no white space. Returns the
 * offset of the line feed, its cells committed as a row; or -1 with the first trouble noted, and
 * nothing committed.
 */
export function scanRecord(scan: BatchScan, at: number, line: number): number {
  const { bytes, columns, cells, decoded, open, trouble } = scan;
  if (bytes[at] !== OPEN_BRACE) return refuseLine(scan, at);
  let data = cells.data;
  let used = cells.used;
  let i = skipSpace(bytes, at + 1);
  for (let position = 0; position > 0 || bytes[i] !== CLOSE_BRACE; position++) {
    if (bytes[i] !== QUOTE) return fail(trouble, position === 0 ? 'name_or_brace' : 'name', i);
    const name = i + 1;
    i = columns.predicted(name, position);
    if (i < 0) {
      i = columns.learn(name, position, line, trouble);
      if (i < 0) return i;
    }
    const column = columns.columnAt[position] as number;
    if (columns.lastLine[column] === line) return columns.refuseSecond(name, position, trouble);
    columns.lastLine[column] = line;

    let c = bytes[++i] as number;
    if (c <= SPACE) {
      i = skipSpace(bytes, i);
      c = bytes[i] as number;
    }
    if (c !== COLON) return fail(trouble, 'colon', i);
    c = bytes[++i] as number;
    if (c <= SPACE) {
      i = skipSpace(bytes, i);
      c = bytes[i] as number;
    }

    let start = i;
    let end: number;
    if (c === QUOTE) {
      start++;
      end = endOfPlainRun(bytes, start);
      i = end + 1;
      if (bytes[end] !== QUOTE) {
        end = scanString(bytes, end, true, trouble);
        if (end < 0) return end;
        i = end + 1;
        const source = start;
        start = decoded.end;
        decoded.append(bytes, source, end);
        end = decoded.end;
      }
    } else {
      i = scanValue(bytes, i, open, trouble);
      if (i < 0) return i;
      end = i;
      if (c === LOWER_N) {
        start = -1;
        end = -1;
      }
    }
    if (used + CELL_INTS > data.length) data = cells.grow();
    data[used] = column;
    data[used + 1] = start;
    data[used + 2] = end;
    used += CELL_INTS;

    c = bytes[i] as number;
    if (c <= SPACE) {
      i = skipSpace(bytes, i);
      c = bytes[i] as number;
    }
    if (c === CLOSE_BRACE) break;
    if (c !== COMMA) return fail(trouble, 'comma_or_brace', i);
    i++;
    if ((bytes[i] as number) <= SPACE) i = skipSpace(bytes, i);
  }
  i = skipSpace(bytes, i + 1);
  if (bytes[i] !== LINE_FEED) return fail(trouble, 'line_end', i);
  cells.commit(used, line);
  return i;
}
