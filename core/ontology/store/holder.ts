// Owns saying who runs a promotion. Never takes a lock.

import { hostname } from 'node:os';
import type { RunHolder } from './store.ts';

/** This process, as another one will be told. */
export const holderOf = (stream: string, by: string): RunHolder => ({
  ...{ stream, by, host: hostname(), pid: process.pid, since: new Date().toISOString() },
});
