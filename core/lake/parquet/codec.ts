// Owns how pages are compressed: zstd of Node where it has it, else of WebAssembly, else not at all.
// Never decides a chunk's layout, and never decompresses.

import zlib from 'node:zlib';

/** How the pages of a batch are compressed. */
export interface Codec {
  readonly name: 'zstd' | 'zstd-wasm' | 'plain';
  /** Pages below this many bytes are stored as they are: packing them costs more than it saves. */
  readonly worthwhileBytes: number;
  /** One zstd frame of `bytes` (RFC 8878); it may be longer than them. The result is the caller's own. */
  compress(bytes: Uint8Array): Uint8Array;
}

const LEVEL = 1;

// A page of 4 KB takes 30 us with Node's zstd and 45 us with WebAssembly's, as long as the rest of a
// small batch, and saves less than a block of the disk; a KB costs less the larger the page is.
const NODE_WORTHWHILE_BYTES = 8 * 1024;
const WASM_WORTHWHILE_BYTES = 16 * 1024;

/** Pages are never compressed. */
export const plainCodec: Codec = {
  name: 'plain',
  worthwhileBytes: Number.POSITIVE_INFINITY,
  compress: (bytes) => bytes.slice(),
};

/** The best codec this process has: Node's zstd, then WebAssembly's, then plain. Never rejects. */
export async function openCodec(): Promise<Codec> {
  return openNodeCodec() ?? (await openWasmCodec()) ?? plainCodec;
}

/** zstd of Node itself; null where it has none (before 22.15). */
export function openNodeCodec(): Codec | null {
  if (typeof zlib.zstdCompressSync !== 'function') return null;
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL };
  return {
    name: 'zstd',
    worthwhileBytes: NODE_WORTHWHILE_BYTES,
    compress: (bytes) => zlib.zstdCompressSync(bytes, { params }),
  };
}

let wasm: Promise<Codec | null> | undefined;

/** zstd of WebAssembly; null where the package is not installed. Loaded once a process. */
export function openWasmCodec(): Promise<Codec | null> {
  // In a thread of an Electron process without zstd of its own (before 37), compiling WebAssembly has been seen never
  // to end; such an Electron serves development alone, and plain pages do.
  if (process.versions.electron !== undefined) return Promise.resolve(null);
  wasm ??= loadWasm().catch(() => null);
  return wasm;
}

async function loadWasm(): Promise<Codec> {
  const zstd = await import('@bokuweb/zstd-wasm');
  await zstd.init();
  // One context for the life of the process: a new one a call would cost half the time of a small
  // page, and the heap stays as large as the largest page once needed.
  const context = zstd.createCCtx();
  const noDictionary = new Uint8Array(0);
  return {
    name: 'zstd-wasm',
    worthwhileBytes: WASM_WORTHWHILE_BYTES,
    compress: (bytes) => zstd.compressUsingDict(context, bytes, noDictionary, LEVEL),
  };
}
