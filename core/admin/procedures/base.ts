// Owns what every procedure has: the context it works on, and how its errors travel.
// Never implements one.

import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../contract.ts';
import { AppError } from '../../errors.ts';
import type { EngineStatus } from '../../model.ts';
import type { Core } from '../../open-core.ts';

/** What a procedure works on. */
export interface ProcedureContext {
  readonly core: Core;
  readonly status: () => EngineStatus;
}

/** The contract to be implemented; a handler may throw an AppError, which the caller sees with code and next step. */
export const os = implement(contract)
  .$context<ProcedureContext>()
  .use(async ({ context, next }) => {
    try {
      return await next();
    } catch (error) {
      throw shownError(error, context);
    }
  });

const shownError = (error: unknown, { core }: ProcedureContext): unknown => {
  if (error instanceof ORPCError) return error;
  if (error instanceof AppError) {
    const { code, status, message, hint, details } = error;
    return new ORPCError(code, { status, message, data: { hint, details } });
  }
  core.log.error(error, { part: 'procedure' });
  return new ORPCError('internal', {
    status: 500,
    message: 'Something went wrong inside Strata.',
    data: { hint: 'The log has the details.', details: {} },
  });
};
