// Owns the bench of a cold start: from spawning the server to its first accepted POST.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { post, startServer, strata, tempFolder } from '../helpers/server.ts';
import { median, type Result } from './measure.ts';
import { readings } from './producer.ts';

const ROUNDS = 9;
// What any program has to do that uses both: start Node, load and open DuckDB and SQLite.
const LEAST = `
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const { default: Database } = await import('better-sqlite3');
  const binding = process.env.STRATA_SQLITE_BINDING;
  const db = new Database(process.argv[1], binding ? { nativeBinding: binding } : {});
  const instance = await DuckDBInstance.create(process.argv[2]);
  const connection = await instance.connect();
  db.exec('CREATE TABLE IF NOT EXISTS t (a)');
  await connection.run('SELECT 1');
  connection.closeSync(); instance.closeSync(); db.close();
`;

/** Rounds of both alternate; each side's figure is its median. */
export const coldStart = async (root: string): Promise<Result> => {
  const ours: number[] = [];
  const theirs: number[] = [];
  const home = tempFolder();
  await strata(home, ['kb', 'create', 'cold']);
  const body = new Uint8Array(readings(100));
  for (let round = 0; round < ROUNDS; round += 1) {
    let started = performance.now();
    const server = await startServer({ home });
    const answer = await post(server.stream('cold', 'first'), body);
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    ours.push(performance.now() - started);
    await server.stop();
    started = performance.now();
    const files = [join(home, `least-${round}.sqlite`), join(home, `least-${round}.duckdb`)];
    const words = ['--input-type=module', '-e', LEAST, ...files];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    theirs.push(performance.now() - started);
  }
  return {
    what: 'cold start to first accepted POST',
    measured: `${median(ours).toFixed(0)} ms`,
    against: `${median(theirs).toFixed(0)} ms, node -e that opens DuckDB and SQLite`,
    ratio: median(ours) / median(theirs),
    bar: 3,
    better: 'lower',
  };
};
