// Owns the domain's words and marks: how a stream's state is said and drawn. Never formats a producer's value.

import type { StreamSummary } from '../../core/model.ts';
import type { MarkName } from '../ui/mark.tsx';

/** The word and mark of a stream's state; `isAway` when the engine is, so that nothing is known. */
export const stateOf = (
  stream: StreamSummary,
  isAway: boolean,
): { word: string; mark: MarkName } => {
  if (isAway) return { word: 'Not known', mark: stream.status === 'new' ? 'new' : 'unknown' };
  switch (stream.status) {
    case 'error':
      return { word: 'Error', mark: 'error' };
    case 'lagging':
      return { word: 'Lagging', mark: 'lagging' };
    case 'landing':
      return { word: 'Landing', mark: 'landing' };
    case 'idle':
      return { word: 'Idle', mark: 'idle' };
    case 'new':
      return { word: 'No batch yet', mark: 'new' };
  }
};

/** The view of a stream, as SQL names it. */
export const viewOf = (stream: string): string => `raw_extracted."stream_${stream}"`;
