// Owns how often a type reads each row of a stream, and with which columns: an Airport is read from a flight twice, once
// by where it begins and once by where it ends. Pure.

import type { Attribute, AttributeSource, ObjectType } from '../model.ts';
import { wordsOf } from './words.ts';

/** One way in which a type reads the rows of a stream. */
export interface Reading {
  readonly stream: string;
  /** From 0; all but a few types have one reading of each stream. */
  readonly number: number;
}

export const numberOf = ({ reading = 0 }: AttributeSource): number => reading;

/** The readings that a type has of a stream, the first first; one at least. */
export const readingsOf = (
  { attributes }: Pick<ObjectType, 'attributes'>,
  stream: string,
): Reading[] => {
  const numbers = attributes.flatMap(({ sources }) =>
    sources.filter((source) => source.stream === stream).map(numberOf),
  );
  return [...new Set([...numbers, ...(numbers.length === 0 ? [0] : [])])]
    .sort((one, other) => one - other)
    .map((number) => ({ stream, number }));
};

/** The column that an attribute has in a reading; undefined where it has none there. */
export const sourceOf = (
  { sources }: Pick<Attribute, 'sources'>,
  { stream, number }: Reading,
): AttributeSource | undefined =>
  sources.find((one) => one.stream === stream && numberOf(one) === number);

/** The number of the reading that a stream would have next. */
export const nextReading = (type: ObjectType, stream: string): number =>
  type.streams.includes(stream)
    ? Math.max(...readingsOf(type, stream).map(({ number }) => number)) + 1
    : 0;

/** A source as one of a reading. */
export const inReading = (
  { stream, column, format }: AttributeSource,
  number: number,
): AttributeSource => ({ stream, column, format, ...(number === 0 ? {} : { reading: number }) });

/**
 * What stands to one key as a name stands to another: `to_name` to `to_airport` is what `from_name` is to
 * `from_airport`. Undefined where the names do not say so.
 */
export const counterpartOf = <T extends { readonly name: string }>(
  name: string,
  key: string,
  otherKey: string,
  others: readonly T[],
): T | undefined => {
  const wanted = renamed(wordsOf(name), wordsOf(key), wordsOf(otherKey))?.join(' ');
  return wanted === undefined
    ? undefined
    : others.find((one) => wordsOf(one.name).join(' ') === wanted);
};

/** The words with what only the one key has in place of what only the other has. */
const renamed = (
  words: readonly string[],
  key: readonly string[],
  otherKey: readonly string[],
): string[] | undefined => {
  const most = Math.min(key.length, otherKey.length);
  let start = 0;
  while (start < most && key[start] === otherKey[start]) start += 1;
  let end = 0;
  while (end < most - start && key.at(-1 - end) === otherKey.at(-1 - end)) end += 1;
  const own = key.slice(start, key.length - end);
  const other = otherKey.slice(start, otherKey.length - end);
  // Keys without a word in common are named for other things.
  if (start + end === 0) return undefined;
  if (own.length === 0) return end > 0 ? [...other, ...words] : [...words, ...other];
  const at = words.findIndex((_, from) => own.every((word, n) => words[from + n] === word));
  if (at < 0) return undefined;
  return [...words.slice(0, at), ...other, ...words.slice(at + own.length)];
};
