// Owns the way from a body to a batch: every line scanned once, on bytes, or every fault with its place.
// Never touches disk, network or clock, and never makes JavaScript values of the data.

import { isUtf8 } from 'node:buffer';
import { grouped } from '../../counted.ts';
import type { Fault, ParsedBatch, ParseOutcome } from '../../model.ts';
import { Cells } from './cells.ts';
import { Columns } from './columns.ts';
import { DecodedText } from './decoded-text.ts';
import { describeFault, type Limits } from './describe-fault.ts';
import { findInvalidUtf8 } from './find-invalid-utf8.ts';
import { type BatchScan, scanRecord } from './scan-record.ts';
import { skipSpace } from './scan-value.ts';
import { fail, noTrouble } from './trouble.ts';

const LINE_FEED = 0x0a;
const MAX_FAULTS = 100;

/**
 * Rows times columns that any batch may have, however small its body: 256 MB of spans. A body of 1 MB
 * can ask for 700 million cells, nearly all NULL, by one record of 2,000 fields beside 340,000 of none.
 * A body longer than this may have a cell a byte, which a batch whose cells are all there never needs.
 */
const SPARE_CELLS = 2 ** 25;

/** What a batch is held against besides the grammar. */
export interface ParseOptions {
  /** The stream's registered columns; a field outside them, compared without ASCII case, is a fault. */
  readonly registered?: readonly string[];
  /** Levels of objects and arrays inside a field's value. Default 64. */
  readonly maxDepth?: number;
  /** Distinct columns of the batch. Default 2,000. */
  readonly maxColumns?: number;
  /** Is filled with the number of every faulty line, however many there are. */
  readonly badLines?: number[];
}

/** The body as a plain view whose last byte is a line feed; copied only where it does not end so. */
function endedByLineFeed(body: Uint8Array): Uint8Array {
  const { length } = body;
  if (length === 0 || body[length - 1] === LINE_FEED) {
    // A Buffer and a Uint8Array are two shapes to the compiler; the scans see only one.
    return new Uint8Array(body.buffer, body.byteOffset, length);
  }
  const bytes = new Uint8Array(length + 1);
  bytes.set(body);
  bytes[length] = LINE_FEED;
  return bytes;
}

function endOfLine(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] !== LINE_FEED) i++;
  return i;
}

const hasByteOrderMark = (body: Uint8Array): boolean =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

function wholeBodyFault(code: Fault['code'], message: string): ParseOutcome {
  return { ok: false, faults: [{ code, message, line: null, column: null }], faultCount: 1 };
}

/** Scans every line into `scan`; gives the faults, how many there are in all, and the lines. */
function scanLines(scan: BatchScan, from: number, limits: Limits, badLines: number[] | undefined) {
  const { bytes, trouble } = scan;
  const faults: Fault[] = [];
  let faultCount = 0;
  let line = 0;
  let brokenAt = isUtf8(bytes) ? bytes.length : findInvalidUtf8(bytes, from);
  for (let lineStart = from; lineStart < bytes.length; ) {
    line++;
    let end: number;
    if (brokenAt < bytes.length && brokenAt <= endOfLine(bytes, lineStart)) {
      end = fail(trouble, 'broken_utf8', brokenAt);
      brokenAt = findInvalidUtf8(bytes, endOfLine(bytes, brokenAt));
    } else {
      end = skipSpace(bytes, lineStart);
      if (bytes[end] !== LINE_FEED) end = scanRecord(scan, end, line);
    }
    if (end < 0) {
      if (faultCount < MAX_FAULTS) {
        faults.push(describeFault(bytes, trouble, line, lineStart, limits));
      }
      faultCount++;
      badLines?.push(line);
      end = endOfLine(bytes, trouble.at);
    }
    lineStart = end + 1;
  }
  return { faults, faultCount, lines: line };
}

/**
 * Parses a body of newline-delimited JSON: one object a line (RFC 8259, strictly), lines ended by LF
 * only, blank lines skipped, a byte order mark at the start skipped. Pure; it never throws on data.
 *
 * Gives a batch when every line is a record, with nothing altered: the text of a string is its
 * decoded text, null is NULL, and any other value is its source, byte for byte. `columns` is empty
 * when every record is. `batch.text` is `body` itself unless a string had escapes, so a caller must
 * not change the body while it uses the batch.
 *
 * Otherwise gives the first fault of each faulty line: not_json, not_object, duplicate_key,
 * column_case_conflict, invalid_utf8 (before any other of its line), invalid_unicode,
 * invalid_column_name, too_deep, unknown_column, too_many_columns. Of the whole body, without a
 * line: empty_batch, and too_many_columns where rows times columns is out of all proportion to it.
 */
export function parseBatch(body: Uint8Array, options: ParseOptions = {}): ParseOutcome {
  const limits = { maxDepth: options.maxDepth ?? 64, maxColumns: options.maxColumns ?? 2000 };
  const bytes = endedByLineFeed(body);
  const columns = new Columns(bytes, limits.maxColumns, options.registered);
  const cells = new Cells(bytes.length);
  const decoded = new DecodedText(body);
  const { faults, faultCount, lines } = scanLines(
    {
      bytes,
      columns,
      cells,
      decoded,
      open: new Uint8Array(limits.maxDepth),
      anyDepth: null,
      trouble: noTrouble(),
    },
    hasByteOrderMark(body) ? 3 : 0,
    limits,
    options.badLines,
  );
  if (faultCount > 0) return { ok: false, faults, faultCount };
  if (cells.rows === 0) {
    const why = lines === 0 ? 'the body is empty' : 'every line of the body is blank';
    return wholeBodyFault('empty_batch', `The batch has no records: ${why}.`);
  }
  const { keys, firstLines } = columns;
  if (cells.rows * keys.length > Math.max(SPARE_CELLS, body.length)) {
    const size = `${grouped(keys.length)} columns over ${grouped(cells.rows)} rows`;
    return wholeBodyFault(
      'too_many_columns',
      `The batch has ${size}, more cells than a batch may have; send records with other fields apart.`,
    );
  }
  const spans = cells.spans(keys.length);
  const batch: ParsedBatch = {
    text: decoded.joined(),
    rows: cells.rows,
    lines: cells.lines(),
    columns: keys.map((key, i) => ({
      key,
      firstLine: firstLines[i] as number,
      spans: spans[i] as Int32Array,
    })),
  };
  cells.release();
  return { ok: true, batch };
}
