// Owns one row of a body: a line, cut or wrapped, or a piece of a long one; its number, its fault. Never fetches
// more than its own piece.

import { useLayoutEffect, useRef } from 'react';
import type { Fault } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { PIECE_ROWS } from './body-rows.ts';
import { messageOf } from './fault-places.ts';
import { Segments, Sentence } from './segment-view.tsx';
import { bytesOf, type Segment, type Stretch, segmentsOf, stretchAt } from './segments.ts';
import {
  type BodyLine,
  type BodyName,
  LINE_BYTES,
  useBodyText,
  useColumnOffset,
} from './use-body.ts';

/** More than fits beside any line that is cut. */
const CUT_CHARS = 600;
const ROW_PX = 20;

interface BodyRowProps {
  readonly name: BodyName;
  readonly line: number;
  readonly data: BodyLine | undefined;
  readonly piece: { readonly offset: number; readonly isLast: boolean } | null;
  readonly pieceBytes: number;
  readonly fault: Fault | null;
  readonly isBad: boolean;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly top: number;
  readonly height: number;
  /** How wide the numbers of lines are. */
  readonly gutter: number;
  readonly onHeight: (key: string, height: number) => void;
  readonly onToggle: (line: number) => void;
}

/** The row, at its place. */
export const BodyRow = (props: BodyRowProps) => {
  const { line, data, piece, fault, isBad, isOpen, isActive, top, height } = props;
  const { onHeight, onToggle } = props;
  const element = useRef<HTMLDivElement>(null);
  const key = `${line}:${piece?.offset ?? 0}`;
  // A row changes its height as its text arrives, and its fault's place is found.
  const isMeasured = isOpen && data !== undefined;
  useLayoutEffect(() => {
    const row = element.current;
    if (!isMeasured || !row) return undefined;
    const measure = (): void => onHeight(key, row.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(row);
    return () => observer.disconnect();
  }, [isMeasured, key, onHeight]);
  const isFirst = piece === null || piece.offset === 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's way to see a whole line; the panel's keys lead to faults.
    <div
      ref={element}
      className="body-row"
      data-bad={isBad || undefined}
      data-open={isOpen || undefined}
      data-active={isActive || undefined}
      data-line={line}
      style={{ top, paddingLeft: props.gutter, ...(isOpen ? {} : { height }) }}
      onDoubleClick={() => onToggle(line)}
    >
      <span className="body-number" style={{ width: props.gutter - 12 }}>
        {isFirst ? line : ''}
      </span>
      {data === undefined ? (
        <span className="body-line ink-3">…</span>
      ) : piece ? (
        <Piece {...props} data={data} piece={piece} />
      ) : (
        <span className={isOpen ? 'body-line body-wrapped' : 'body-line'}>
          <Segments segments={lineSegments(data, fault, isOpen)} />
          {data.text === '' && isBad ? <span className="cell-empty">empty</span> : null}
        </span>
      )}
      {piece === null && fault && isOpen ? <Message fault={fault} line={line} /> : null}
      {piece?.isLast && fault && fault.column === null ? (
        <Message fault={fault} line={line} />
      ) : null}
    </div>
  );
};

const lineSegments = (data: BodyLine, fault: Fault | null, isOpen: boolean): Segment[] => {
  const isShort = isOpen || data.text.length <= CUT_CHARS;
  const text = isShort ? data.text : data.text.slice(0, CUT_CHARS);
  const segments = segmentsOf(text, {
    invalid: data.invalid,
    solid: fault?.column == null ? [] : [stretchAt(text, fault.column)],
    isWhole: isShort && !data.cut,
  });
  return fault?.column != null && isOpen && !data.cut
    ? withEnd(segments, text, fault.column)
    : segments;
};

const END: Segment = { text: ' ', mark: null, isName: false, isSolid: true };

/** A fault after the last character has a place of its own. */
const withEnd = (segments: Segment[], text: string, column: number): Segment[] => {
  const { from, to } = stretchAt(text, column);
  return from === to ? [...segments, END] : segments;
};

const Message = ({ fault, line }: { fault: Fault; line: number }) => (
  <span className="body-message">
    <strong>
      Line {count(line)}
      {fault.column === null ? '' : `, column ${count(fault.column)}`}
    </strong>
    <span>
      <Sentence text={messageOf(fault)} />
    </span>
  </span>
);

const Piece = ({
  name,
  data,
  piece,
  pieceBytes,
  fault,
  line,
}: BodyRowProps & { data: BodyLine; piece: { offset: number; isLast: boolean } }) => {
  const bytes = Math.min(pieceBytes, data.bytes - piece.offset);
  const rows = Math.ceil(bytes / (pieceBytes / PIECE_ROWS));
  const found = useBodyText(name, data.offset + piece.offset, bytes);
  const column = fault?.column ?? null;
  const offset = useColumnOffset(name, data.bytes > LINE_BYTES ? data : undefined, column);
  if (!found) {
    return (
      <span className="body-line ink-3" style={{ height: rows * ROW_PX }}>
        …
      </span>
    );
  }
  const start = found.offset - data.offset;
  const isHere =
    offset !== undefined &&
    offset >= start &&
    (offset < start + found.bytes || (piece.isLast && offset >= data.bytes));
  const place = isHere ? placeIn(found.text, found.invalid, offset - start) : null;
  // The message stands below the row of text that the fault is in.
  const cut = place ? rowEnd(found.text, place.from, pieceBytes / PIECE_ROWS) : found.text.length;
  const part = (from: number, to: number): Segment[] =>
    segmentsOf(found.text.slice(from, to), {
      invalid: found.invalid
        .filter(({ at }) => at >= from && at < to)
        .map(({ at, byte }) => ({ at: at - from, byte })),
      solid: place && place.from >= from && place.to <= to ? [moved(place, -from)] : [],
      isWhole: false,
      isStart: from === 0 && piece.offset === 0,
    });
  const first = part(0, cut);
  return (
    <>
      <span className="body-line body-wrapped body-piece">
        <Segments segments={place && place.from === place.to ? [...first, END] : first} />
      </span>
      {isHere && fault ? <Message fault={fault} line={line} /> : null}
      {cut < found.text.length ? (
        <span className="body-line body-wrapped body-piece">
          <Segments segments={part(cut, found.text.length)} />
        </span>
      ) : null}
    </>
  );
};

const moved = ({ from, to }: Stretch, by: number): Stretch => ({ from: from + by, to: to + by });

/** Where the row of `columns` characters that a place is in ends; never between the halves of a pair. */
const rowEnd = (text: string, place: number, columns: number): number => {
  const end = Math.min(text.length, (Math.floor(place / columns) + 1) * columns);
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit < 0xe000 ? end + 1 : end;
};

/** The stretch of the character whose first byte is at `offset`. */
const placeIn = (
  text: string,
  invalid: readonly { readonly at: number }[],
  offset: number,
): Stretch => {
  const wrong = new Set(invalid.map(({ at }) => at));
  let at = 0;
  let bytes = 0;
  for (const char of text) {
    if (bytes >= offset) return { from: at, to: at + char.length };
    bytes += wrong.has(at) ? 1 : bytesOf(char);
    at += char.length;
  }
  return { from: at, to: at };
};
