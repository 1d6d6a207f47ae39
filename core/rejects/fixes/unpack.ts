// Owns unpacking a body that could not be unpacked when it came, as far as it can be read.
// Never gives more than it is allowed to.

// Owns unpacking a body that could not be unpacked when it came, as far as it can be read.
// Never gives more than it is allowed to.

import zlib, {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';

type Unpack = (body: Uint8Array, maxOutputLength: number) => Uint8Array;

const FLUSH = constants.Z_SYNC_FLUSH;

/** By what a body begins with; brotli has no mark and comes last. */
const WAYS: readonly { readonly fits: (body: Uint8Array) => boolean; readonly unpack: Unpack }[] = [
  {
    fits: (body) => body[0] === 0x1f && body[1] === 0x8b,
    unpack: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength, finishFlush: FLUSH }),
  },
  {
    fits: (body) => body[0] === 0x28 && body[1] === 0xb5 && body[2] === 0x2f && body[3] === 0xfd,
    unpack: (body, maxOutputLength) => {
      if (!zlib.zstdDecompressSync) throw new Error('This Node has no zstd.');
      return zlib.zstdDecompressSync(body, { maxOutputLength });
    },
  },
  {
    fits: (body) =>
      ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0,
    unpack: (body, maxOutputLength) => inflateSync(body, { maxOutputLength, finishFlush: FLUSH }),
  },
  {
    fits: () => true,
    unpack: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
  },
  {
    fits: () => true,
    unpack: (body, maxOutputLength) => inflateRawSync(body, { maxOutputLength }),
  },
];

/** What can be read of a packed body; null where it is packed in no known way, or unpacks to nothing or too much. */
export const unpackBody = (body: Uint8Array, maxBytes: number): Uint8Array | null => {
  for (const { fits, unpack } of WAYS) {
    if (!fits(body)) continue;
    try {
      const unpacked = unpack(body, maxBytes);
      // In a buffer of its own: it may be handed to a thread.
      if (unpacked.length > 0) return new Uint8Array(unpacked);
    } catch {
      // Not packed this way, or damaged from its start.
    }
  }
  return null;
};
