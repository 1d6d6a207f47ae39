// Owns what to do about a stream's trouble, by the sentence that the engine says it in. Never says that it is over.

/** What to do about a trouble, by a word of its sentence; the first that fits, all that fit of the first kind. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /set aside/,
    'What is not whole Parquet was moved to failed/, so that queries go on without it. If it came from elsewhere, put a whole copy back into data/.',
  ],
  [
    /missing/,
    'Their rows are counted and cannot be read. Put the files back into data/ from a copy; then verify.',
  ],
  [
    /^Refusing/,
    'Nothing that was answered 200 is lost: these producers got 429 and send again. Fewer and larger batches need less room.',
  ],
  [
    /^Slow/,
    'Every batch is on disk when it is answered, so producers wait. Fewer and larger batches land faster; a busy disk is the usual cause.',
  ],
];

/** What to do about a trouble, in sentences. */
export const adviceOn = (trouble: string): string =>
  ADVICE.flatMap(([sign, words]) => (sign.test(trouble) ? [words] : [])).join(' ');
