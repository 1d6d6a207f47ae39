// Owns the proof of how counts read in a sentence.

import { describe, expect, it } from 'vitest';
import { counted, grouped } from '../../core/counted.ts';

describe('a count in a sentence', () => {
  it('has its digits in threes', () => {
    expect([0, 999, 1_000, 10_482_113].map(grouped)).toEqual(['0', '999', '1,000', '10,482,113']);
  });

  it('has the noun by the number', () => {
    expect([0, 1, 2, 6_400].map((count) => counted(count, 'file'))).toEqual([
      '0 files',
      '1 file',
      '2 files',
      '6,400 files',
    ]);
    expect([1, 2].map((count) => counted(count, 'batch', 'batches'))).toEqual([
      '1 batch',
      '2 batches',
    ]);
  });
});
