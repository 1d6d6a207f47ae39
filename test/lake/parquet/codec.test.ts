// Owns the proof that codecs are chosen in order, give whole zstd frames, and do not grow.

import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  openCodec,
  openNodeCodec,
  openWasmCodec,
  plainCodec,
} from '../../../core/lake/parquet/codec.ts';

const page = Buffer.from('a value that repeats; '.repeat(5000));
const node = openNodeCodec();
const wasm = await openWasmCodec();

describe('openCodec', () => {
  it('takes the best there is', async () => {
    const best = node?.name ?? wasm?.name ?? plainCodec.name;
    expect((await openCodec()).name).toBe(best);
  });

  it('loads WebAssembly once', async () => {
    expect(await openWasmCodec()).toBe(wasm);
  });
});

describe('plain', () => {
  it('never asks for a page', () => {
    expect(plainCodec.worthwhileBytes).toBe(Number.POSITIVE_INFINITY);
    expect(page.equals(plainCodec.compress(page))).toBe(true);
  });
});

const ZSTD_MAGIC = 0xfd2fb528;

describe.each([node, wasm].filter((codec) => codec !== null).map((c) => [c.name, c] as const))(
  '%s',
  (_name, codec) => {
    it('packs a page into a zstd frame', () => {
      const packed = Buffer.from(codec.compress(page));
      expect(packed.readUInt32LE(0)).toBe(ZSTD_MAGIC);
      expect(packed.length).toBeLessThan(page.length / 50);
    });

    it('gives bytes that the next call does not touch', () => {
      const first = codec.compress(page);
      const copy = Buffer.from(first);
      codec.compress(Buffer.from('something else '.repeat(5000)));
      expect(copy.equals(first)).toBe(true);
    });

    it('takes an empty page', () => {
      expect(codec.compress(new Uint8Array(0)).length).toBeGreaterThan(0);
    });
  },
);

describe.runIf(wasm !== null)('the heap of zstd-wasm', () => {
  it('does not grow over 20,000 pages', async () => {
    const { Module } = createRequire(import.meta.url)(
      '../../../node_modules/@bokuweb/zstd-wasm/dist/common/module.js',
    );
    const heapBytes = () => Module.HEAPU8.length as number;
    const compress = (bytes: Uint8Array) => wasm?.compress(bytes);
    compress(page.subarray(0, 100_000));
    const before = heapBytes();
    for (let i = 0; i < 20_000; i++) compress(page.subarray(0, (i * 37) % 4000));
    expect(before).toBeGreaterThan(0);
    expect(heapBytes()).toBe(before);
  });
});
