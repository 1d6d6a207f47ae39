// Holds the search for broken UTF-8 against Node's own isUtf8, at every edge of RFC 3629.
// Never decodes.

import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { findInvalidUtf8 } from '../../../core/ingest/ndjson/find-invalid-utf8.ts';

const EDGES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
  0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];

/** The longest prefix of whole characters, by asking isUtf8 for each. */
function expected(bytes: Uint8Array): number {
  let good = 0;
  for (let length = 1; length <= bytes.length; length++) {
    if (isUtf8(bytes.subarray(0, length))) good = length;
  }
  return good;
}

test('every pair of bytes', () => {
  const wrong: number[][] = [];
  const bytes = new Uint8Array(2);
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      bytes.set([first, second]);
      if (findInvalidUtf8(bytes, 0) !== expected(bytes)) wrong.push([first, second]);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([3, 4])('every %i bytes at an edge, followed by a letter', (length) => {
  const wrong: number[][] = [];
  const bytes = new Uint8Array(length + 1).fill(0x41);
  const total = EDGES.length ** length;
  for (let number = 0; number < total; number++) {
    for (let i = 0, rest = number; i < length; i++, rest = Math.floor(rest / EDGES.length)) {
      bytes[i] = EDGES[rest % EDGES.length] as number;
    }
    if (findInvalidUtf8(bytes, 0) !== expected(bytes)) wrong.push([...bytes]);
  }
  expect(wrong).toEqual([]);
});

test('from a place within, and to the end when all is well', () => {
  const bytes = Buffer.concat([Buffer.of(0xff), Buffer.from('é中😀')]);
  expect([findInvalidUtf8(bytes, 0), findInvalidUtf8(bytes, 1)]).toEqual([0, 10]);
});
