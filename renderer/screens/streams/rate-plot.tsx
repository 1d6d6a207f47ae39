// Owns the plot of a stream's rows a second over the last quarter of an hour, with its rejects below.
// Never draws a period that is not over yet.

import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useState } from 'react';
import type { StreamRates } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { clock, rate } from '../../ui/format.ts';
import { LostStretch } from '../../ui/lost.tsx';
import { Section } from '../../ui/parts.tsx';
import { type PlotPoint, plotOf } from './plot.ts';

const WIDTH = 268;
const HEIGHT = 64;
const BASE = 56;

/** The plot; the pointer reads one moment. */
export const RatePlot = ({
  knowledgebase,
  stream,
  rejected,
  rates,
  isAway,
}: {
  knowledgebase: string;
  stream: string;
  rejected: number;
  rates: StreamRates | undefined;
  isAway: boolean;
}) => {
  const [under, setUnder] = useState<number | null>(null);
  const options = api.rejects.list.queryOptions({ input: { knowledgebase, stream, limit: 100 } });
  const { data: page } = useQuery({
    ...options,
    queryKey: [...options.queryKey, rejected],
    enabled: rejected > 0,
    placeholderData: (before) => before,
  });
  if (!rates) return null;
  const plot = plotOf(rates, stream, { width: WIDTH, top: 4, base: BASE });
  const { points, peak, last } = plot;
  const point = under === null ? undefined : points[under];
  const span = plot.lost > 0 ? `since ${clock(rates.since).slice(0, 5)}` : 'in 15 minutes';
  const onMove = (event: PointerEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const isKnown = points.length > 0 && x >= plot.lost - 2;
    setUnder(isKnown ? nearest(points, x) : null);
  };
  return (
    <Section
      title="Rows a second"
      aside={
        point
          ? `${rate(point.value)} at ${clock(point.at)}`
          : peak === 0
            ? `none ${span}`
            : `${rate(last)} ${isAway ? 'then' : 'now'}, ${rate(peak)} peak`
      }
    >
      <svg
        className="rate-plot"
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`Rows a second, ${rate(last)} now, ${rate(peak)} at most ${span}`}
        onPointerMove={onMove}
        onPointerLeave={() => setUnder(null)}
      >
        <path className="rate-grid" d={`M0 4.5H${WIDTH}M0 30.5H${WIDTH}`} />
        {plot.lost > 0 ? <LostStretch width={plot.lost - 1} height={BASE} /> : null}
        <path className="rate-base" d={`M0 ${BASE}.5H${WIDTH}`} />
        {peak > 0 ? (
          <>
            <path className="rate-fill" d={plot.area} />
            <path className="rate-line" d={plot.line} />
          </>
        ) : null}
        {(page?.rejects ?? []).flatMap(({ rejectId, lastReceivedAt }) => {
          const x = plot.placeOf(lastReceivedAt);
          return x === null ? (
            []
          ) : (
            <path key={rejectId} className="rate-reject" d={`M${x} ${BASE + 1}v6`} />
          );
        })}
        {point ? (
          <>
            <path className="rate-cross" d={`M${point.x} 0V${BASE}`} />
            <circle className="rate-dot" cx={point.x} cy={point.y} r="2.5" />
          </>
        ) : peak > 0 && last > 0 && !isAway ? (
          <circle className="rate-dot live" cx={points.at(-1)?.x} cy={points.at(-1)?.y} r="2.5" />
        ) : null}
      </svg>
      <div className="plot-ends">
        <span>{clock(plot.from).slice(0, 5)}</span>
        <span>{clock(plot.to).slice(0, 5)}</span>
      </div>
    </Section>
  );
};

/** The index of the point that stands nearest. */
const nearest = (points: readonly PlotPoint[], x: number): number => {
  let best = 0;
  for (const [at, point] of points.entries()) {
    if (Math.abs(point.x - x) < Math.abs((points[best] as PlotPoint).x - x)) best = at;
  }
  return best;
};
