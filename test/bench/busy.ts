// Owns the bench of landing while the machine is busy: 100-row POSTs at 50 a second, quiet, then beside a compaction and
// a query over ten million rows, over and over. Never measures throughput.

import { adminOf } from '../helpers/admin.ts';
import type { Server } from '../helpers/server.ts';
import { compactStream, undoStream } from './compaction.ts';
import { percentile, type Result } from './measure.ts';
import { readings, sendAll, sendAtRate } from './producer.ts';

const RATE = 50;
const SECONDS = 40;
/** 1,200 POSTs of 8,400 rows are ten million; 10,000 of 100 rows are what is compacted meanwhile. */
const LARGE_POSTS = 1_200;
const LARGE_ROWS = 8_400;
const SMALL_POSTS = 10_000;

/** The p99 of a POST beside both, against the quiet one. */
export const busy = async (server: Server): Promise<Result> => {
  const admin = adminOf(server);
  const large = Array.from({ length: 4 }, (_, at) => readings(LARGE_ROWS, at * LARGE_ROWS));
  await sendAll(server.stream('bench', 'ten-million'), large, LARGE_POSTS, 4);
  const small = Array.from({ length: 64 }, (_, at) => readings(100, at * 100));
  await sendAll(server.stream('bench', 'to-compact'), small, SMALL_POSTS, 16);
  await admin.knowledgebases.syncViews({ knowledgebase: 'bench' });
  const address = server.stream('bench', 'steady');
  const post = (seconds: number) => sendAtRate(address, small, RATE, RATE * seconds);
  await post(5);
  const quiet = percentile(await post(SECONDS), 99);

  let isOver = false;
  let compactions = 0;
  let queries = 0;
  const sql =
    'SELECT sensor_id, count(*), avg(reading_celsius::DOUBLE) FROM raw_extracted."stream_ten-million" GROUP BY 1';
  const querying = async (): Promise<void> => {
    while (!isOver) {
      await admin.query.run({ knowledgebase: 'bench', sql, timeoutMs: 600_000 });
      queries += 1;
    }
  };
  const compacting = async (): Promise<void> => {
    while (!isOver) {
      await compactStream(admin, 'to-compact');
      compactions += 1;
      await undoStream(admin, 'to-compact');
    }
  };
  const others = Promise.all([querying(), compacting()]);
  const loaded = percentile(await post(SECONDS), 99);
  isOver = true;
  await others;
  process.stderr.write(`${compactions} compactions with undo, ${queries} queries\n`);
  return {
    what: 'p99 of a 100-row POST at 50/s beside a compaction and a ten-million-row query',
    measured: `${loaded.toFixed(1)} ms`,
    against: `${quiet.toFixed(1)} ms, quiet`,
    ratio: loaded / quiet,
    bar: 5,
    better: 'lower',
  };
};
