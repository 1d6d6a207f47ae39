// Owns the only import of pg: one connection for one piece of work.
// Never keeps a connection that nobody uses, and never lets a password into a message.

import type { Client } from 'pg';
import { AppError } from '../../errors.ts';
import { shownAddress, withoutSecrets } from '../../knowledgebase/store-address.ts';
import { messageOf } from '../../lake/duckdb.ts';

export type PostgresClient = Client;

const CONNECT_MS = 5_000;
const ANSWER_MS = 20_000;

/** An open connection. A password that is not in the URL comes from PGPASSWORD or ~/.pgpass, as with psql. */
export const connectPostgres = async (url: string): Promise<PostgresClient> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS },
    ...{ application_name: 'strata', keepAlive: true },
  });
  // A connection that is lost while nothing is asked of it is noticed by the next question.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(url, error);
  }
  return client;
};

/** Runs `work` on a connection of its own. Errors that are not AppErrors become `model_store_unreachable`. */
export const withPostgres = async <T>(
  url: string,
  work: (client: PostgresClient) => Promise<T>,
): Promise<T> => {
  const client = await connectPostgres(url);
  try {
    return await work(client);
  } catch (error) {
    throw unreachable(url, error);
  } finally {
    await closePostgres(client);
  }
};

/** Closes a connection; one that is lost is closed already. */
export const closePostgres = async (client: PostgresClient): Promise<void> => {
  await client.end().catch(() => {});
};

/** An error of the store as a person is told of it; an AppError as it is. */
export const unreachable = (
  url: string,
  error: unknown,
  details: Readonly<Record<string, unknown>> = {},
): AppError => {
  if (error instanceof AppError) return error;
  const reason = withoutSecrets(reasonOf(error), url).split('\n', 1)[0];
  // Its cause is left out: what pg throws holds the whole connection, password and all.
  return new AppError(
    'model_store_unreachable',
    `The model store at ${shownAddress(url)}: ${reason}.`,
    {
      details,
    },
  );
};

/** Node tries each address of a name; what they all say is in the errors inside. */
const reasonOf = (error: unknown): string => {
  const [first] = (error as { errors?: unknown[] }).errors ?? [];
  return (messageOf(error) || messageOf(first)).replace(/\.$/, '') || 'it does not answer';
};
