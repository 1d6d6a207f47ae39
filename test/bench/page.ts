// Owns the bench of a page of 100 rows anywhere in ten million: at the first row, and at the last hundred.

import { adminOf } from '../helpers/admin.ts';
import type { Server } from '../helpers/server.ts';
import { median, type Result } from './measure.ts';
import { openProducer, readings } from './producer.ts';

const ROWS = 10_000_000;
/** About 1 MB. */
const BODY_ROWS = 8_900;
const AT_ONCE = 4;
const ROUNDS = 25;
const MOST_MS = 100;

const send = async (
  url: string,
  bodies: readonly Buffer[],
  atOnce: number,
  count: number,
): Promise<void> => {
  const producer = await openProducer(url, bodies, atOnce);
  await producer.send(count);
  producer.close();
};

/** Lands ten million rows as producers do, then asks for pages as the window does; the places take turns. */
export const page = async (server: Server): Promise<Result[]> => {
  const whole = Math.floor(ROWS / BODY_ROWS);
  const bodies = Array.from({ length: 8 }, (_, at) => readings(BODY_ROWS, at * BODY_ROWS));
  const last = readings(ROWS - whole * BODY_ROWS);
  const url = server.stream('bench', 'ten-million');
  await send(url, bodies, AT_ONCE, whole);
  await send(url, [last], 1, 1);
  const admin = adminOf(server);
  const places = [0, ROWS - 100].map((offset) => ({ offset, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { offset, times } of places) {
      const started = performance.now();
      const { rows, total } = await admin.streams.rows({
        ...{ knowledgebase: 'bench', stream: 'ten-million', offset, limit: 100, before: ROWS },
      });
      times.push(performance.now() - started);
      if (rows.length !== 100 || rows[0]?.row !== offset || total !== ROWS) {
        throw new Error(`${rows.length} rows from ${rows[0]?.row}, of ${total}`);
      }
    }
  }
  return places.map(({ offset, times }) => ({
    what: `page of 100 rows at row ${offset.toLocaleString('en-US')} of ten million`,
    measured: `${median(times).toFixed(1)} ms, the slowest ${Math.max(...times).toFixed(1)} ms`,
    against: `${MOST_MS} ms`,
    ratio: median(times) / MOST_MS,
    bar: 1,
    better: 'lower',
  }));
};
