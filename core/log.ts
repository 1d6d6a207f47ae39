// Owns the shape of the engine's log: one JSON document a line. Never holds data of a batch.

/** Where the engine writes what a support person needs. */
export interface Log {
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  /** An error that was not foreseen, with its stack. */
  error(error: unknown, facts?: Readonly<Record<string, unknown>>): void;
}

/** How many lines a tail keeps. */
const TAIL_LINES = 2_000;

/** A log that also keeps its newest lines, so that a person can read and copy them. */
export const withTail = (
  write: (line: string) => void,
): { write: (line: string) => void; lines: (limit: number) => string[] } => {
  let kept: string[] = [];
  return {
    write: (line) => {
      kept.push(line.trimEnd());
      if (kept.length > TAIL_LINES * 2) kept = kept.slice(-TAIL_LINES);
      write(line);
    },
    lines: (limit) => kept.slice(-limit),
  };
};

/** A log that hands each line to `write`, from `level` up. */
export const jsonLog = (
  write: (line: string) => void,
  level: 'info' | 'warn' | 'error' = 'info',
): Log => {
  const rank = { info: 0, warn: 1, error: 2 };
  const line = (at: keyof typeof rank, message: string, facts: object): void => {
    if (rank[at] < rank[level]) return;
    write(`${JSON.stringify({ at: new Date().toISOString(), level: at, message, ...facts })}\n`);
  };
  return {
    info: (message, facts = {}) => line('info', message, facts),
    warn: (message, facts = {}) => line('warn', message, facts),
    error: (error, facts = {}) =>
      error instanceof Error
        ? line('error', error.message, { ...facts, stack: error.stack, cause: causeOf(error) })
        : line('error', String(error), facts),
  };
};

const causeOf = (error: Error): string | undefined =>
  error.cause instanceof Error ? error.cause.stack : undefined;
