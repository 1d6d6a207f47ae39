// What other processes do on the same home reaches who listens: landings, rejects, compactions, settings, the list.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamPulse } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { post, removeTempFolders, type Server, startServer, strata } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;
let file: string;
const abort = new AbortController();
const heard: StreamPulse[] = [];
let wake = (): void => {};

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  await post(server.stream('lab', 'own'), '{"a":1}\n');
  file = join(server.home, 'three.ndjson');
  writeFileSync(file, '{"a":1}\n{"a":2}\n{"a":3}\n');
  void listen(await admin.live.pulses(undefined, { signal: abort.signal }));
});
afterAll(async () => {
  abort.abort();
  await server?.stop();
  removeTempFolders();
});

const listen = async (all: AsyncIterable<StreamPulse[]>): Promise<void> => {
  try {
    for await (const pulses of all) {
      heard.push(...pulses);
      wake();
    }
  } catch {
    // It is over.
  }
};

/** The first pulse like this from now on, once the command has run. */
const heardOf = async (
  words: readonly string[],
  isWanted: (pulse: StreamPulse) => boolean,
): Promise<StreamPulse> => {
  heard.length = 0;
  const { code, stderr } = await strata(server.home, words);
  if (code !== 0) throw new Error(stderr);
  for (;;) {
    const found = heard.find(isWanted);
    if (found) return found;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
};

/** How many rows of a stream the rates of the last minutes are made of. */
const counted = async (stream: string): Promise<number> => {
  const { rowsPerSecond, periodMs } = await admin.streams.rates({ knowledgebase: 'lab' });
  return (rowsPerSecond[stream] ?? []).reduce((sum, rate) => sum + (rate * periodMs) / 1_000, 0);
};

const of = (stream: string) => (pulse: StreamPulse) => pulse.stream === stream;
const ofLab = ({ knowledgebase, stream }: StreamPulse): boolean =>
  knowledgebase === 'lab' && stream === null;
const counts = {
  ...{ knowledgebase: 'lab', at: expect.any(String), batches: 0, rows: 0 },
  ...{ replayed: 0, rejected: 0, refused: 0, rejectsChanged: 0 },
};

test('landings, in the rates too', async () => {
  const before = await admin.streams.rates({ knowledgebase: 'lab' });
  expect(before.rowsPerSecond.other).toBeUndefined();
  const landed = await heardOf(['land', 'lab', 'other', file], ({ rows }) => rows > 0);
  expect(landed).toEqual({ ...counts, stream: 'other', batches: 1, rows: 3 });
  expect([await counted('other'), await counted('own')]).toEqual([3, 1]);
});

test('own landings beside them are not counted twice', async () => {
  for (let n = 0; n < 5; n += 1) await post(server.stream('lab', 'other'), '{"a":1}\n');
  writeFileSync(file, '{"a":4}\n{"a":5}\n');
  await heardOf(['land', 'lab', 'other', file], of('other'));
  await until('all are counted', async () => (await counted('other')) === 3 + 5 + 2);
  // The next look finds nothing more of it.
  await heardOf(['stream', 'create', 'lab', 'next'], of('next'));
  expect(await counted('other')).toBe(3 + 5 + 2);
});

test('rejects that change', async () => {
  const answer = await post(server.stream('lab', 'own'), 'x\n', { 'x-batch-id': 'bad' });
  expect(answer.status).toBe(400);
  // Else both may be told at once.
  await until('it is heard of', () => heard.some(({ rejected }) => rejected > 0));
  const discarded = await heardOf(
    ['rejects', 'discard', 'lab', 'own/bad'],
    ({ rejectsChanged }) => rejectsChanged > 0,
  );
  expect(discarded).toEqual({ ...counts, stream: 'own', rejectsChanged: 1 });
});

test('a compaction', async () => {
  const files = await heardOf(['compact', 'lab', 'other'], of('other'));
  expect(files.rows).toBe(0);
  await heardOf(['compact', 'undo', 'lab', 'other'], ofLab);
});

test('a new stream, a token, a promotion', async () => {
  await heardOf(['stream', 'create', 'lab', 'made'], of('made'));
  expect(await heardOf(['token', 'create', 'lab'], ofLab)).toEqual({ ...counts, stream: null });
  await heardOf(['promote', 'lab', 'other'], ofLab);
});

test('the list of knowledgebases', async () => {
  const isList = ({ knowledgebase }: StreamPulse): boolean => knowledgebase === null;
  await heardOf(['kb', 'create', 'second'], isList);
  const ids = (await admin.knowledgebases.list()).map(({ id }) => id);
  expect(ids).toEqual(['lab', 'second']);
  await heardOf(['kb', 'forget', 'second'], isList);
});
