// Owns carrying the contract over a MessagePort, straight from a window. Never knows whose window it is.

import { RPCHandler } from '@orpc/server/message-port';
import { type ProcedureContext, procedures } from './procedures/index.ts';

type Port = Parameters<RPCHandler<ProcedureContext>['upgrade']>[0];

/** Serves the contract over a port until it closes. */
export const carryOverPort = (port: Port, context: ProcedureContext): void =>
  new RPCHandler(procedures).upgrade(port, { context });
