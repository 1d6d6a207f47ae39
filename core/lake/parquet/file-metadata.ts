// Owns the footer: schema, row group and key-value metadata (parquet.thrift: FileMetaData).
// Never writes pages; it is told where they lie.

import type { ByteSink } from './byte-sink.ts';
import type { ChunkMeta } from './column-chunk.ts';
import {
  CONVERTED_UTF8,
  OPTIONAL,
  TYPE_BYTE_ARRAY,
  WIRE_BINARY,
  WIRE_I32,
  WIRE_STRUCT,
} from './format.ts';
import { ThriftWriter } from './thrift-writer.ts';

/** A column of the file: its name, and what was written for it. */
export interface FileColumn {
  readonly name: string;
  readonly chunk: ChunkMeta;
}

const ROOT_NAME = 'strata';
/** Name and version of the writer, in the form readers know (parquet.thrift: created_by). */
const CREATED_BY = 'strata version 1';

/** Appends the FileMetaData of a file of flat OPTIONAL columns and one row group, or none where there are no rows. */
export function putFileMetadata(
  sink: ByteSink,
  rows: number,
  columns: readonly FileColumn[],
  metadata: Readonly<Record<string, string>>,
): void {
  const thrift = new ThriftWriter(sink);
  thrift.begin();
  thrift.i32(1, 1);
  putSchema(thrift, columns);
  thrift.i64(3, rows);
  thrift.list(4, WIRE_STRUCT, rows === 0 ? 0 : 1);
  if (rows > 0) putRowGroup(thrift, rows, columns);
  const entries = Object.entries(metadata);
  thrift.list(5, WIRE_STRUCT, entries.length);
  for (const [key, value] of entries) {
    thrift.begin();
    thrift.text(1, key);
    thrift.text(2, value);
    thrift.end();
  }
  thrift.text(6, CREATED_BY);
  // Without the order of each column (its type's own), a reader must not use min and max.
  thrift.list(7, WIRE_STRUCT, columns.length);
  for (let i = 0; i < columns.length; i++) {
    thrift.begin();
    thrift.struct(1);
    thrift.end();
    thrift.end();
  }
  thrift.end();
}

function putSchema(thrift: ThriftWriter, columns: readonly FileColumn[]): void {
  thrift.list(2, WIRE_STRUCT, columns.length + 1);
  thrift.begin();
  thrift.text(4, ROOT_NAME);
  thrift.i32(5, columns.length);
  thrift.end();
  for (const { name, chunk } of columns) {
    thrift.begin();
    thrift.i32(1, chunk.type);
    thrift.i32(3, OPTIONAL);
    thrift.text(4, name);
    if (chunk.type === TYPE_BYTE_ARRAY) {
      thrift.i32(6, CONVERTED_UTF8);
      // LogicalType is a union; its field 1 is STRING, an empty structure.
      thrift.struct(10);
      thrift.struct(1);
      thrift.end();
      thrift.end();
    }
    thrift.end();
  }
}

function putRowGroup(thrift: ThriftWriter, rows: number, columns: readonly FileColumn[]): void {
  let plainBytes = 0;
  let storedBytes = 0;
  thrift.begin();
  thrift.list(1, WIRE_STRUCT, columns.length);
  for (const { name, chunk } of columns) {
    plainBytes += chunk.plainBytes;
    storedBytes += chunk.storedBytes;
    thrift.begin();
    thrift.i64(2, 0);
    thrift.struct(3);
    putChunkMeta(thrift, rows, name, chunk);
    thrift.end();
    thrift.end();
  }
  thrift.i64(2, plainBytes);
  thrift.i64(3, rows);
  thrift.i64(6, storedBytes);
  thrift.end();
}

function putChunkMeta(thrift: ThriftWriter, rows: number, name: string, chunk: ChunkMeta): void {
  thrift.i32(1, chunk.type);
  thrift.list(2, WIRE_I32, chunk.encodings.length);
  for (const encoding of chunk.encodings) thrift.integerElement(encoding);
  thrift.list(3, WIRE_BINARY, 1);
  thrift.textElement(name);
  thrift.i32(4, chunk.codec);
  thrift.i64(5, rows);
  thrift.i64(6, chunk.plainBytes);
  thrift.i64(7, chunk.storedBytes);
  thrift.i64(9, chunk.dataPageAt);
  if (chunk.dictionaryPageAt !== null) thrift.i64(11, chunk.dictionaryPageAt);
  thrift.struct(12);
  thrift.i64(3, chunk.nulls);
  if (chunk.bounds !== null) {
    thrift.binary(5, chunk.bounds.max);
    thrift.binary(6, chunk.bounds.min);
    thrift.yes(7);
    thrift.yes(8);
  }
  thrift.end();
}
