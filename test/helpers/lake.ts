// Owns seeing the lake processes of a process, through /proc: on Linux alone.
// Never ends one.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forkLake } from '../../core/lake/apart/fork.ts';
import type { LakeKind } from '../../core/lake/apart/priority.ts';

/** Starts a lake process from what was built. */
export const startLake = (kind: LakeKind) =>
  forkLake(kind, pathToFileURL(join(process.cwd(), 'dist', 'lake-process.mjs')));

/** The lake processes of a process that run now. */
export const lakesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readText(`/proc/${pid}/task/${thread}/children`).split(' '))
    .map(Number)
    .filter((child) => child > 0 && isLake(child));

/** Whether a process is there and is a lake process. */
export const isLake = (pid: number): boolean =>
  readText(`/proc/${pid}/cmdline`).includes('lake-process');

/** Empty where the process or thread is gone. */
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
