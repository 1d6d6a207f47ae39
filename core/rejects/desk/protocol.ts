// Owns what the engine's main thread and its desk say to each other: plain data, no behaviour.

import type { CarriedError } from '../../carried-error.ts';
import type { WORK } from './work.ts';

type Work = typeof WORK;

/** The name of a task. */
export type TaskKind = keyof Work;
export type InputOf<Kind extends TaskKind> = Parameters<Work[Kind]>[0];
export type OutputOf<Kind extends TaskKind> = Awaited<ReturnType<Work[Kind]>>;

export type ToDesk =
  | { readonly taskId: number; readonly kind: TaskKind; readonly input: InputOf<TaskKind> }
  /** Nobody waits for a task any more: it is not begun. */
  | { readonly taskId: number; readonly kind: 'drop' };

export type FromDesk =
  | { readonly taskId: number; readonly output: unknown }
  | { readonly taskId: number; readonly fault: CarriedError }
  | { readonly taskId: number; readonly dropped: true };
