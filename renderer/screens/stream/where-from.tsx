// Owns the zoom from stream to batch to line: cores drawn to scale, joined by fans.
// Never drawn without the same facts in words beside it.

import { useId } from 'react';
import type { PlacedBatch, StreamSummary } from '../../../core/model.ts';
import { Band, type Layer } from '../../ui/band.tsx';
import { count } from '../../ui/format.ts';
import { Section } from '../../ui/parts.tsx';

interface WhereFromProps {
  readonly summary: StreamSummary;
  readonly batch: PlacedBatch;
  readonly line: number;
  readonly number: number;
  /** The stream's files, oldest first. */
  readonly files: readonly Layer[];
}

const HIGH = 104;
const CORE = 24;
const SECOND = 136;

/** The section "Where it came from". */
export const WhereFrom = ({ summary, batch, line, number, files }: WhereFromProps) => {
  // Newest on top, as layers lie; a batch is read from its first line down.
  const rows = Math.max(summary.rows, batch.firstRow + batch.rows);
  const bottom = HIGH - (batch.firstRow / rows) * HIGH;
  const top = HIGH - ((batch.firstRow + batch.rows) / rows) * HIGH;
  const thick = Math.max(2, bottom - top);
  const from = Math.min(HIGH - thick, Math.max(0, (top + bottom) / 2 - thick / 2));
  const lineHigh = Math.max(2, HIGH / batch.rows);
  const lineTop = Math.min(HIGH - lineHigh, ((line - 1) / batch.rows) * HIGH);
  const lineMiddle = lineTop + lineHigh / 2;
  const isLabelHigh = Math.min(HIGH - 8, Math.max(8, lineMiddle));
  return (
    <Section title="Where it came from" aside={`row ${count(number)}`}>
      <div className="where-zoom">
        <svg width={SECOND + CORE + 28} height={HIGH} aria-hidden="true">
          <Band layers={files.map(solid)} width={CORE} height={HIGH} direction="vertical" />
          <rect x={0} y={from} width={CORE} height={thick} fill="var(--s-vein)" />
          <path
            d={`M${CORE + 1} ${from}L${SECOND - 1} 0V${HIGH}L${CORE + 1} ${from + thick}Z`}
            fill="var(--s-vein)"
            fillOpacity=".1"
          />
          <path
            d={`M${CORE + 1} ${from}L${SECOND - 1} 0M${SECOND - 1} ${HIGH}L${CORE + 1} ${from + thick}`}
            fill="none"
            stroke="var(--s-vein)"
            strokeOpacity=".5"
          />
          <Core x={SECOND} layers={batch.rows} />
          <rect x={SECOND} y={lineTop} width={CORE} height={lineHigh} fill="var(--s-vein)" />
          <path
            d={`M${SECOND + CORE} ${lineMiddle}h8L${SECOND + CORE + 14} ${isLabelHigh}h12`}
            fill="none"
            stroke="var(--s-vein)"
          />
        </svg>
        <span className="where-zoom-line" style={{ top: isLabelHigh - 10 }}>
          Line {count(line)}
        </span>
        <div className="where-zoom-words">
          <span>
            <strong>Stream</strong>
            <span className="ink-2">
              {count(summary.files)} {summary.files === 1 ? 'file' : 'files'}
            </span>
          </span>
          <span>
            <strong>Batch</strong>
            <span className="ink-2">
              {count(batch.rows)} {batch.rows === 1 ? 'row' : 'rows'}
            </span>
          </span>
        </div>
      </div>
    </Section>
  );
};

/** Compacted files are quiet in a scrollbar alone. */
const solid = ({ rows, kind }: Layer): Layer => ({
  rows,
  kind: kind === 'quiet' ? 'solid' : kind,
});

/** The lines of a batch, all alike; beyond one a px and its gap they are a hatch. */
const Core = ({ x, layers }: { x: number; layers: number }) => {
  const id = useId();
  const size = HIGH / Math.max(1, layers);
  const period = Math.max(2, size);
  return (
    <>
      <defs>
        <pattern id={id} width={CORE} height={period} patternUnits="userSpaceOnUse">
          <rect width={CORE} height={period - 1} fill="var(--s-bed-2)" />
          {size < 2 ? <rect y={1} width={CORE} height={1} fill="var(--s-bed-1)" /> : null}
        </pattern>
      </defs>
      <rect x={x} width={CORE} height={HIGH} fill={`url(#${id})`} />
    </>
  );
};
