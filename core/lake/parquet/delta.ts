// Owns the DELTA_BINARY_PACKED encoding of integers (Encodings.md, "Delta Encoding").
// Never writes levels or headers of pages.

import type { ByteSink } from './byte-sink.ts';

const BLOCK = 128;
const MINIBLOCKS = 4;
const MINIBLOCK = BLOCK / MINIBLOCKS;
/** Deltas of two 32-bit integers less their minimum take at most 33 bits. */
const MOST_BYTES_A_BLOCK = 10 + MINIBLOCKS + (BLOCK * 33) / 8;

/** Offsets of one block's deltas from their minimum; used only while putDelta() runs. */
const offsets = new Float64Array(BLOCK);

/** Appends the first `count` of `values`. Runs of equal steps, such as 1, 2, 3, take 5 bytes a 128 values. */
export function putDelta(sink: ByteSink, values: Int32Array, count: number): void {
  sink.uleb(BLOCK);
  sink.uleb(MINIBLOCKS);
  sink.uleb(count);
  sink.zigzag(count === 0 ? 0 : (values[0] as number));
  for (let from = 1; from < count; from += BLOCK) {
    putBlock(sink, values, from, Math.min(count - from, BLOCK));
  }
}

function putBlock(sink: ByteSink, values: Int32Array, from: number, count: number): void {
  let least = Number.POSITIVE_INFINITY;
  let previous = values[from - 1] as number;
  for (let i = 0; i < count; i++) {
    const value = values[from + i] as number;
    const delta = value - previous;
    previous = value;
    offsets[i] = delta;
    if (delta < least) least = delta;
  }
  // What pads the last miniblock must be zero bits.
  offsets.fill(least, count);
  sink.reserve(MOST_BYTES_A_BLOCK);
  sink.zigzag(least);
  const widthsAt = sink.length;
  sink.length += MINIBLOCKS;
  for (let m = 0; m < MINIBLOCKS; m++) {
    let most = 0;
    for (let i = m * MINIBLOCK; i < (m + 1) * MINIBLOCK; i++) {
      const offset = (offsets[i] as number) - least;
      offsets[i] = offset;
      if (offset > most) most = offset;
    }
    // A miniblock without values has width 0, and so no bytes.
    const width = bitWidth(most);
    sink.bytes[widthsAt + m] = width;
    if (width > 0) putMiniblock(sink, m * MINIBLOCK, width);
  }
}

/** Packs 32 offsets, lowest bit first. Widths past 31 bits rule out the bit operators. */
function putMiniblock(sink: ByteSink, from: number, width: number): void {
  const out = sink.bytes;
  const scale = 2 ** width;
  let at = sink.length;
  let bits = 0;
  let weight = 1;
  for (let i = from; i < from + MINIBLOCK; i++) {
    // Fewer than 8 bits wait here and at most 33 come: below 2^41, exact in a double.
    bits += (offsets[i] as number) * weight;
    weight *= scale;
    while (weight >= 256) {
      out[at++] = bits % 256;
      bits = Math.floor(bits / 256);
      weight /= 256;
    }
  }
  sink.length = at;
}

function bitWidth(value: number): number {
  const high = Math.floor(value / 2 ** 32);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(value);
}
