// Owns the token of the admin address: kept in the home, so that a page that was opened before a restart goes on after it.
// Never prints it, and never leaves it where another user of the machine could read it.

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createFile, errnoOf, removeQuietly } from '../durable.ts';
import type { Log } from '../log.ts';

/** A file that only its owner may read and write. */
const OWN_MODE = 0o600;

export interface AdminTokenOptions {
  /** The file that it is kept in. */
  readonly path: string;
  /** Whether the one that is there is to open nothing any more. */
  readonly renew: boolean;
  readonly log: Log;
}

/** The token: the one that is kept, or a new one of 192 random bits. Throws what the file system does. */
export const adminTokenOf = ({ path, renew, log }: AdminTokenOptions): string => {
  if (renew) removeQuietly(path);
  const kept = readKept(path);
  if (kept !== undefined && 'token' in kept) return kept.token;
  if (kept !== undefined) {
    log.warn(`${kept.fault} A new admin token was made; pages that are open need its address.`);
    removeQuietly(path);
  }
  const token = randomBytes(24).toString('base64url');
  // Another engine of this home may make one in the same moment: the first counts for both.
  if (createFile(path, `${token}\n`, OWN_MODE)) return token;
  const other = readKept(path);
  if (other && 'token' in other) return other.token;
  throw new Error(`${path} cannot be made.`);
};

const readKept = (path: string): { token: string } | { fault: string } | undefined => {
  let text: string;
  try {
    // Windows has no such modes: there a home lies in its owner's folder.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
      return { fault: `${path} could be read by others.` };
    }
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return /^[\w-]{32}$/.test(text) ? { token: text } : { fault: `${path} holds no token.` };
};
