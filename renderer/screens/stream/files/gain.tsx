// Owns what a compaction gains: the comparison band, and files, size and query times now and after in words.
// Never starts one.

import { UnstyledButton } from '@mantine/core';
import type { CompactionPlan } from '../../../../core/model.ts';
import { bytes, clock, count, duration } from '../../../ui/format.ts';
import { Mark } from '../../../ui/mark.tsx';
import { Section } from '../../../ui/parts.tsx';
import { comparisonOf, fasterOf } from './comparison.ts';
import { ComparisonBand } from './comparison-band.tsx';

interface GainProps {
  readonly plan: CompactionPlan;
  /** Rows of the compacted files, oldest first. */
  readonly compacted: readonly number[];
  /** Rows of the loose files, oldest first; null where they are too many to be known one by one. */
  readonly loose: readonly number[] | null;
  readonly isRunning: boolean;
  readonly isMeasuring: boolean;
  /** Why it could not be measured; null where it could. */
  readonly fault: string | null;
  readonly onMeasure: (() => void) | null;
}

/** The section "What it gains". */
export const Gain = (props: GainProps) => {
  const { plan, compacted, loose, isRunning, isMeasuring, fault, onMeasure } = props;
  const { now, after, gain } = plan;
  const times = (of: 'groupByMs' | 'countMs' | 'batchMs'): readonly [string, string] =>
    gain === null ? ['–', '–'] : [duration(gain.now[of]), duration(gain.after[of])];
  const lines: readonly (readonly [string, readonly [string, string]])[] = [
    ['Files', [count(now.files), count(after.files)]],
    ['Size', [bytes(now.sizeBytes), gain === null ? '–' : bytes(after.sizeBytes)]],
    ['Group-by', times('groupByMs')],
    ['Count', times('countMs')],
    ['One batch', times('batchMs')],
  ];
  const faster = gain === null ? '' : fasterOf(gain.now.groupByMs, gain.after.groupByMs);
  return (
    <Section title="What it gains" aside={faster === '' ? null : `group-by ${faster}`}>
      <div className="gain">
        <ComparisonBand comparison={comparisonOf(plan, compacted, loose)} isRunning={isRunning} />
        <div className="grow">
          <table className="gain-table">
            <thead>
              <tr>
                <td />
                <th scope="col">now</th>
                <th scope="col">after</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(([name, [before, then]]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{before}</td>
                  <td className="gain-after">{then}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="small ink-2 gain-words">
            {isMeasuring ? (
              <span className="marked" role="status">
                <Mark name="running" />
                Measuring on some of the files
              </span>
            ) : gain !== null ? (
              <>
                {gain.sampledFiles < plan.loose.files
                  ? `Measured on ${count(gain.sampledFiles)} of the files, then scaled.`
                  : `Measured on all ${count(gain.sampledFiles)} files at ${clock(plan.at)}.`}{' '}
                {onMeasure ? (
                  <UnstyledButton className="stream-link" onClick={onMeasure}>
                    Measure again
                  </UnstyledButton>
                ) : null}
              </>
            ) : (
              (fault ?? 'Size and query times were not measured.')
            )}
          </p>
        </div>
      </div>
    </Section>
  );
};
