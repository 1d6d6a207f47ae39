// Owns column chunks: their pages one after another, compressed where that makes the chunk smaller.
// Never writes the footer; it gives what the footer has to say of a chunk.

import type { ByteSink } from './byte-sink.ts';
import type { Codec } from './codec.ts';
import { putDelta } from './delta.ts';
import {
  CODEC_UNCOMPRESSED,
  CODEC_ZSTD,
  DELTA_BINARY_PACKED,
  PLAIN,
  RLE,
  RLE_DICTIONARY,
  TYPE_BYTE_ARRAY,
  TYPE_INT64,
} from './format.ts';
import { putUniformLevels } from './levels.ts';
import { putDataPageHeader, putDictionaryPageHeader } from './page-header.ts';
import { nextTextRows, putTextPage, type SpannedText, type TextRows } from './text-page.ts';

/** What the footer says of a column chunk (parquet.thrift: ColumnMetaData, Statistics). */
export interface ChunkMeta {
  readonly type: number;
  readonly encodings: readonly number[];
  readonly codec: number;
  /** Bytes of the pages with their headers, before and after compression. */
  readonly plainBytes: number;
  readonly storedBytes: number;
  /** Offsets in the file. */
  readonly dataPageAt: number;
  readonly dictionaryPageAt: number | null;
  readonly nulls: number;
  /** Exact bounds as Statistics stores them, where the chunk has any. */
  readonly bounds: { readonly min: Uint8Array; readonly max: Uint8Array } | null;
}

/** Where chunks are written to: the file, a place to build a page in, and how to compress. */
export interface ChunkTarget {
  readonly file: ByteSink;
  readonly page: ByteSink;
  readonly codec: Codec;
}

/** Appends a text column's chunk: NULL where a span starts below 0, else the bytes of the span. */
export function putTextChunk(
  target: ChunkTarget,
  text: SpannedText,
  spans: Int32Array,
  rows: number,
): ChunkMeta {
  const pages: TextRows[] = [];
  let nulls = 0;
  for (let from = 0; from < rows; ) {
    const page = nextTextRows(spans, from, rows, text.bytes.length);
    pages.push(page);
    nulls += page.nulls;
    from = page.to;
  }
  const start = target.file.length;
  const attempt = (codec: Codec | null) =>
    putDataPages(target, codec, PLAIN, pages, (page) =>
      putTextPage(target.page, text, spans, page),
    );
  const written = packedOrPlain(target, attempt);
  return {
    type: TYPE_BYTE_ARRAY,
    encodings: [PLAIN, RLE],
    ...written,
    dataPageAt: start,
    dictionaryPageAt: null,
    nulls,
    bounds: null,
  };
}

/**
 * Appends the chunk of a text column that has one value on all rows: a dictionary of one entry, and
 * one run of its index (Encodings.md, "Dictionary Encoding").
 */
export function putConstantChunk(target: ChunkTarget, value: Uint8Array, rows: number): ChunkMeta {
  const { file, page } = target;
  const dictionaryPageAt = file.length;
  const size = 4 + value.length;
  putDictionaryPageHeader(file, { plain: size, stored: size }, 1);
  file.u32(value.length);
  file.put(value);

  const dataPageAt = file.length;
  page.length = 0;
  putUniformLevels(page, rows, 1);
  // Indices of width 1 although one entry needs none: not every reader takes width 0.
  page.u8(1);
  page.uleb(rows * 2);
  page.u8(0);
  putDataPageHeader(file, { plain: page.length, stored: page.length }, rows, RLE_DICTIONARY);
  file.put(page.written());
  const bytes = file.length - dictionaryPageAt;
  return {
    type: TYPE_BYTE_ARRAY,
    encodings: [PLAIN, RLE, RLE_DICTIONARY],
    codec: CODEC_UNCOMPRESSED,
    plainBytes: bytes,
    storedBytes: bytes,
    dataPageAt,
    dictionaryPageAt,
    nulls: 0,
    bounds: { min: value, max: value },
  };
}

/** Appends the chunk of an INT64 column without NULLs from the first `rows` of `values`. */
export function putIntegerChunk(target: ChunkTarget, values: Int32Array, rows: number): ChunkMeta {
  const start = target.file.length;
  const attempt = (codec: Codec | null) =>
    putDataPages(target, codec, DELTA_BINARY_PACKED, [{ from: 0, to: rows }], () => {
      putUniformLevels(target.page, rows, 1);
      putDelta(target.page, values, rows);
    });
  const written = packedOrPlain(target, attempt);
  return {
    type: TYPE_INT64,
    encodings: [DELTA_BINARY_PACKED, RLE],
    ...written,
    dataPageAt: start,
    dictionaryPageAt: null,
    nulls: 0,
    bounds: integerBounds(values, rows),
  };
}

interface Written {
  readonly codec: number;
  readonly plainBytes: number;
  readonly storedBytes: number;
}

/** The chunk compressed; if that is not smaller, the same pages again as they are. */
function packedOrPlain(target: ChunkTarget, attempt: (codec: Codec | null) => Written): Written {
  const start = target.file.length;
  const packed = attempt(target.codec);
  if (packed.codec === CODEC_UNCOMPRESSED || packed.storedBytes < packed.plainBytes) return packed;
  target.file.length = start;
  return attempt(null);
}

/** Appends data pages, all compressed or none: the codec is one for the chunk. */
function putDataPages<Rows extends { readonly from: number; readonly to: number }>(
  target: ChunkTarget,
  codec: Codec | null,
  encoding: number,
  pages: readonly Rows[],
  putBody: (page: Rows) => void,
): Written {
  const { file, page: body } = target;
  const start = file.length;
  let saved = 0;
  let packer = codec;
  for (const page of pages) {
    body.length = 0;
    putBody(page);
    const plain = body.written();
    // The first page decides: where a chunk has more of them, it is a full one.
    if (page === pages[0] && codec !== null && plain.length < codec.worthwhileBytes) packer = null;
    const stored = packer === null ? plain : packer.compress(plain);
    putDataPageHeader(
      file,
      { plain: plain.length, stored: stored.length },
      page.to - page.from,
      encoding,
    );
    file.put(stored);
    saved += plain.length - stored.length;
  }
  const storedBytes = file.length - start;
  return {
    codec: packer === null ? CODEC_UNCOMPRESSED : CODEC_ZSTD,
    plainBytes: storedBytes + saved,
    storedBytes,
  };
}

function integerBounds(values: Int32Array, rows: number): ChunkMeta['bounds'] {
  if (rows === 0) return null;
  let min = values[0] as number;
  let max = min;
  for (let i = 1; i < rows; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min: plainInt64(min), max: plainInt64(max) };
}

/** A 32-bit integer as PLAIN stores an INT64: its two halves, little-endian. */
function plainInt64(value: number): Uint8Array {
  const bytes = new Uint8Array(8).fill(value < 0 ? 0xff : 0, 4);
  for (let at = 0; at < 4; at++) bytes[at] = value >> (at * 8);
  return bytes;
}
