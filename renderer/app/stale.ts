// Owns what of the window is not as it was after pulses came: figures of streams, rejects, or what another process did.
// Never asks for anything.

import type { StreamPulse } from '../../core/model.ts';

/** What is to be read again. */
export interface Stale {
  readonly streams: boolean;
  /** Some came. */
  readonly rejects: boolean;
  /** Some are in another state. */
  readonly rejectStates: boolean;
  /** Whatever another process may change beside the numbers of streams. */
  readonly others: boolean;
  /** The list of knowledgebases. */
  readonly list: boolean;
}

export const NOTHING_STALE: Stale = {
  ...{ streams: false, rejects: false, rejectStates: false },
  ...{ others: false, list: false },
};

/** What is stale after more pulses. */
export const addPulses = (stale: Stale, pulses: readonly StreamPulse[]): Stale =>
  pulses.reduce<Stale>(
    (sum, { knowledgebase, stream, rejected, rejectsChanged }) => ({
      streams: sum.streams || stream !== null,
      rejects: sum.rejects || rejected + rejectsChanged > 0,
      rejectStates: sum.rejectStates || rejectsChanged > 0,
      others: sum.others || (stream === null && knowledgebase !== null),
      list: sum.list || knowledgebase === null,
    }),
    stale,
  );
