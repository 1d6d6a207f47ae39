// Owns the plots of a stream's file count and of what a group-by costs, over one span of time, with its compactions.
// Never measures.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { CompactionRun, StreamSummary } from '../../../../core/model.ts';
import { api } from '../../../api.ts';
import { filesOf } from '../../../app/compaction-words.ts';
import { count, duration } from '../../../ui/format.ts';
import { CostChart } from './cost-chart.tsx';
import { type CostPlot, type CostSpan, costPlotOf } from './cost-data.ts';
import { momentOf } from './run-words.ts';

/** The two plots. `now` is renewed now and then, so that the lines grow. */
export const CostPlots = ({
  knowledgebase,
  summary,
  runs,
  span,
  now,
}: {
  knowledgebase: string;
  summary: StreamSummary;
  runs: readonly CompactionRun[];
  span: CostSpan;
  now: number;
}) => {
  const { stream, files } = summary;
  const { data } = useQuery(
    api.compaction.cost.queryOptions({
      input: { knowledgebase, stream },
      refetchInterval: 30_000,
    }),
  );
  const [under, setUnder] = useState<number | null>(null);
  // Drawn anew as time goes on, not with each landing, and not under the pointer.
  const live = useRef(files);
  live.current = files;
  const fresh = useMemo(
    () => data && costPlotOf(data, runs, { at: now, files: live.current }, span),
    [data, runs, now, span],
  );
  const drawn = useRef(fresh);
  if (under === null || drawn.current === undefined) drawn.current = fresh;
  const plot = drawn.current;
  if (!plot) return <div className="cost-plots" />;
  const isMeasured = plot.groupBy.some((value) => value !== null);
  return (
    <section className="cost-plots" aria-label="Files and query cost over time">
      <div className="files-head">
        <h2>Files</h2>
        <span className="small ink-2" aria-hidden={under === null}>
          {under === null ? '' : wordsAt(plot, under, now)}
        </span>
      </div>
      <CostChart plot={plot} of="files" onPoint={setUnder} label={labelOf(plot, 'files')} />
      <div className="files-head">
        <h2>Group-by over the stream, {plot.unit}</h2>
        {isMeasured ? null : <span className="small ink-2">not measured in this time</span>}
      </div>
      <CostChart plot={plot} of="groupBy" onPoint={setUnder} label={labelOf(plot, 'groupBy')} />
    </section>
  );
};

const inMs = ({ unit }: CostPlot, value: number): number =>
  unit === 'seconds' ? value * 1_000 : value;

/** What the plots say at one of their points. */
const wordsAt = (plot: CostPlot, index: number, now: number): string => {
  const at = plot.x[index];
  const files = plot.files[index];
  const groupBy = plot.groupBy[index];
  if (at === undefined) return '';
  const moment = momentOf(new Date(at * 1_000).toISOString(), now);
  const words = [
    ...(files === null || files === undefined ? [] : [filesOf(files)]),
    ...(groupBy === null || groupBy === undefined
      ? []
      : [`group-by ${duration(inMs(plot, groupBy))}`]),
  ];
  return `${moment}: ${words.join(', ')}`;
};

const labelOf = (plot: CostPlot, of: 'files' | 'groupBy'): string => {
  const values = plot[of].filter((value) => value !== null);
  const last = values.at(-1);
  const most = Math.max(0, ...values);
  const compacted = plot.marks.filter(({ word }) => word === 'compacted').length;
  const marks = `compacted ${compacted === 1 ? 'once' : `${count(compacted)} times`} in this time`;
  if (last === undefined) return `Group-by over the stream: not measured, ${marks}`;
  return of === 'files'
    ? `Files over time: ${count(last)} now, ${count(most)} at most, ${marks}`
    : `Group-by over the stream: ${duration(inMs(plot, last))} when it was measured last, ${duration(inMs(plot, most))} at most, ${marks}`;
};
