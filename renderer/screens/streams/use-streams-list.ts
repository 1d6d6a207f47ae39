// Owns what the list shows: filter, segment, sort, the chosen stream, and an order that holds still.
// Never renders.

import { useMemo, useRef, useState } from 'react';
import type { StreamRates, StreamSummary } from '../../../core/model.ts';
import { rateNow } from '../../app/live.ts';
import { held, isIn, orderOf, type Segment, type Sort } from './streams-order.ts';

interface Kept {
  filter: string;
  segment: Segment;
  sort: Sort;
  chosen: string | null;
  isOpen: boolean;
}

/** What a person had set, for when they come back from a stream. By knowledgebase. */
const places = new Map<string, Kept>();

const FRESH: Kept = {
  filter: '',
  segment: 'all',
  sort: { by: 'rate', isUp: false },
  chosen: null,
  isOpen: false,
};

/** The state of the list over the streams of a knowledgebase. */
export const useStreamsList = (
  knowledgebase: string,
  streams: readonly StreamSummary[],
  rates: StreamRates | undefined,
) => {
  const [kept, setKept] = useState<Kept>(places.get(knowledgebase) ?? FRESH);
  const [isPointerIn, setPointerIn] = useState(false);
  const change = (next: Partial<Kept>): void =>
    setKept((now) => {
      places.set(knowledgebase, { ...now, ...next });
      return { ...now, ...next };
    });
  const { filter, segment, sort } = kept;
  const wanted = useMemo(
    () =>
      orderOf(
        streams.map((stream) => ({ stream, rate: rateNow(rates, stream.stream) })),
        { filter, segment, sort },
      ),
    [streams, rates, filter, segment, sort],
  );
  const byId = useMemo(() => new Map(streams.map((one) => [one.stream, one])), [streams]);
  const chosen = kept.chosen === null ? undefined : byId.get(kept.chosen);
  // An order that was asked for anew, or made before the rates were known, is not held.
  const asked = `${sort.by} ${sort.isUp} ${segment} ${filter} ${rates !== undefined}`;
  const before = useRef<{ asked: string; order: string[] }>(undefined);
  const isHeld = (isPointerIn || chosen !== undefined) && before.current?.asked === asked;
  const order = isHeld && before.current ? held(before.current.order, wanted) : wanted;
  before.current = { asked, order };
  return {
    ...kept,
    chosen,
    change,
    setPointerIn,
    listed: order.flatMap((id) => byId.get(id) ?? []),
    counts: {
      landing: streams.filter((stream) => isIn('landing', stream)).length,
      look: streams.filter((stream) => isIn('look', stream)).length,
    },
  };
};

export type StreamsListState = ReturnType<typeof useStreamsList>;
