// Owns where the person is: a hash address, so that back and forward work and a link can be kept.
// Never renders.

import { useSyncExternalStore } from 'react';

/** A place in the window. */
export type Place =
  | { readonly screen: 'streams' }
  | {
      readonly screen: 'stream';
      readonly stream: string;
      readonly tab: StreamTab;
      readonly at: string | null;
    }
  | {
      readonly screen: 'rejects';
      readonly tab: RejectsTab;
      /** A reject, as `stream/id`. */
      readonly at: string | null;
    }
  | { readonly screen: 'query'; readonly sql: string | null }
  | { readonly screen: 'model'; readonly tab: ModelTab; readonly type: string | null }
  | { readonly screen: 'activity' }
  | { readonly screen: 'settings' };

export type StreamTab = 'rows' | 'batches' | 'schema' | 'rejects' | 'files' | 'settings';
export type ModelTab = 'graph' | 'types' | 'versions';
export type RejectsTab = 'open' | 'replayed' | 'discarded' | 'recipes';

const TABS: readonly StreamTab[] = ['rows', 'batches', 'schema', 'rejects', 'files', 'settings'];
const REJECTS_TABS: readonly RejectsTab[] = ['open', 'replayed', 'discarded', 'recipes'];
const MODEL_TABS: readonly ModelTab[] = ['graph', 'types', 'versions'];

/** The address of a place. */
export const addressOf = (place: Place): string => {
  switch (place.screen) {
    case 'stream': {
      const at = place.at === null ? '' : `?at=${encodeURIComponent(place.at)}`;
      return `#/streams/${encodeURIComponent(place.stream)}/${place.tab}${at}`;
    }
    case 'rejects': {
      const tab = place.tab === 'open' ? '' : `/${place.tab}`;
      return `#/rejects${tab}${place.at === null ? '' : `?at=${encodeURIComponent(place.at)}`}`;
    }
    case 'query':
      return place.sql === null ? '#/query' : `#/query?sql=${encodeURIComponent(place.sql)}`;
    case 'model': {
      const type = place.type === null ? '' : `?type=${encodeURIComponent(place.type)}`;
      return `#/model/${place.tab}${type}`;
    }
    default:
      return `#/${place.screen}`;
  }
};

/** What `at` says of a line of a batch. */
export const atLine = (batchId: string, line: number | string): string => `line:${batchId}:${line}`;

/** The place of an address; the streams for one that is not known. */
const placeOf = (hash: string): Place => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [screen, name, tab] = path.split('/').map(decodeURIComponent);
  const given = new URLSearchParams(search);
  if (screen === 'streams' && name) {
    const known = TABS.find((one) => one === tab) ?? 'rows';
    return { screen: 'stream', stream: name, tab: known, at: given.get('at') };
  }
  if (screen === 'rejects') {
    const known = REJECTS_TABS.find((one) => one === name) ?? 'open';
    return { screen, tab: known, at: given.get('at') };
  }
  if (screen === 'query') return { screen, sql: given.get('sql') };
  if (screen === 'model') {
    const known = MODEL_TABS.find((one) => one === name) ?? 'graph';
    return { screen, tab: known, type: given.get('type') };
  }
  if (screen === 'activity' || screen === 'settings') return { screen };
  return { screen: 'streams' };
};

/** Goes to a place. */
export const go = (place: Place): void => {
  location.hash = addressOf(place);
};

/** Goes to a place as a part of where the person is: back leads to where they were before both. */
export const move = (place: Place): void => {
  location.replace(addressOf(place));
};

const watch = (hear: () => void): (() => void) => {
  window.addEventListener('hashchange', hear);
  return () => window.removeEventListener('hashchange', hear);
};

/** Where the person is. */
export const usePlace = (): Place => placeOf(useSyncExternalStore(watch, () => location.hash));
