// Owns what the engine's main thread and its desk say to each other: plain data, no behaviour.

import type { ErrorCode } from '../../errors.ts';
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
  | { readonly taskId: number; readonly fault: DeskFault }
  | { readonly taskId: number; readonly dropped: true };

/** An error on its way. */
export interface DeskFault {
  readonly message: string;
  readonly stack: string | null;
  /** A foreseen one's; else null. */
  readonly app: {
    readonly code: ErrorCode;
    readonly hint: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  /** The system's code (`ENOENT`); null without one. */
  readonly errno: string | null;
}
