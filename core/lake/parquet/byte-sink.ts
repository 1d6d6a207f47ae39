// Owns a growing buffer and the integer forms Parquet is made of.
// Never knows what the bytes mean, and never shrinks except by release().

const FIRST_BYTES = 64 * 1024;
/** What a sink may keep between batches; one batch of 1 MB fits, a monster is given back. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** UTF-8 takes at most this many bytes for one unit of a JavaScript string. */
const MOST_BYTES_A_UNIT = 3;

/**
 * A buffer to append to. `bytes` and `view` are replaced when it grows: take them after the last
 * reserve(), and let go of them before the next.
 */
export class ByteSink {
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  /** The same bytes as Node's own kind, which writes text in place. */
  #text = Buffer.from(this.bytes.buffer);
  /** Bytes written so far; may be set back to drop what follows. */
  length = 0;

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.#take(grown);
  }

  /** What was written; valid until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Empties the sink, and gives memory back that only an unusual batch needs. */
  release(): void {
    this.length = 0;
    if (this.bytes.length <= KEPT_BYTES) return;
    this.#take(new Uint8Array(FIRST_BYTES));
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Four bytes, little-endian. */
  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  /** An unsigned LEB128 integer, 0 to 2^53 - 1 (Encodings.md, "Run Length Encoding"). */
  uleb(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      // Past 31 bits the bit operators would wrap; the division is exact up to 2^53.
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  /** A zigzag LEB128 integer, -2^52 to 2^52 (Encodings.md, "Delta Encoding"). */
  zigzag(value: number): void {
    this.uleb(value >= 0 ? value * 2 : value * -2 - 1);
  }

  put(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** The UTF-8 of a string. */
  text(value: string): void {
    this.reserve(value.length * MOST_BYTES_A_UNIT);
    this.length += this.#text.write(value, this.length);
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.#text = Buffer.from(bytes.buffer);
  }
}
