// Owns the model store in PostgreSQL: a model that several apps share, each with a knowledgebase of its own.
// Never keeps a lock past its connection: the server frees it when that is lost.

import { shownAddress } from '../../knowledgebase/store-address.ts';
import type { ModelVersion, VersionSummary } from '../../model.ts';
import {
  closePostgres,
  connectPostgres,
  type PostgresClient,
  unreachable,
  withPostgres,
} from './postgres-client.ts';
import { isOutdated, isRunning, type ModelStore, type RunHolder, type RunLock } from './store.ts';

/** First of the two numbers of Strata's advisory locks; the second is the model's. */
const LOCKS = { schema: 0x57a7a0, run: 0x57a7a1, append: 0x57a7a2 } as const;

const SCHEMA = `
CREATE SCHEMA IF NOT EXISTS strata;
CREATE TABLE IF NOT EXISTS strata.model_versions (
  model text NOT NULL,
  version integer NOT NULL,
  summary text NOT NULL,
  document text NOT NULL,
  PRIMARY KEY (model, version)
);
CREATE TABLE IF NOT EXISTS strata.running_promotions (model text PRIMARY KEY, holder text NOT NULL);
`;

/** The store at a URL, for the model with this name. Nothing is connected before its first use. */
export const postgresStore = (url: string, model: string): ModelStore => {
  let isReady = false;

  const ready = async (client: PostgresClient): Promise<void> => {
    if (isReady) return;
    // Two apps may make the schema at once; IF NOT EXISTS alone does not keep them apart.
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS.schema]);
    await client.query(SCHEMA);
    await client.query('COMMIT');
    isReady = true;
  };

  const ask = <T>(work: (client: PostgresClient) => Promise<T>): Promise<T> =>
    withPostgres(url, async (client) => {
      await ready(client);
      return work(client);
    });

  const read = (condition: string, values: readonly unknown[]): Promise<ModelVersion | undefined> =>
    ask(async (client) => {
      const { rows } = await client.query<{ document: string }>(
        `SELECT document FROM strata.model_versions WHERE model = $1 ${condition}`,
        [model, ...values],
      );
      return rows[0] && (JSON.parse(rows[0].document) as ModelVersion);
    });

  const status: ModelStore['status'] = async () => {
    const base = { kind: 'postgres', address: shownAddress(url), model } as const;
    try {
      await ask(async (client) => client.query('SELECT 1'));
      return { ...base, fault: null };
    } catch (error) {
      return { ...base, fault: unreachable(url, error).message };
    }
  };

  return {
    kind: 'postgres',
    status,
    versions: () =>
      ask(async (client) => {
        const { rows } = await client.query<{ summary: string }>(
          'SELECT summary FROM strata.model_versions WHERE model = $1 ORDER BY version DESC',
          [model],
        );
        return rows.map(({ summary }) => JSON.parse(summary) as VersionSummary);
      }),
    version: (version) => read('AND version = $2', [version]),
    current: () => read('ORDER BY version DESC LIMIT 1', []),
    append: async (version) => {
      const lost = await ask((client) => insert(client, model, version));
      if (lost === null) return;
      // The answer to COMMIT did not come. The store knows whether it was carried out.
      const kept = await read('AND version = $2', [version.version]).catch(() => null);
      if (kept && kept.at === version.at && kept.promotion === version.promotion) return;
      throw kept === null
        ? unreachable(
            url,
            new Error(`${lost}; whether v${version.version} was recorded is not known`),
            {
              recorded: null,
            },
          )
        : unreachable(url, new Error(lost), { recorded: false });
    },
    lock: (holder) => lock(url, model, holder, ready),
    close: async () => {},
  };
};

/** Inserts in one transaction. Null when it is in; what happened when the connection was lost at COMMIT. */
const insert = async (
  client: PostgresClient,
  model: string,
  version: ModelVersion,
): Promise<string | null> => {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCKS.append, model]);
  const { rows } = await client.query<{ newest: number | null }>(
    'SELECT max(version) AS newest FROM strata.model_versions WHERE model = $1',
    [model],
  );
  const newest = rows[0]?.newest ?? 0;
  if (newest !== version.version - 1) {
    await client.query('ROLLBACK');
    throw isOutdated(newest);
  }
  const { model: _, ...summary } = version;
  await client.query(
    'INSERT INTO strata.model_versions (model, version, summary, document) VALUES ($1, $2, $3, $4)',
    [model, version.version, JSON.stringify(summary), JSON.stringify(version)],
  );
  try {
    await client.query('COMMIT');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** An advisory lock of the session, and who holds it, in a row for others to read. */
const lock = async (
  url: string,
  model: string,
  holder: RunHolder,
  ready: (client: PostgresClient) => Promise<void>,
): Promise<RunLock> => {
  const client = await connectPostgres(url);
  try {
    await ready(client);
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
      [LOCKS.run, model],
    );
    if (!rows[0]?.taken) throw isRunning(await holderOf(client, model));
    await client.query(
      `INSERT INTO strata.running_promotions (model, holder) VALUES ($1, $2)
       ON CONFLICT (model) DO UPDATE SET holder = excluded.holder`,
      [model, JSON.stringify(holder)],
    );
  } catch (error) {
    await closePostgres(client);
    throw unreachable(url, error);
  }
  return {
    release: async () => {
      // Where the connection is lost the server has freed the lock; the row only names whoever holds it.
      await client
        .query('DELETE FROM strata.running_promotions WHERE model = $1', [model])
        .catch(() => {});
      await closePostgres(client);
    },
  };
};

const holderOf = async (client: PostgresClient, model: string): Promise<RunHolder | null> => {
  const { rows } = await client.query<{ holder: string }>(
    'SELECT holder FROM strata.running_promotions WHERE model = $1',
    [model],
  );
  return rows[0] ? (JSON.parse(rows[0].holder) as RunHolder) : null;
};
