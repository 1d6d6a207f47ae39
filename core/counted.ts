// Owns how a count reads in a sentence: digits in threes, the noun by the number. Never says what a producer sent.

/** 10,482,113. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** 1 file, 6,400 files. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
