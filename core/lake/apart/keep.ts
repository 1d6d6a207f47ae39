// Owns a lake process over time: started at its first task, ended when it had none for a while, started again where it
// died. Never runs a task itself.

import { lakeOver } from './ask.ts';
import type { Channel } from './channel.ts';
import type { InputOf, Lake, Lakes, Running, TaskName } from './lake.ts';
import type { LakeKind } from './priority.ts';

/** The next query starts at once for so long after the last; a merge leaves its process soon after. */
const READING_IDLE_MS = 300_000;
const MERGING_IDLE_MS = 5_000;

/** The two lakes, each in a process of its own that `start` starts. */
export const lakesApart = (start: (kind: LakeKind) => Promise<Channel>): Lakes => ({
  reading: keepLake({ start: () => start('reading'), idleMs: READING_IDLE_MS }),
  merging: keepLake({ start: () => start('merging'), idleMs: MERGING_IDLE_MS }),
});

export interface KeepOptions {
  /** Starts a process and gives its channel. */
  readonly start: () => Promise<Channel>;
  /** After how long without a task it ends, and its memory is the system's again. */
  readonly idleMs: number;
}

interface Kept {
  readonly lake: Lake;
  isGone: boolean;
}

/** A lake whose tasks run in a process of their own. */
export const keepLake = ({ start, idleMs }: KeepOptions): Lake => {
  let kept: Promise<Kept> | undefined;
  let busy = 0;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  const open = async (): Promise<Kept> => {
    const channel = await start();
    const one: Kept = { lake: lakeOver(watched(channel, () => forget(one))), isGone: false };
    if (isClosed) await one.lake.close();
    return one;
  };
  const forget = (one: Kept): void => {
    one.isGone = true;
  };
  const current = async (): Promise<Kept> => {
    kept ??= open();
    const one = await kept;
    if (!one.isGone) return one;
    kept = undefined;
    return current();
  };
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = kept;
    kept = undefined;
    // A start that failed was told to who asked for it.
    await ending?.then(({ lake }) => lake.close()).catch(() => {});
  };

  async function* run(name: TaskName, input: never, signal: AbortSignal) {
    clearTimeout(idle);
    busy += 1;
    try {
      const { lake } = await current().catch((error: unknown) => {
        kept = undefined;
        throw error;
      });
      return yield* lake.run(name, input, signal);
    } finally {
      busy -= 1;
      if (busy === 0) idle = setTimeout(() => void end(), idleMs).unref();
    }
  }

  return {
    run: <N extends TaskName>(name: N, input: InputOf<N>, signal: AbortSignal) =>
      run(name, input as never, signal) as Running<N>,
    close: async () => {
      isClosed = true;
      await end();
    },
  };
};

/** The channel, with a second who hears of its end. */
const watched = (channel: Channel, onGone: () => void): Channel => ({
  ...channel,
  onClose: (hear) =>
    channel.onClose((reason) => {
      onGone();
      hear(reason);
    }),
});
