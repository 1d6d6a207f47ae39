// Owns how one value stands in a cell: null, empty, text with what the eye cannot see marked.
// Never formats a value.

import { piecesOf } from './invisible.ts';

/** More than any cell shows; the rest is behind the … of the cell. */
const SHOWN = 400;

/** A value in one line; the cell around it cuts what is too long. */
export const CellValue = ({ value }: { value: string | null }) => {
  if (value === null) return <span className="cell-null">null</span>;
  if (value === '') return <span className="cell-empty">empty</span>;
  const isWhole = value.length <= SHOWN;
  const shown = isWhole ? value : value.slice(0, SHOWN);
  return <Marked pieces={piecesOf(shown, isWhole)} />;
};

/** A value as it is, lines kept, with what the eye cannot see marked. */
export const WholeValue = ({ value }: { value: string }) => (
  <Marked pieces={piecesOf(value)} keepsLines />
);

const Marked = ({
  pieces,
  keepsLines,
}: {
  pieces: ReturnType<typeof piecesOf>;
  keepsLines?: boolean;
}) =>
  pieces.map(({ text, mark }, at) => {
    if (mark === null) return text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no name but its place.
      <span key={at}>
        <span className="cell-mark">{mark}</span>
        {keepsLines && text === '\n' ? '\n' : null}
      </span>
    );
  });
