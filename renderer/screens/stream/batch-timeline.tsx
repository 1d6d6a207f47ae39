// Owns the timeline above the batches: when they landed, as high as their rows. Never shows more than is listed.

import { useElementSize } from '@mantine/hooks';
import type { PlacedBatch } from '../../../core/model.ts';
import { clock, count, fullTime } from '../../ui/format.ts';

interface BatchTimelineProps {
  /** Newest first. */
  readonly batches: readonly PlacedBatch[];
  readonly chosen: string | null;
  readonly onChoose: (batchId: string) => void;
}

const HIGH = 36;
const BAR = 3;

/** The batches of one bar. */
interface Bar {
  readonly x: number;
  rows: number;
  /** The newest of them. */
  readonly batchId: string;
  isChosen: boolean;
}

/** Bars by time, at most one each `BAR` px. */
const barsOf = (batches: readonly PlacedBatch[], chosen: string | null, width: number): Bar[] => {
  const times = batches.map(({ landedAt }) => Date.parse(landedAt));
  const first = Math.min(...times);
  const span = Math.max(1, Math.max(...times) - first);
  const slots = Math.max(1, Math.floor(width / BAR));
  const bars = new Map<number, Bar>();
  for (const [at, { rows, batchId }] of batches.entries()) {
    const slot = Math.round((((times[at] as number) - first) / span) * (slots - 1));
    const bar = bars.get(slot) ?? { x: slot * BAR, rows: 0, batchId, isChosen: false };
    bar.rows += rows;
    bar.isChosen ||= batchId === chosen;
    bars.set(slot, bar);
  }
  return [...bars.values()];
};

/** The timeline; a click chooses the batch nearest to it. */
export const BatchTimeline = ({ batches, chosen, onChoose }: BatchTimelineProps) => {
  const { ref, width } = useElementSize();
  const newest = batches[0];
  const oldest = batches.at(-1);
  if (!newest || !oldest || batches.length < 2) return null;
  const bars = barsOf(batches, chosen, width);
  const most = Math.max(...bars.map(({ rows }) => rows));
  const isSameDay = newest.landedAt.slice(0, 10) === oldest.landedAt.slice(0, 10);
  const nearest = (x: number): string =>
    bars.reduce((best, bar) => (Math.abs(bar.x - x) < Math.abs(best.x - x) ? bar : best)).batchId;
  return (
    <div className="batch-timeline">
      <div ref={ref}>
        <svg
          width={width}
          height={HIGH}
          aria-hidden="true"
          onClick={(event) =>
            onChoose(nearest(event.clientX - event.currentTarget.getBoundingClientRect().left))
          }
        >
          <path d={`M0 ${HIGH - 0.5}H${width}`} stroke="var(--s-line)" />
          {bars.map(({ x, rows, batchId, isChosen }) => {
            const high = Math.max(2, (rows / most) * (HIGH - 2));
            return (
              <rect
                key={batchId}
                x={x}
                y={HIGH - high}
                width={BAR - 1}
                height={high}
                fill={isChosen ? 'var(--s-vein)' : 'var(--s-spark)'}
              />
            );
          })}
        </svg>
      </div>
      <div className="batch-timeline-ends">
        <span>{isSameDay ? clock(oldest.landedAt) : fullTime(oldest.landedAt).slice(0, -4)}</span>
        <span>
          rows of the newest {count(batches.length)} batches, at most {count(most)} together
        </span>
        <span>{isSameDay ? clock(newest.landedAt) : fullTime(newest.landedAt).slice(0, -4)}</span>
      </div>
    </div>
  );
};
