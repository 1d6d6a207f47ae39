// Owns what is said of one value beside it: its size, how much of it is shown and how. Never draws.

import { bytes, count } from './format.ts';
import { charactersOf, piecesOf } from './invisible.ts';

/** How a value is looked at. */
export type View = 'text' | 'json' | 'bytes';

/** So much of a value is shown. */
export const MOST_CHARACTERS = 20_000;
export const MOST_BYTES = 4_096;

/** What is said below a value that is looked at so; empty where it stands there whole, as it is. */
export const footOf = (view: View, value: string): string => {
  if (view === 'bytes') {
    const size = sizeInBytes(value);
    const all = `${count(size)} ${size === 1 ? 'byte' : 'bytes'} of UTF-8`;
    return size > MOST_BYTES ? `the first ${count(MOST_BYTES)} of ${all}` : all;
  }
  if (view === 'json') return 'laid out in lines; every value as it was sent';
  if (value.length > MOST_CHARACTERS) {
    return `the first ${count(MOST_CHARACTERS)} characters; Copy takes all`;
  }
  return piecesOf(value).some(({ mark }) => mark !== null) ? 'tinted: what the eye cannot see' : '';
};

const sizeInBytes = (value: string): number => new TextEncoder().encode(value).length;

/** `51 characters, 53 bytes`. */
export const sizeOf = (value: string): string => {
  const characters = charactersOf(value);
  const size = sizeInBytes(value);
  const inBytes = size < 10_000 ? `${count(size)} ${size === 1 ? 'byte' : 'bytes'}` : bytes(size);
  return `${count(characters)} ${characters === 1 ? 'character' : 'characters'}, ${inBytes}`;
};
