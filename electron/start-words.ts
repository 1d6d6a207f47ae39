// Owns the words that the app can be started with: --home DIR, --host H, --port N, --user-data-dir DIR.
// Never fails on others: Chromium has many of its own.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isHost, isPort } from './ipc.ts';

const DEFAULT_PORT = 7423;
const DEFAULT_HOST = '127.0.0.1';

/** What was said at the start; a choice made here goes before the settings, and is not kept. */
export interface StartWords {
  readonly home: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly userData: string | undefined;
}

/** Reads the words after the program's name. */
export const readStartWords = (words: readonly string[]): StartWords => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      home: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      'user-data-dir': { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
  });
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const port = text(values.port);
  return {
    home: text(values.home),
    host: isHost(values.host) ? values.host : undefined,
    port: port !== undefined && isPort(Number(port)) ? Number(port) : undefined,
    userData: text(values['user-data-dir']),
  };
};

/** Where knowledgebases live: --home, STRATA_HOME, the settings, or ~/Strata, as for the command line. */
export const homeOf = (said: StartWords, kept: string | null): string =>
  resolve(said.home ?? process.env.STRATA_HOME ?? kept ?? join(homedir(), 'Strata'));

/** The listener's port: --port, the settings, or the default. */
export const portOf = (said: StartWords, kept: number | null): number =>
  said.port ?? kept ?? DEFAULT_PORT;

/** The listener's address: --host, the settings, or this machine alone. */
export const hostOf = (said: StartWords, kept: string | null): string =>
  said.host ?? kept ?? DEFAULT_HOST;
