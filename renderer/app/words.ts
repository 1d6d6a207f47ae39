// Owns the domain's words and marks: how the state of a stream and of work is said and drawn.
// Never formats a producer's value.

import type { CompactionRun, Job, StreamSummary } from '../../core/model.ts';
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

/** The word and mark of a job's state, and of a compaction's, which is the record of one. */
export const stateOfWork = ({
  state,
}: Pick<Job | CompactionRun, 'state'>): { word: string; mark: MarkName } => {
  switch (state) {
    case 'running':
      return { word: 'Running', mark: 'running' };
    case 'done':
      return { word: 'Done', mark: 'landed' };
    case 'failed':
      // What has ended is a cross; the octagon is for what needs a person until they have seen to it.
      return { word: 'Failed', mark: 'rejected' };
    case 'cancelled':
      // A bin beside files or rows would say that they went.
      return { word: 'Cancelled', mark: 'cancelled' };
    case 'undone':
      return { word: 'Undone', mark: 'idle' };
  }
};

/** The view of a stream, as SQL names it. */
export const viewOf = (stream: string): string => `raw_extracted."stream_${stream}"`;
