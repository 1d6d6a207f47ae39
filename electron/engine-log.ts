// Owns where the engine of the app writes its log: a file of JSON lines, and the newest of them in memory.
// Never grows without end: at its limit the file is put aside, one old one is kept.

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EngineOptions } from '../core/index.ts';

const MOST_BYTES = 5_000_000;
const KEPT_LINES = 2_000;

/** A log into `file`. A disk that is full loses lines of it, never a batch. */
export const engineLog = (
  file: string,
): { log: EngineOptions['log']; lines: EngineOptions['logLines'] } => {
  let kept: string[] = [];
  let size = sizeOf(file);
  mkdirSync(dirname(file), { recursive: true });

  const write = (level: string, message: string, facts: object = {}): void => {
    const line = JSON.stringify({ at: new Date().toISOString(), level, message, ...facts });
    kept.push(line);
    if (kept.length > KEPT_LINES * 2) kept = kept.slice(-KEPT_LINES);
    try {
      if (size > MOST_BYTES) {
        renameSync(file, `${file}.old`);
        size = 0;
      }
      appendFileSync(file, `${line}\n`);
      size += Buffer.byteLength(line) + 1;
    } catch {
      // Nothing is left to tell it to; the lines in memory remain.
    }
  };
  return {
    log: {
      info: (message, facts) => write('info', message, facts),
      warn: (message, facts) => write('warn', message, facts),
      error: (error, facts) =>
        error instanceof Error
          ? write('error', error.message, { ...facts, stack: error.stack })
          : write('error', String(error), facts),
    },
    lines: (limit) => kept.slice(-limit),
  };
};

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
};
