// Owns what arrives by itself: pulses of landings, the clock, and the knowledgebase that is chosen.
// Never asks for what the person did not open.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ModelView, StreamPulse, StreamRates, StreamSummary } from '../../core/model.ts';
import { api, client, engine, queryClient } from '../api.ts';
import { addPulses, NOTHING_STALE, type Stale } from './stale.ts';

/** The engine's state. */
export const useEngine = () => useSyncExternalStore(engine.watch, engine.get);

/** Now, in ms, renewed every second; ages are counted from it. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

const KEY = 'knowledgebase';
const choosers = new Set<() => void>();
/** The one that was shown last. */
let shown: string | null = null;

/** Chooses the knowledgebase that the window shows. */
export const chooseKnowledgebase = (id: string): void => {
  localStorage.setItem(KEY, id);
  for (const hear of choosers) hear();
};

/** The knowledgebases and the chosen one; null while there is none or it is not known yet. */
export const useKnowledgebase = () => {
  const { data: list } = useQuery(
    // A folder that is moved away, or opened by a command, shows without being asked for.
    api.knowledgebases.list.queryOptions({ refetchInterval: 5_000 }),
  );
  const kept = useSyncExternalStore(
    (hear) => {
      choosers.add(hear);
      return () => choosers.delete(hear);
    },
    () => localStorage.getItem(KEY),
  );
  const usable = list?.filter(({ fault }) => fault === null) ?? [];
  const chosen =
    usable.find(({ id }) => id === kept) ??
    // One that comes into the list does not take the place of what is shown.
    usable.find(({ id }) => id === shown) ??
    usable.find(({ id }) => id !== 'demo') ??
    usable[0];
  const id = chosen?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    shown = id;
    if (kept === null) chooseKnowledgebase(id);
  }, [id, kept]);
  return { list: list ?? [], isKnown: list !== undefined, id };
};

/** The streams of the chosen knowledgebase, renewed while batches land. */
export const useStreams = (knowledgebase: string): StreamSummary[] | undefined =>
  useQuery(
    api.streams.list.queryOptions({
      input: { knowledgebase },
      refetchInterval: 5_000,
    }),
  ).data;

/** The newest version of the model; undefined while it is not known, or cannot be read. */
export const useModelView = (knowledgebase: string): ModelView | undefined =>
  useQuery(api.ontology.get.queryOptions({ input: { knowledgebase }, refetchInterval: 15_000 }))
    .data;

/** Rows a second of every stream. */
export const useRates = (knowledgebase: string): StreamRates | undefined =>
  useQuery(api.streams.rates.queryOptions({ input: { knowledgebase }, refetchInterval: 2_500 }))
    .data;

/** The newest of the rates; 0 where nothing is known. The last full period, so that it does not flicker. */
export const rateNow = (rates: StreamRates | undefined, stream: string): number =>
  rates?.rowsPerSecond[stream]?.at(-2) ?? 0;

/** Follows the engine's pulses for as long as the window is open, from one engine to the next. */
export const useLivePulses = (): void => {
  const { state } = useEngine();
  useEffect(() => {
    if (state !== 'ready') return undefined;
    const abort = new AbortController();
    void follow(abort.signal);
    return () => abort.abort();
  }, [state]);
};

const follow = async (signal: AbortSignal): Promise<void> => {
  try {
    for await (const pulses of await client.live.pulses(undefined, { signal })) {
      renewSoon(pulses);
    }
  } catch {
    // The engine's state says why; a new one is followed when it is ready.
  }
};

let renewing: ReturnType<typeof setTimeout> | undefined;
let stale: Stale = NOTHING_STALE;

/** Figures change at most twice a second, however many batches land. */
const renewSoon = (pulses: StreamPulse[]): void => {
  stale = addPulses(stale, pulses);
  if (renewing !== undefined || pulses.length === 0) return;
  renewing = setTimeout(() => {
    renewing = undefined;
    const keys = keysOf(stale);
    stale = NOTHING_STALE;
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
  }, 500);
};

/** What of the engine's answers is not as it was. */
const keysOf = ({ streams, rejects, rejectStates, others, list }: Stale) => [
  ...(streams ? [api.streams.list.key(), api.streams.get.key()] : []),
  ...(rejects ? [api.rejects.groups.key(), api.rejects.recipes.list.key()] : []),
  ...(rejectStates ? [api.rejects.list.key(), api.rejects.get.key()] : []),
  ...(list ? [api.knowledgebases.list.key()] : []),
  ...(others
    ? [
        ...[api.streams.key(), api.compaction.key(), api.ontology.key(), api.tokens.key()],
        ...[api.knowledgebases.get.key(), api.knowledgebases.events.key()],
        ...[api.query.saved.key(), api.rejects.get.key(), api.rejects.retention.key()],
      ]
    : []),
];
