// Owns reading the Thrift compact protocol from bytes that nobody vouches for.
// Never allocates by a length it has not checked, and never reads outside its bytes.

import {
  WIRE_BINARY,
  WIRE_DOUBLE,
  WIRE_FALSE,
  WIRE_I8,
  WIRE_I16,
  WIRE_I32,
  WIRE_I64,
  WIRE_LIST,
  WIRE_MAP,
  WIRE_SET,
  WIRE_STOP,
  WIRE_STRUCT,
  WIRE_TRUE,
  WIRE_UUID,
} from './format.ts';
import { NotParquetError } from './not-parquet-error.ts';

/** Parquet's own structures nest less than 10 deep. */
const DEEPEST = 32;

/** Called for each field of a structure; it reads the value or skips it, by the field's wire type. */
export type OnField = (id: number, wire: number) => void;

/**
 * Reads structures from a buffer, front to back (thrift-compact-protocol.md).
 * Every method throws NotParquetError `footer` where the bytes are not what it reads.
 */
export class ThriftReader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads a structure to its end. */
  struct(onField: OnField): void {
    this.#enter();
    let id = 0;
    for (;;) {
      const header = this.#u8();
      if (header === WIRE_STOP) break;
      const step = header >> 4;
      id = step === 0 ? this.integer(WIRE_I16) : id + step;
      onField(id, header & 0x0f);
    }
    this.#depth--;
  }

  /** Reads a field that is a structure. */
  structField(wire: number, onField: OnField): void {
    this.#expect(wire, WIRE_STRUCT);
    this.struct(onField);
  }

  /** Reads a field that is a list of structures, calling once an element. */
  structList(wire: number, onElement: () => void): void {
    this.#expect(wire, WIRE_LIST);
    const { element, count } = this.#listHeader();
    if (count > 0) this.#expect(element, WIRE_STRUCT);
    for (let i = 0; i < count; i++) onElement();
  }

  /** Reads an integer field of 16, 32 or 64 bits that a double holds exactly. */
  integer(wire: number): number {
    if (wire !== WIRE_I16 && wire !== WIRE_I32 && wire !== WIRE_I64) fail('An integer is missing');
    const zigzag = this.#uleb();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  /** Reads a string field. What is not UTF-8 in it becomes U+FFFD. */
  string(wire: number): string {
    this.#expect(wire, WIRE_BINARY);
    const length = this.#length();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  /** Reads past the value of a field. */
  skip(wire: number): void {
    // The value of a boolean field is its wire type.
    if (wire !== WIRE_TRUE && wire !== WIRE_FALSE) this.#skipElement(wire);
  }

  #skipElement(wire: number): void {
    switch (wire) {
      case WIRE_TRUE:
      case WIRE_FALSE:
      case WIRE_I8:
        this.#advance(1);
        break;
      case WIRE_I16:
      case WIRE_I32:
      case WIRE_I64:
        this.#skipVarint();
        break;
      case WIRE_DOUBLE:
        this.#advance(8);
        break;
      case WIRE_UUID:
        this.#advance(16);
        break;
      case WIRE_BINARY:
        this.#advance(this.#length());
        break;
      case WIRE_STRUCT:
        this.struct((_id, inner) => this.skip(inner));
        break;
      case WIRE_LIST:
      case WIRE_SET:
        this.#skipList();
        break;
      case WIRE_MAP:
        this.#skipMap();
        break;
      default:
        fail(`${wire} is not a wire type`);
    }
  }

  #skipList(): void {
    this.#enter();
    const { element, count } = this.#listHeader();
    for (let i = 0; i < count; i++) this.#skipElement(element);
    this.#depth--;
  }

  #skipMap(): void {
    this.#enter();
    const count = this.#length();
    if (count > 0) {
      const kinds = this.#u8();
      for (let i = 0; i < count; i++) {
        this.#skipElement(kinds >> 4);
        this.#skipElement(kinds & 0x0f);
      }
    }
    this.#depth--;
  }

  #listHeader(): { element: number; count: number } {
    const header = this.#u8();
    const element = header & 0x0f;
    const short = header >> 4;
    if (short < 15) return { element, count: short };
    return { element, count: this.#length() };
  }

  /** A length or a count that the rest of the bytes can hold: every element takes at least one. */
  #length(): number {
    const length = this.#uleb();
    if (length > this.#bytes.length - this.#at) fail('A length reaches past its end');
    return length;
  }

  #uleb(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#u8();
      value += (byte & 0x7f) * weight;
      if (value > Number.MAX_SAFE_INTEGER) fail('An integer is too large');
      if (byte < 0x80) return value;
      weight *= 0x80;
    }
  }

  #skipVarint(): void {
    for (let i = 0; i < 10; i++) if (this.#u8() < 0x80) return;
    fail('An integer is too long');
  }

  #u8(): number {
    const byte = this.#bytes[this.#at++];
    return byte ?? fail('It ends too early');
  }

  #advance(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length) fail('It ends too early');
  }

  #enter(): void {
    if (++this.#depth > DEEPEST) fail('It is nested too deep');
  }

  #expect(wire: number, expected: number): void {
    if (wire !== expected) fail(`Wire type ${wire} stands where ${expected} belongs`);
  }
}

function fail(what: string): never {
  throw new NotParquetError('footer', `The footer cannot be read: ${what}.`);
}
