// Owns opening core for one command and closing it whatever happens. Never prints results.

import { jsonLog, withTail } from '../log.ts';
import { type Core, openCore } from '../open-core.ts';

/** The newest lines of this process's log. */
export const logTail = withTail((line) => process.stderr.write(line));

/** The engine's log of a command or of `serve`: warnings and errors, on stderr. */
export const stderrLog = jsonLog(logTail.write, 'warn');

/** Runs `work` with a core over `home` and closes it. */
export const withCore = async (
  options: { readonly home: string; readonly writing: boolean },
  work: (core: Core) => Promise<void> | void,
): Promise<void> => {
  const core = openCore({ ...options, log: stderrLog });
  try {
    await work(core);
  } finally {
    await core.close();
  }
};
