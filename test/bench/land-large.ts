// Owns the bench of 1 MB POSTs, durable, against DuckDB's own COPY of the same bytes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Server } from '../helpers/server.ts';
import { median, type Result } from './measure.ts';
import { openProducer, readings } from './producer.ts';

const POSTS = 60;
const ROUNDS = 5;

/** Rounds of both alternate, so that noise of the machine meets both; each side's figure is its median round. */
export const landLarge = async (server: Server, atOnce: number): Promise<Result> => {
  const bodies = Array.from({ length: 8 }, (_, index) => readings(8_900, index * 8_900));
  const megabytes = (bodies[0] as Buffer).length / 1e6;
  const file = join(server.home, 'large.ndjson');
  writeFileSync(file, bodies[0] as Buffer);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const copy = async (): Promise<void> => {
    await connection.run(
      `COPY (FROM read_json('${file}')) TO '${join(server.home, 'large.parquet')}' (FORMAT parquet)`,
    );
  };
  const producer = await openProducer(server.stream('bench', `large-${atOnce}`), bodies, atOnce);
  await producer.send(30);
  for (let warm = 0; warm < 5; warm += 1) await copy();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let started = performance.now();
    await producer.send(POSTS);
    ours.push((POSTS * megabytes * 1_000) / (performance.now() - started));
    started = performance.now();
    for (let run = 0; run < 20; run += 1) await copy();
    theirs.push((20 * megabytes * 1_000) / (performance.now() - started));
  }
  producer.close();
  connection.closeSync();
  instance.closeSync();
  return {
    what: `1 MB POSTs, durable, ${atOnce} at once`,
    measured: `${median(ours).toFixed(1)} MB/s`,
    against: `${median(theirs).toFixed(1)} MB/s, COPY (FROM read_json(file)) TO parquet`,
    ratio: median(ours) / median(theirs),
    bar: 0.7,
    better: 'higher',
  };
};
