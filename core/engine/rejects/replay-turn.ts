// Owns that one reject of a stream lands at a time, in this process and in all: whoever comes next finds what was done.
// Never lands one.

import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { StreamPaths } from '../../knowledgebase/paths.ts';
import { takeReplayLock, type WriterLock } from '../../knowledgebase/writer-lock.ts';

/** How long another process is waited for, and how often it is asked. */
const PATIENCE_MS = 10_000;
const ASK_MS = 20;

const waiting = new Map<string, Promise<unknown>>();

/**
 * Does the work when no other replay of the stream is under way. The lock is on disk and goes with whoever holds it.
 * Throws `replay_running` where another process does not end, `folder_not_writable`.
 */
export const inTurn = async <T>(
  paths: StreamPaths,
  purpose: string,
  work: () => Promise<T>,
): Promise<T> => {
  const mine = (waiting.get(paths.root) ?? Promise.resolve()).then(() =>
    locked(paths, purpose, work),
  );
  const quiet = mine.catch(() => {});
  waiting.set(paths.root, quiet);
  try {
    return await mine;
  } finally {
    if (waiting.get(paths.root) === quiet) waiting.delete(paths.root);
  }
};

const locked = async <T>(
  paths: StreamPaths,
  purpose: string,
  work: () => Promise<T>,
): Promise<T> => {
  const lock = await take(paths, purpose);
  try {
    return await work();
  } finally {
    lock.release();
  }
};

const take = async (paths: StreamPaths, purpose: string): Promise<WriterLock> => {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; ) {
    try {
      return takeReplayLock(paths, purpose);
    } catch (error) {
      const isHeld = error instanceof AppError && error.code === 'replay_running';
      if (!isHeld || Date.now() > giveUpAt) throw error;
      await pause(ASK_MS);
    }
  }
};
