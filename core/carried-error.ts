// Owns an error on its way from one thread or process to another: plain data, and the error again.
// Never decides what an error means.

import { errnoOf } from './durable.ts';
import { AppError, type ErrorCode } from './errors.ts';

/** An error as it travels. */
export interface CarriedError {
  readonly message: string;
  readonly stack: string | null;
  /** A foreseen one's; else null. */
  readonly app: {
    readonly code: ErrorCode;
    readonly hint: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  /** The system's code (`ENOSPC`); null without one. */
  readonly errno: string | null;
}

export const carriedOf = (error: unknown): CarriedError => {
  if (error instanceof AppError) {
    const { message, stack, code, hint, details } = error;
    return { message, stack: stack ?? null, app: { code, hint, details }, errno: null };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack: stack ?? null, app: null, errno: errnoOf(error) ?? null };
};

/** The error again; a bug keeps the stack of where it was thrown. */
export const errorFrom = ({ message, stack, app, errno }: CarriedError): Error => {
  if (app) return new AppError(app.code, message, { hint: app.hint, details: app.details });
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return errno === null ? error : Object.assign(error, { code: errno });
};
