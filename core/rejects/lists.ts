// Owns lists of numbers and of bytes that grow as they are filled: a body may have tens of millions of lines.
// Never shrinks one; it is taken once, when it is full.

/** Numbers in a row, however many: a plain array of millions is several times as large. */
export class IntList {
  private room: Int32Array;
  private count = 0;

  constructor(expected: number) {
    this.room = new Int32Array(Math.max(expected, 16));
  }

  push(value: number): void {
    if (this.count === this.room.length) {
      const more = new Int32Array(this.count * 2);
      more.set(this.room);
      this.room = more;
    }
    this.room[this.count++] = value;
  }

  taken(): Int32Array {
    return this.room.slice(0, this.count);
  }
}

/** Bytes in a row, however many pieces they come in. */
export class ByteList {
  private room: Uint8Array;
  private count = 0;

  constructor(expected: number) {
    this.room = new Uint8Array(Math.max(expected, 16));
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const end = this.count + (to - from);
    if (end > this.room.length) {
      const more = new Uint8Array(Math.max(end, this.room.length * 2));
      more.set(this.room);
      this.room = more;
    }
    if (from === 0 && to === bytes.length) this.room.set(bytes, this.count);
    else this.room.set(bytes.subarray(from, to), this.count);
    this.count = end;
  }

  taken(): Uint8Array {
    return this.room.slice(0, this.count);
  }
}
