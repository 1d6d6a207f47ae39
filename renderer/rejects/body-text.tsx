// Owns the body of a reject as text: its lines, virtual; good ones cut, faulty ones wrapped with the place marked and
// the message below; a long line in pieces that are fetched as they come into view. Never changes a body.

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Fault } from '../../core/model.ts';
import { faultOf } from '../api.ts';
import { count } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { Empty, Loading } from '../ui/parts.tsx';
import './body.css';
import { BodyRow } from './body-row.tsx';
import { PIECE_ROWS, pieceBytesOf, rowOf, rowOfLine, rowsOf } from './body-rows.ts';
import { heightOf, layoutOf, topOf } from './line-layout.ts';
import { type BodyName, LINE_BYTES, useBodyLines, useColumnOffset } from './use-body.ts';
import { gutterOf, useColumns } from './use-columns.ts';
import { useLineScroll } from './use-line-scroll.ts';

const ROW = 20;

interface BodyTextProps {
  readonly name: BodyName;
  /** Faults by line, each with its line. */
  readonly faults: readonly (Fault & { readonly line: number })[];
  /** Numbers of faulty lines, more than `faults` may have. */
  readonly badLines: readonly number[];
  /** How many lines are good; null where it is not known. */
  readonly good: number | null;
  /** The fault that is gone to. */
  readonly active: (Fault & { readonly line: number }) | null;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The lines. */
export const BodyText = (props: BodyTextProps) => {
  const { name, faults, badLines, good, active, scroller } = props;
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const byLine = useMemo(() => new Map(faults.map((fault) => [fault.line, fault])), [faults]);
  const bad = useMemo(() => new Set([...badLines, ...byLine.keys()]), [badLines, byLine]);
  const isOpen = useCallback(
    (line: number): boolean => bad.has(line) !== toggled.has(line),
    [bad, toggled],
  );
  const [shownLines, setShownLines] = useState({ from: 1, to: 60 });
  const { whole, lines, error } = useBodyLines(name, shownLines.from, shownLines.to);
  const gutter = gutterOf(whole?.lines ?? 0);
  const columns = useColumns(scroller, gutter);
  const { lines: activeLines } = useBodyLines(name, active?.line ?? 1, active?.line ?? 1);
  const split = useKnownLong(lines, activeLines, isOpen);
  const pieceBytes = pieceBytesOf(columns);
  const body = useMemo(
    () => rowsOf(whole?.lines ?? 0, split, pieceBytes),
    [whole?.lines, split, pieceBytes],
  );
  const layout = useMemo(() => {
    const tall = new Map<number, number>();
    for (const { row, pieces, bytes } of body.split) {
      for (let piece = 0; piece < pieces; piece += 1) {
        const left = Math.min(pieceBytes, bytes - piece * pieceBytes);
        tall.set(row + piece, Math.ceil(left / (pieceBytes / PIECE_ROWS)) * ROW);
      }
    }
    for (const [key, height] of heights) {
      const [line = 0, offset = 0] = key.split(':').map(Number);
      if (isOpen(line)) tall.set(rowOfLine(body, line, offset), height);
    }
    return layoutOf(body.rows, ROW, tall);
  }, [heights, body, isOpen, pieceBytes]);
  const { from, to, shift, height, reveal } = useLineScroll(scroller, layout, body);

  // A narrower view wraps otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width is what changes.
  useEffect(() => setHeights(new Map()), [columns]);
  const firstLine = rowOf(body, from).line;
  const lastLine = to > from ? rowOf(body, to - 1).line : 60;
  useEffect(() => {
    setShownLines((before) =>
      before.from === firstLine && before.to === lastLine
        ? before
        : { from: firstLine, to: lastLine },
    );
  }, [firstLine, lastLine]);

  const measured = useCallback((key: string, high: number): void => {
    setHeights((before) => (before.get(key) === high ? before : new Map(before).set(key, high)));
  }, []);
  const toggle = useCallback((line: number): void => {
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });
  }, []);

  // The fault that is gone to: its line, and where that is long its piece.
  const activeLine = active ? activeLines.get(active.line) : undefined;
  const isLong = (activeLine?.bytes ?? 0) > LINE_BYTES;
  const offset = useColumnOffset(name, isLong ? activeLine : undefined, active?.column ?? null);
  const goal =
    active && activeLine && (!isLong || active.column === null || offset !== undefined)
      ? rowOfLine(body, active.line, isLong ? (offset ?? 0) : 0)
      : null;
  const gone = useRef<unknown>(null);
  useEffect(() => {
    if (goal === null || gone.current === active || body.rows === 0) return;
    gone.current = active;
    reveal(goal);
  }, [goal, active, body.rows, reveal]);

  if (error && !whole) {
    const { message, hint } = faultOf(error);
    return <Empty what={message} why={hint} />;
  }
  if (!whole) return <Loading>Reading the body</Loading>;
  if (whole.bodyBytes === 0) {
    return <Empty what="The body is empty" why="The POST came with no byte in it." />;
  }
  const rows = [];
  for (let row = from; row < to; row += 1) {
    const { line, piece } = rowOf(body, row);
    rows.push(
      <BodyRow
        key={`${line}:${piece?.offset ?? 0}`}
        name={name}
        line={line}
        data={lines.get(line)}
        piece={piece}
        pieceBytes={pieceBytes}
        fault={byLine.get(line) ?? null}
        isBad={bad.has(line)}
        isOpen={isOpen(line)}
        isActive={active?.line === line}
        top={topOf(layout, row) - shift}
        height={heightOf(layout, row)}
        gutter={gutter}
        onHeight={measured}
        onToggle={toggle}
      />,
    );
  }
  return (
    <div className="body-lines" style={{ height: height + 48 }}>
      {rows}
      {good === null || to < body.rows ? null : (
        <p className="body-good" style={{ top: topOf(layout, body.rows) - shift, left: gutter }}>
          <Mark name={good > 0 ? 'landed' : 'rejected'} />
          {count(good)} of {count(whole.lines)} {whole.lines === 1 ? 'line' : 'lines'}{' '}
          {good === 1 || whole.lines === 1 ? 'is' : 'are'} good
        </p>
      )}
    </div>
  );
};

/** Open lines that are known to be longer than a page of lines has of them. */
const useKnownLong = (
  lines: ReadonlyMap<number, { readonly line: number; readonly bytes: number }>,
  others: ReadonlyMap<number, { readonly line: number; readonly bytes: number }>,
  isOpen: (line: number) => boolean,
) => {
  const known = useRef(new Map<number, number>());
  return useMemo(() => {
    for (const { line, bytes } of [...lines.values(), ...others.values()]) {
      if (bytes > LINE_BYTES) known.current.set(line, bytes);
    }
    return [...known.current]
      .filter(([line]) => isOpen(line))
      .map(([line, bytes]) => ({ line, bytes }));
  }, [lines, others, isOpen]);
};
