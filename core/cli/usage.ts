// Owns reading a command's words: options, positions, and what wrong use is.
// Never runs anything.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong use of the command line: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether an error is wrong use: ours, or that of node:util's parseArgs. */
export const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS');

const COMMON = { home: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

/** Reads a command's words. `positions` names those it takes: `[NAME]` may be left out, `NAME...` is one or more. */
export const readWords = <const T extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  positions: readonly string[],
  options: T,
) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { ...options, ...COMMON },
    allowPositionals: true,
  });
  const many = positions.at(-1)?.endsWith('...') ?? false;
  const few = positionals.length < positions.filter((name) => !name.startsWith('[')).length;
  if (few || (!many && positionals.length > positions.length)) {
    const wanted = positions.length === 0 ? 'no argument' : positions.join(' ');
    const given = few
      ? `${positions[positionals.length]} is missing`
      : `"${positionals[positions.length]}" is too much`;
    throw new UsageError(`${given}; the command takes ${wanted}.`);
  }
  return { values, positionals: positionals as [string, ...string[]] };
};

/** A port from an option. Throws UsageError unless it is 0 to 65535. */
export const portOf = (text: string | undefined, otherwise: number, option: string): number => {
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--${option} takes a port from 0 to 65535, not "${text}".`);
  }
  return port;
};

/** Seconds from an option, in ms. Throws UsageError unless it is a positive number. */
export const secondsOf = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new UsageError(`--${option} takes seconds, not "${text}".`);
  return seconds * 1_000;
};

/** Where knowledgebases live: --home, STRATA_HOME, or ~/Strata. */
export const homeOf = (option: string | undefined): string =>
  resolve(option ?? process.env.STRATA_HOME ?? join(homedir(), 'Strata'));
