// Owns the zoom from stream to file, to batch and to line: cores drawn to scale, joined by fans. A file of one batch is
// that batch, and has no core of its own. Never drawn without the same facts in words beside it.

import { useId } from 'react';
import type { PlacedBatch, StreamSummary } from '../../../core/model.ts';
import { Band, type Layer } from '../../ui/band.tsx';
import { count } from '../../ui/format.ts';
import { Section } from '../../ui/parts.tsx';
import { type FileLayer, stretchIn } from './file-layers.ts';

interface WhereFromProps {
  readonly summary: StreamSummary;
  readonly batch: PlacedBatch;
  readonly line: number;
  readonly number: number;
  /** The stream's files, oldest first. */
  readonly files: readonly Layer[];
  /** The compacted file that holds the batch; null where it is a file of its own, or the file is not known. */
  readonly compacted: Pick<FileLayer, 'firstRow' | 'rows' | 'batches'> | null;
}

const HIGH = 104;
const CORE = 24;
/** Where the cores begin: of two and of three. */
const TWO = 136;
const THREE = 92;

/** The section "Where it came from". */
export const WhereFrom = (props: WhereFromProps) => {
  const { summary, batch, line, number, files, compacted } = props;
  const stream = { firstRow: 0, rows: Math.max(summary.rows, batch.firstRow + batch.rows) };
  const step = compacted ? THREE : TWO;
  const last = compacted ? 2 * step : step;
  const outer = stretchIn(compacted ?? batch, stream, HIGH);
  const inner = compacted ? stretchIn(batch, compacted, HIGH) : null;
  // A batch is read from its first line down.
  const lineHigh = Math.max(2, HIGH / batch.rows);
  const lineTop = Math.min(HIGH - lineHigh, ((line - 1) / batch.rows) * HIGH);
  const lineMiddle = lineTop + lineHigh / 2;
  const isLabelHigh = Math.min(HIGH - 8, Math.max(8, lineMiddle));
  return (
    <Section title="Where it came from" aside={`row ${count(number)}`}>
      <div className="where-zoom">
        <svg width={last + CORE + 28} height={HIGH} aria-hidden="true">
          <Band layers={files.map(solid)} width={CORE} height={HIGH} direction="vertical" />
          <Vein x={0} to={step} {...outer} />
          {inner ? (
            <>
              <Core x={step} layers={compacted?.batches ?? 1} />
              <Vein x={step} to={last} {...inner} />
            </>
          ) : null}
          <Core x={last} layers={batch.rows} />
          <rect x={last} y={lineTop} width={CORE} height={lineHigh} fill="var(--s-vein)" />
          <path
            d={`M${last + CORE} ${lineMiddle}h8L${last + CORE + 14} ${isLabelHigh}h12`}
            fill="none"
            stroke="var(--s-vein)"
          />
        </svg>
        <span className="where-zoom-line" style={{ top: isLabelHigh - 10, left: last + CORE + 32 }}>
          Line {count(line)}
        </span>
        <div className="where-zoom-words">
          <Words name="Stream" of={[summary.files, 'file', 'files']} wide={step} />
          {compacted ? (
            <Words name="File" of={[compacted.batches, 'batch', 'batches']} wide={step} />
          ) : null}
          <Words name="Batch" of={[batch.rows, 'row', 'rows']} wide={step} />
        </div>
      </div>
    </Section>
  );
};

/** What is chosen in a core, and the fan from it to the whole of the next one. */
const Vein = ({ x, to, top, thick }: { x: number; to: number; top: number; thick: number }) => {
  const [left, right] = [x + CORE + 1, to - 1];
  return (
    <>
      <rect x={x} y={top} width={CORE} height={thick} fill="var(--s-vein)" />
      <path
        d={`M${left} ${top}L${right} 0V${HIGH}L${left} ${top + thick}Z`}
        fill="var(--s-vein)"
        fillOpacity=".1"
      />
      <path
        d={`M${left} ${top}L${right} 0M${right} ${HIGH}L${left} ${top + thick}`}
        fill="none"
        stroke="var(--s-vein)"
        strokeOpacity=".5"
      />
    </>
  );
};

const Words = ({
  name,
  of: [number, one, many],
  wide,
}: {
  name: string;
  of: readonly [number, string, string];
  wide: number;
}) => (
  <span style={{ width: wide }}>
    <strong>{name}</strong>
    <span className="ink-2">
      {count(number)} {number === 1 ? one : many}
    </span>
  </span>
);

/** Compacted files are quiet in a scrollbar alone. */
const solid = ({ rows, kind }: Layer): Layer => ({
  rows,
  kind: kind === 'quiet' ? 'solid' : kind,
});

/** The layers of a core, all alike; beyond one a px and its gap they are a hatch. */
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
