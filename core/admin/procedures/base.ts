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
  if (error instanceof AppError) return carried(error);
  if (error instanceof ORPCError) {
    return error.code === 'BAD_REQUEST' ? carried(wrongInput(error.data)) : error;
  }
  core.log.error(error, { part: 'procedure' });
  return carried(new AppError('internal', 'Something went wrong inside Strata.'));
};

const carried = ({ code, status, message, hint, details }: AppError): unknown =>
  new ORPCError(code, { status, message, data: { hint, details } });

interface Issue {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** What the contract's validation found, in the catalogue's terms. */
const wrongInput = (data: unknown): AppError => {
  const { issues = [] } = (data ?? {}) as { issues?: readonly Issue[] };
  const found = issues.map(({ path = [], message }) => `${path.join('.') || 'input'}: ${message}.`);
  return new AppError('invalid_argument', ['The input cannot be used.', ...found].join(' '), {
    details: { issues },
  });
};
