// Owns the comparison band: a stream's files now beside what they become, to scale.
// Never drawn without the same facts in words beside it.

import { Band } from '../../../ui/band.tsx';
import type { Comparison } from './comparison.ts';

const WIDE = 36;
const GAP = 40;
const HIGH = 196;
const VEIN = 6;

/** The two cores; the vein is what is merged, dashed until it runs. */
export const ComparisonBand = ({
  comparison: { now, after, merged, joints },
  isRunning,
}: {
  comparison: Comparison;
  isRunning: boolean;
}) => {
  const top = HIGH * (1 - merged.to);
  const high = Math.max(2, HIGH * (merged.to - merged.from));
  return (
    <div className="comparison" aria-hidden="true">
      <div className="comparison-cores">
        <Band layers={now} width={WIDE} height={HIGH} direction="vertical" />
        <svg width={GAP} height={HIGH} aria-hidden="true">
          <path
            d={[0, ...joints].map((share) => `M0 ${edge(HIGH * (1 - share))}H${GAP}`).join('')}
            stroke="var(--s-line-2)"
          />
        </svg>
        <Band layers={after} width={WIDE} height={HIGH} direction="vertical" />
        <svg width={VEIN} height={HIGH} aria-hidden="true">
          <path
            d={`M${VEIN - 2} ${top}v${high}`}
            stroke="var(--s-vein)"
            strokeWidth="2"
            strokeDasharray={isRunning ? undefined : '4 3'}
          />
        </svg>
      </div>
      <div className="comparison-ends label">
        <span>now</span>
        <span>after</span>
      </div>
    </div>
  );
};

/** On a whole pixel, within the core. */
const edge = (y: number): number => Math.min(HIGH - 0.5, Math.max(0.5, Math.round(y) + 0.5));
