// Owns what a person has set in an inbox: filters, the open group, what is chosen with Ctrl and Shift. Kept while
// another screen is shown. Never fetches.

import { useCallback, useSyncExternalStore } from 'react';
import type { RejectFilter, RejectState } from '../../core/model.ts';

/** Which part of the inbox is shown. */
export type InboxTab = RejectState | 'recipes';

/** How far back rejects are shown. */
export const SPANS = {
  any: { word: 'Any time', hours: null },
  hour: { word: 'Last hour', hours: 1 },
  day: { word: 'Last 24 hours', hours: 24 },
  week: { word: 'Last 7 days', hours: 168 },
  month: { word: 'Last 30 days', hours: 720 },
} as const;
export type Span = keyof typeof SPANS;

export interface InboxState {
  /** Null for all streams. */
  readonly stream: string | null;
  readonly sender: string | null;
  readonly span: Span;
  /** What bodies are searched for; empty for the groups. */
  readonly text: string;
  /** Rejects that came later are not pushed in; a button lets them in. ISO 8601. */
  readonly until: string;
  /** The key of the open group; null for none, undefined where the person has not said. */
  readonly open: string | null | undefined;
  /** Whether all rejects of the open group are shown. */
  readonly isWhole: boolean;
  /** Keys of the rejects that were chosen together. */
  readonly selected: ReadonlySet<string>;
}

const states = new Map<string, InboxState>();
const watchers = new Set<() => void>();

const watch = (hear: () => void): (() => void) => {
  watchers.add(hear);
  return () => watchers.delete(hear);
};

const NONE: ReadonlySet<string> = new Set();

const fresh = (stream: string | null): InboxState => ({
  ...{ stream, sender: null, span: 'any', text: '', until: new Date().toISOString() },
  ...{ open: undefined, isWhole: false, selected: NONE },
});

/** The state of the inbox of a knowledgebase, or of one stream of it, and changing it. */
export const useInboxState = (knowledgebase: string, stream: string | null) => {
  const key = `${knowledgebase}/${stream ?? ''}`;
  const get = useCallback((): InboxState => {
    const known = states.get(key);
    if (known) return known;
    const made = fresh(stream);
    states.set(key, made);
    return made;
  }, [key, stream]);
  const state = useSyncExternalStore(watch, get);
  const change = useCallback(
    (next: Partial<InboxState>): void => {
      states.set(key, { ...get(), ...next });
      for (const hear of watchers) hear();
    },
    [key, get],
  );
  return { state, change };
};

/** Now, as `until` says it: what has come is in, what comes is not. */
export const untilNow = (): string => new Date(Date.now() + 1).toISOString();

/** The filter of an inbox, without a tab's state and without the searched text. */
export const filterOf = ({ stream, sender, span, until }: InboxState): RejectFilter => {
  const { hours } = SPANS[span];
  const since =
    hours === null ? null : new Date(Date.parse(until) - hours * 3_600_000).toISOString();
  return {
    ...(stream === null ? {} : { stream }),
    ...(sender === null ? {} : { sender }),
    ...(since === null ? {} : { since }),
    until,
  };
};

/** Whether anything but the tab narrows the inbox. */
export const isNarrowed = (state: InboxState, own: string | null): boolean =>
  state.stream !== own || state.sender !== null || state.span !== 'any';
