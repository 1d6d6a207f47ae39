// Owns the body of a reject as bytes: sixteen a row, virtual at any length. Never changes a body.

import { type RefObject, useEffect, useMemo } from 'react';
import { faultOf } from '../api.ts';
import { Empty } from '../ui/parts.tsx';
import { useScaledScroll } from '../ui/scaled-scroll.ts';
import './body.css';
import { bytesOfBase64, bytesOfRow, placeOf, ROW_BYTES } from './hex-rows.ts';
import { type BodyName, useBodyBytes } from './use-body.ts';

const ROW = 20;

interface BodyHexProps {
  readonly name: BodyName;
  readonly bodyBytes: number;
  /** The byte of the fault that is gone to; null for none. */
  readonly active: number | null;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The rows. */
export const BodyHex = ({ name, bodyBytes, active, scroller }: BodyHexProps) => {
  const rows = Math.ceil(bodyBytes / ROW_BYTES);
  const { shown, height, reveal } = useScaledScroll(scroller, rows, ROW, 0, name.rejectId);
  const first = Math.max(0, shown.first - 4);
  const last = Math.min(rows, shown.first + shown.fit + 4);
  const { pages, error } = useBodyBytes(name, first * ROW_BYTES, last * ROW_BYTES);
  const known = useMemo(
    () => new Map([...pages].map(([offset, text]) => [offset, bytesOfBase64(text)])),
    [pages],
  );
  useEffect(() => {
    if (active !== null) reveal(Math.floor(active / ROW_BYTES));
  }, [active, reveal]);
  if (error && known.size === 0) {
    const { message, hint } = faultOf(error);
    return <Empty what={message} why={hint} />;
  }
  if (bodyBytes === 0) {
    return <Empty what="The body is empty" why="The POST came with no byte in it." />;
  }
  const drawn = [];
  for (let row = first; row < last; row += 1) {
    const bytes = bytesAt(known, row * ROW_BYTES);
    drawn.push(
      <div key={row} className="hex-row" style={{ top: row * ROW + shown.shift }}>
        <span className="hex-place">{placeOf(row)}</span>
        {bytes ? <Bytes bytes={bytes} start={row * ROW_BYTES} active={active} /> : '…'}
      </div>,
    );
  }
  return (
    <div className="body-lines" style={{ height }}>
      {drawn}
    </div>
  );
};

const bytesAt = (
  pages: ReadonlyMap<number, Uint8Array>,
  offset: number,
): Uint8Array | undefined => {
  for (const [start, bytes] of pages) {
    if (offset >= start && offset < start + bytes.length) {
      return bytes.subarray(offset - start, offset - start + ROW_BYTES);
    }
  }
  return undefined;
};

const Bytes = ({
  bytes,
  start,
  active,
}: {
  bytes: Uint8Array;
  start: number;
  active: number | null;
}) => {
  const row = bytesOfRow(bytes);
  const at = active === null ? -1 : active - start;
  const hex = row.map((byte) => byte?.hex ?? '  ');
  const letters = row.map((byte) => byte?.letter ?? '');
  const part = (texts: readonly string[], join: string) =>
    at < 0 || at >= ROW_BYTES ? (
      texts.join(join)
    ) : (
      <>
        {texts.slice(0, at).map((text) => text + join)}
        <span className="seg-solid">{texts[at]}</span>
        {texts.slice(at + 1).map((text) => join + text)}
      </>
    );
  return (
    <>
      <span className="hex-bytes">{part(hex, ' ')}</span>
      <span className="hex-letters">{part(letters, '')}</span>
    </>
  );
};
