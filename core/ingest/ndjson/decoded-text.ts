// Owns the region after the body where the text of strings with escapes goes.
// Never touches the body; strings without escapes stay where they are.

import { decodeString } from './scan-string.ts';

/** Decoded text; its offsets continue those of the body. */
export class DecodedText {
  readonly #body: Uint8Array;
  #bytes = new Uint8Array(0);
  #used = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** Offset where the text appended last ends, and the next begins. */
  get end(): number {
    return this.#body.length + this.#used;
  }

  /** Decodes the string between two offsets of `bytes`, which scanString has passed as storable. */
  append(bytes: Uint8Array, start: number, end: number): void {
    // The text of a string is never longer than its source.
    const atLeast = this.#used + (end - start);
    if (atLeast > this.#bytes.length) {
      const more = new Uint8Array(Math.max(atLeast, this.#bytes.length * 2, 1024));
      more.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = more;
    }
    this.#used = decodeString(bytes, start, end, this.#bytes, this.#used);
  }

  /** The body followed by the decoded text; the body itself when nothing was decoded. */
  joined(): Uint8Array {
    if (this.#used === 0) return this.#body;
    const text = new Uint8Array(this.end);
    text.set(this.#body);
    text.set(this.#bytes.subarray(0, this.#used), this.#body.length);
    return text;
  }
}
