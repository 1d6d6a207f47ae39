// Owns speaking the contract to a running server, as a face does.
// Never reaches into the server.

import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../core/contract.ts';
import type { StreamSummary } from '../../core/model.ts';
import type { Server } from './server.ts';

export type AdminClient = ContractRouterClient<typeof contract>;

/** A client of the server's admin address; `headers` beside or instead of the token. */
export const adminOf = (
  server: Pick<Server, 'adminUrl' | 'adminToken'>,
  headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${server.adminToken}`,
  },
): AdminClient =>
  createORPCClient(new RPCLink({ url: `${server.adminUrl}/rpc`, headers: { ...headers } }));

/** The stream as the server lists it; undefined when it does not. */
export const streamOf = async (
  admin: AdminClient,
  knowledgebase: string,
  stream: string,
): Promise<StreamSummary | undefined> =>
  (await admin.streams.list({ knowledgebase })).find((one) => one.stream === stream);

/** The first column of a query's rows. */
export const valuesOf = async (
  admin: AdminClient,
  knowledgebase: string,
  sql: string,
): Promise<(string | null)[]> =>
  (await admin.query.run({ knowledgebase, sql })).rows.map((row) => row[0] as string | null);

/** How many rows a stream's view has. */
export const rowsInView = async (
  admin: AdminClient,
  knowledgebase: string,
  stream: string,
): Promise<number> =>
  Number(
    (
      await valuesOf(admin, knowledgebase, `SELECT count(*) FROM raw_extracted."stream_${stream}"`)
    )[0],
  );
