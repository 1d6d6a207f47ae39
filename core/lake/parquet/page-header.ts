// Owns the headers of pages (parquet.thrift: PageHeader, DataPageHeader, DictionaryPageHeader).
// Never writes a page's body.

import type { ByteSink } from './byte-sink.ts';
import { DATA_PAGE, DICTIONARY_PAGE, PLAIN, RLE } from './format.ts';
import { ThriftWriter } from './thrift-writer.ts';

/** The sizes of a page's body in bytes, without its header; equal where it is not compressed. */
export interface PageSizes {
  readonly plain: number;
  readonly stored: number;
}

/** Appends the header of a data page V1 of `values` values, NULLs included. */
export function putDataPageHeader(
  sink: ByteSink,
  sizes: PageSizes,
  values: number,
  encoding: number,
): void {
  const thrift = new ThriftWriter(sink);
  putSizes(thrift, DATA_PAGE, sizes);
  thrift.struct(5);
  thrift.i32(1, values);
  thrift.i32(2, encoding);
  thrift.i32(3, RLE);
  thrift.i32(4, RLE);
  thrift.end();
  thrift.end();
}

/** Appends the header of a dictionary page of `values` values. */
export function putDictionaryPageHeader(sink: ByteSink, sizes: PageSizes, values: number): void {
  const thrift = new ThriftWriter(sink);
  putSizes(thrift, DICTIONARY_PAGE, sizes);
  thrift.struct(7);
  thrift.i32(1, values);
  thrift.i32(2, PLAIN);
  thrift.end();
  thrift.end();
}

function putSizes(thrift: ThriftWriter, type: number, sizes: PageSizes): void {
  thrift.begin();
  thrift.i32(1, type);
  thrift.i32(2, sizes.plain);
  thrift.i32(3, sizes.stored);
}
