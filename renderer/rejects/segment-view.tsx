// Owns how segments of a text look: names of fields quiet, marks tinted, what is wrong or changed solid. Text only:
// nothing of a body is ever markup.

import { piecesOf } from '../ui/invisible.ts';
import type { Segment } from './segments.ts';

/** The segments, one after the other. */
export const Segments = ({ segments }: { segments: readonly Segment[] }) =>
  segments.map(({ text, mark, isName, isSolid }, at) => {
    const classes = [
      isName ? 'seg-name' : '',
      mark === null ? '' : 'cell-mark',
      isSolid ? 'seg-solid' : '',
    ]
      .filter((name) => name !== '')
      .join(' ');
    if (classes === '') return text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a segment has no name but its place.
      <span key={at} className={classes}>
        {mark ?? text}
      </span>
    );
  });

/** A sentence that may have parts of a body in it: what cannot be seen is marked. */
export const Sentence = ({ text }: { text: string }) =>
  piecesOf(text, false).map((piece, at) =>
    piece.mark === null ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no name but its place.
      <span key={at} className="cell-mark">
        {piece.mark}
      </span>
    ),
  );
