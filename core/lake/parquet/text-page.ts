// Owns the bodies of data pages of text: levels and PLAIN byte arrays, copied from spans of the batch's buffer.
// Never decodes text, and never compresses.

import type { ByteSink } from './byte-sink.ts';
import { putPackedLevels, putUniformLevels } from './levels.ts';

/** A page is ended when its values reach this; one value is never split. */
const PAGE_BYTES = 1024 * 1024;
/** From here on TypedArray.set wins over copying by words (about 70 ns a call, measured). */
const LONG_VALUE = 96;

/** The buffer that spans point into, in the two forms copying needs. */
export interface SpannedText {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** A run of rows that fits a page. */
export interface TextRows {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly nulls: number;
  /** Bytes of the values in the PLAIN encoding: four for each length, and the text. */
  readonly bytes: number;
}

/**
 * The rows from `from` on that make the next page of a column.
 * @throws RangeError where a span does not lie in the text: better no file than a wrong value.
 */
export function nextTextRows(
  spans: Int32Array,
  from: number,
  rows: number,
  textBytes: number,
): TextRows {
  let nulls = 0;
  let bytes = 0;
  let row = from;
  for (; row < rows && bytes < PAGE_BYTES; row++) {
    const start = spans[row * 2] as number;
    if (start < 0) {
      nulls++;
      continue;
    }
    const end = spans[row * 2 + 1] as number;
    if (end < start || end > textBytes) {
      throw new RangeError(`Row ${row} has the span ${start} to ${end} of ${textBytes} bytes.`);
    }
    bytes += 4 + end - start;
  }
  return { from, to: row, nulls, bytes };
}

/** Appends the body of a data page V1: definition levels, then the values (Encodings.md, "Plain"). */
export function putTextPage(
  sink: ByteSink,
  text: SpannedText,
  spans: Int32Array,
  page: TextRows,
): void {
  const rows = page.to - page.from;
  if (page.nulls === 0) putUniformLevels(sink, rows, 1);
  else if (page.nulls === rows) putUniformLevels(sink, rows, 0);
  else putPackedLevels(sink, spans, page.from, page.to);

  sink.reserve(page.bytes);
  const source = text.view;
  const out = sink.view;
  let at = sink.length;
  for (let i = page.from * 2; i < page.to * 2; i += 2) {
    let start = spans[i] as number;
    if (start < 0) continue;
    const end = spans[i + 1] as number;
    out.setUint32(at, end - start, true);
    at += 4;
    if (end - start >= LONG_VALUE) {
      sink.bytes.set(text.bytes.subarray(start, end), at);
      at += end - start;
      continue;
    }
    // Unaligned 4-byte copies compile to plain loads and stores.
    for (; start + 4 <= end; start += 4, at += 4) {
      out.setInt32(at, source.getInt32(start, true), true);
    }
    for (; start < end; start++, at++) out.setUint8(at, source.getUint8(start));
  }
  sink.length = at;
}
