// Owns the proof of how invisible characters are found and marked.

import { describe, expect, it } from 'vitest';
import { charactersOf, looksLikeNumber, piecesOf } from '../../renderer/ui/invisible.ts';

const shown = (text: string): string =>
  piecesOf(text)
    .map(({ text: plain, mark }) => (mark === null ? plain : `[${mark}]`))
    .join('');

describe('what the eye cannot see', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a\tb\nc ', 'a[\\t]b[\\n]c[·]'],
    [' a  b', '[·]a  b'],
    ['abc\u202efed', 'abc[U+202E]fed'],
    ['x\u00a0y\u200bz', 'x[U+00A0]y[U+200B]z'],
    ['\ufeff{', '[U+FEFF]{'],
    ['   ', '[·][·][·]'],
    ['漢字 🌊', '漢字 🌊'],
  ])('%j', (text, marked) => {
    expect(shown(text)).toBe(marked);
  });

  it('is the text, in order', () => {
    const text = ' a\r\n\u2028b\u0000 🌊\u{e0001} ';
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('does not take the end of a cut text for its end', () => {
    expect(piecesOf('a ', false)).toEqual([{ text: 'a ', mark: null }]);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(charactersOf('a🌊')).toBe(2);
  });

  it.each([
    ['1.10', true],
    ['-1E5', true],
    ['12345678901234567890123', true],
    ['', false],
    ['1,000', false],
    ['NaN', false],
    ['0x10', false],
  ])('%j reads as a number: %s', (text, is) => {
    expect(looksLikeNumber(text)).toBe(is);
  });
});
