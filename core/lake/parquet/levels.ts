// Owns definition levels: which rows of an OPTIONAL column have a value.
// Never writes values.

import type { ByteSink } from './byte-sink.ts';

/** Appends the levels of `rows` rows that are all present (level 1) or all NULL (level 0), as one run. */
export function putUniformLevels(sink: ByteSink, rows: number, level: 0 | 1): void {
  const lengthAt = sink.length;
  sink.u32(0);
  sink.uleb(rows * 2);
  sink.u8(level);
  sink.view.setUint32(lengthAt, sink.length - lengthAt - 4, true);
}

/**
 * Appends the levels of rows `from` to `to` (exclusive) of a column, bit-packed: bit 1 where the
 * row's span is a value, bit 0 where it is NULL (Encodings.md, "Run Length Encoding / Bit-Packing
 * Hybrid", with the length in front as data page V1 asks).
 */
export function putPackedLevels(sink: ByteSink, spans: Int32Array, from: number, to: number): void {
  const groups = Math.ceil((to - from) / 8);
  const lengthAt = sink.length;
  sink.u32(0);
  sink.uleb(groups * 2 + 1);
  sink.reserve(groups);
  const out = sink.bytes;
  let at = sink.length;
  let bits = 0;
  let filled = 0;
  for (let i = from * 2; i < to * 2; i += 2) {
    // The sign bit of a span's start is 1 exactly where it is NULL.
    bits |= (((spans[i] as number) >>> 31) ^ 1) << filled;
    if (++filled === 8) {
      out[at++] = bits;
      bits = 0;
      filled = 0;
    }
  }
  if (filled > 0) out[at++] = bits;
  sink.length = at;
  sink.view.setUint32(lengthAt, at - lengthAt - 4, true);
}
