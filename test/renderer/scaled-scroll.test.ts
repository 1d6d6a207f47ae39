// Owns the proof of scroll that is scaled: every row is reached exactly.

import { describe, expect, it } from 'vitest';
import {
  type Extent,
  heightOf,
  lastTopOf,
  nativeOf,
  topAfter,
} from '../../renderer/ui/scaled-scroll.ts';

const short: Extent = { rows: 1_000, rowHeight: 28, view: 700 };
const long: Extent = { rows: 10_000_000, rowHeight: 28, view: 700 };

describe('scaled scroll', () => {
  it('leaves a short list as it is', () => {
    expect(heightOf(short)).toBe(28_000);
    expect(nativeOf(short, 1_234)).toBe(1_234);
    expect(topAfter(short, 0, 0, 20_000, false)).toBe(20_000);
  });

  it('keeps a long list below what browsers can lay out', () => {
    expect(heightOf(long)).toBeLessThan(11_000_000);
    expect(nativeOf(long, lastTopOf(long))).toBe(heightOf(long) - long.view);
  });

  it('moves by the px for small moves', () => {
    const native = nativeOf(long, 140_000_000);
    expect(topAfter(long, 140_000_000, native, native + 28, false)).toBe(140_000_028);
    expect(topAfter(long, 140_000_000, native, native - 100, false)).toBe(139_999_900);
  });

  it('moves by the px for the wheel, however far it goes', () => {
    expect(topAfter(long, 140_000_000, 4_000_000, 4_009_000, true)).toBe(140_009_000);
  });

  it('jumps with the thumb to a whole row, and to the very last', () => {
    const half = (heightOf(long) - long.view) / 2;
    const top = topAfter(long, 0, 0, half, false);
    expect(top % 28).toBe(0);
    expect(Math.abs(top - lastTopOf(long) / 2)).toBeLessThan(28);
    expect(topAfter(long, 0, 0, heightOf(long) - long.view, false)).toBe(lastTopOf(long));
    expect((lastTopOf(long) + long.view) / 28).toBe(10_000_000);
  });

  it('never goes past either end', () => {
    expect(topAfter(long, 10, 20, 0, true)).toBe(0);
    expect(topAfter(long, lastTopOf(long), 7_999_000, 7_999_100, true)).toBe(lastTopOf(long));
  });
});
