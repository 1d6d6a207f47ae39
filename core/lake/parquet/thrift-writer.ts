// Owns writing the Thrift compact protocol, as far as Parquet's own structures need it.
// Never knows a structure: page-header.ts and file-metadata.ts do.

import type { ByteSink } from './byte-sink.ts';
import { WIRE_BINARY, WIRE_I32, WIRE_I64, WIRE_LIST, WIRE_STRUCT, WIRE_TRUE } from './format.ts';

/**
 * Appends structures to a sink (thrift-compact-protocol.md). Fields of a structure must come in
 * rising order of their ids, less than 16 apart, as all of Parquet's do.
 */
export class ThriftWriter {
  readonly #sink: ByteSink;
  readonly #outer: number[] = [];
  #last = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** Starts a structure: the root, or the next element of a list. */
  begin(): void {
    this.#outer.push(this.#last);
    this.#last = 0;
  }

  /** Ends the structure that was started last. */
  end(): void {
    this.#sink.u8(0);
    this.#last = this.#outer.pop() ?? 0;
  }

  /** Starts a structure that is a field. */
  struct(id: number): void {
    this.#field(id, WIRE_STRUCT);
    this.begin();
  }

  i32(id: number, value: number): void {
    this.#field(id, WIRE_I32);
    this.#sink.zigzag(value);
  }

  i64(id: number, value: number): void {
    this.#field(id, WIRE_I64);
    this.#sink.zigzag(value);
  }

  /** A boolean field that is true. */
  yes(id: number): void {
    this.#field(id, WIRE_TRUE);
  }

  binary(id: number, value: Uint8Array): void {
    this.#field(id, WIRE_BINARY);
    this.#sink.uleb(value.length);
    this.#sink.put(value);
  }

  text(id: number, value: string): void {
    this.#field(id, WIRE_BINARY);
    this.textElement(value);
  }

  /** Starts a list of `count` elements of one wire type; the elements follow. */
  list(id: number, wire: number, count: number): void {
    this.#field(id, WIRE_LIST);
    if (count < 15) {
      this.#sink.u8((count << 4) | wire);
    } else {
      this.#sink.u8(0xf0 | wire);
      this.#sink.uleb(count);
    }
  }

  /** An element of a list of integers. */
  integerElement(value: number): void {
    this.#sink.zigzag(value);
  }

  /** An element of a list of strings. */
  textElement(value: string): void {
    this.#sink.uleb(Buffer.byteLength(value));
    this.#sink.text(value);
  }

  #field(id: number, wire: number): void {
    this.#sink.u8(((id - this.#last) << 4) | wire);
    this.#last = id;
  }
}
