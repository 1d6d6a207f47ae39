// Owns turning a parsed batch into the bytes of one Parquet file.
// Never touches the disk, and never makes a string of a value.

import type { ParsedBatch } from '../../model.ts';
import { ByteSink } from './byte-sink.ts';
import type { Codec } from './codec.ts';
import {
  type ChunkTarget,
  putConstantChunk,
  putIntegerChunk,
  putTextChunk,
} from './column-chunk.ts';
import { type FileColumn, putFileMetadata } from './file-metadata.ts';
import { MAGIC } from './format.ts';

/** A batch, and what its file says besides the producer's values. */
export interface EncodeInput {
  readonly batch: ParsedBatch;
  /** The landed column name of `batch.columns[i]`, in the same order; unique without ASCII case. */
  readonly names: readonly string[];
  /** The value of `_batch_id` on every row. */
  readonly batchId: string;
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
}

const encoder = new TextEncoder();

// Kept between calls so that a small batch allocates little. encodeBatch() runs to its end without
// yielding, so no two batches meet here; what it returns is a copy.
const file = new ByteSink();
const page = new ByteSink();

/**
 * The bytes of a whole Parquet file (Apache Parquet format, README "File format") with one row
 * group: the batch's columns as OPTIONAL STRING, then `_batch_id` (OPTIONAL STRING) and `_line`
 * (OPTIONAL INT64). Every value is the exact bytes of its span. The result is the caller's own.
 * @throws RangeError where names and columns differ in number, or a span lies outside the text.
 */
export function encodeBatch(input: EncodeInput, codec: Codec): Uint8Array {
  const { batch, names } = input;
  const { rows, text } = batch;
  if (names.length !== batch.columns.length) {
    throw new RangeError(`${names.length} names for ${batch.columns.length} columns.`);
  }
  if (batch.lines.length < rows) {
    throw new RangeError(`${batch.lines.length} lines for ${rows} rows.`);
  }
  try {
    const target: ChunkTarget = { file, page, codec };
    const spanned = {
      bytes: text,
      view: new DataView(text.buffer, text.byteOffset, text.byteLength),
    };
    file.u32(MAGIC);
    const columns: FileColumn[] = [];
    for (const [i, column] of batch.columns.entries()) {
      if (column.spans.length < rows * 2) {
        throw new RangeError(`${column.spans.length / 2} spans for ${rows} rows.`);
      }
      const name = names[i] as string;
      columns.push({ name, chunk: putTextChunk(target, spanned, column.spans, rows) });
    }
    const batchId = encoder.encode(input.batchId);
    columns.push({ name: '_batch_id', chunk: putConstantChunk(target, batchId, rows) });
    columns.push({ name: '_line', chunk: putIntegerChunk(target, batch.lines, rows) });

    const footerAt = file.length;
    putFileMetadata(file, rows, columns, input.metadata);
    file.u32(file.length - footerAt);
    file.u32(MAGIC);
    return file.written().slice();
  } finally {
    file.release();
    page.release();
  }
}
