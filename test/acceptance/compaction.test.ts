// Owns the soak of compaction: batches land, three readers of the server and two foreign programs count in loops, while
// the stream is compacted, undone, its originals removed, and the server stopped or killed, over and over.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompactionRun, Job, Proof } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { randomOf } from '../helpers/crash-batches.ts';
import { type ForeignClient, startCounting } from '../helpers/foreign-client.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const LONG = process.env.STRATA_TEST_LONG === '1';
const SOAK_MS = LONG ? 600_000 : 8_000;
const KILLS = LONG ? 60 : 5;
const PATIENCE_MS = SOAK_MS + (LONG ? 600_000 : 300_000);
const ROWS = 3;

const seed = Number(process.env.STRATA_TEST_SEED ?? Date.now() % 1_000_000);
const random = randomOf(seed);
const home = tempFolder();
const root = join(home, 'k');
const stream = { knowledgebase: 'k', stream: 's' };
let server: Server;
let admin: AdminClient;

/** When each batch was sent and answered; a batch whose answer was lost may have landed all the same. */
const sent: { id: string; sentAt: number; answeredAt: number | undefined }[] = [];
const done = { compactions: 0, undos: 0, removals: 0, waits: 0, heldMs: [] as number[] };

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'k']);
  server = await startServer({ home });
  admin = adminOf(server);
  for (let first = 0; first < 3; first += 1) await landOne();
  await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
});

afterAll(async () => {
  await server.kill();
  removeTempFolders();
  const held = [...done.heldMs].sort((one, other) => one - other);
  console.log(
    `${sent.length} batches, ${done.compactions} compactions, ${done.undos} undos, ${done.removals} removals; ` +
      `held ${held[0]} to ${held.at(-1)} ms, middle ${held[held.length >> 1]} ms; seed ${seed}`,
  );
});

const bodyOf = (id: string): string =>
  Array.from({ length: ROWS }, (_, line) =>
    JSON.stringify({ u: id, [`c${line % 2}`]: line === 1 ? null : `${id}-${line}` }),
  ).join('\n');

const landOne = async (): Promise<void> => {
  const one = {
    id: `b${sent.length}`,
    sentAt: Date.now(),
    answeredAt: undefined as number | undefined,
  };
  sent.push(one);
  await sendOne(one);
};

const sendOne = async (one: (typeof sent)[number]): Promise<void> => {
  const headers = { 'idempotency-key': one.id };
  const response = await post(server.stream('k', 's'), bodyOf(one.id), headers).catch(
    () => undefined,
  );
  if (!response) return;
  const document = (await response.json().catch(() => ({}))) as { rows?: number };
  if (response.status === 200 && document.rows === ROWS) one.answeredAt ??= Date.now();
  else if (response.status !== 503)
    throw new Error(`answered ${response.status} ${JSON.stringify(document)}`);
};

interface Count {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly count: number;
}

/** What is wrong with counts: each has at least what was answered before it began, at most what was sent before it ended. */
const wrongWith = (counts: readonly Count[]): string[] =>
  counts.flatMap(({ startedAt, endedAt, count }) => {
    const least =
      ROWS * sent.filter(({ answeredAt }) => (answeredAt ?? Infinity) < startedAt).length;
    const most = ROWS * sent.filter(({ sentAt }) => sentAt <= endedAt).length;
    if (count % ROWS !== 0) return [`${count} is torn`];
    if (count < least) return [`${least} rows were answered, counted ${count}`];
    return count > most ? [`${most} rows were sent, counted ${count}`] : [];
  });

const SQL = 'SELECT count(*), count(DISTINCT (_batch_id, _line)) FROM raw_extracted.stream_s';

/** A reader of the server's: a query, or a page by place. */
const readInApp = async (
  how: 'query' | 'rows',
  stop: () => boolean,
  counts: Count[] = [],
): Promise<void> => {
  while (!stop()) {
    const startedAt = Date.now();
    if (how === 'query') {
      const { rows } = await admin.query.run({ knowledgebase: 'k', sql: SQL });
      const [count, distinct] = (rows[0] ?? []).map(Number);
      counts.push({ startedAt, endedAt: Date.now(), count: count as number });
      if (count !== distinct) throw new Error(`${count} rows, ${distinct} of them distinct`);
    } else {
      const total = (await admin.streams.get(stream)).rows;
      const offset = Math.max(0, random.below(total) - 60);
      const page = await admin.streams.rows({ ...stream, offset, limit: 60 });
      for (const { row, batchId, line, values } of page.rows) {
        const text = line === 2 ? null : `${batchId}-${line - 1}`;
        const own = page.columns.indexOf(line === 2 ? 'c1' : 'c0');
        if (values[own] !== text) throw new Error(`Row ${row} is ${JSON.stringify(values)}`);
      }
    }
    await moment(5);
  }
};

const ended = async (job: Job): Promise<Job> => {
  const said: string[] = [];
  const now = async (): Promise<Job | false> => {
    const one = (await admin.jobs.list()).find(({ id }) => id === job.id) as Job;
    if (one.words?.startsWith('Waiting')) done.waits += 1;
    const words = `${one.words} ${one.done} of ${one.total}`;
    if (said.at(-1) !== words) said.push(words);
    return one.state !== 'running' && one;
  };
  return until(`${job.title} has ended`, now, SOAK_MS + 90_000).catch((error: Error) => {
    throw new Error(`${error.message}; it said: ${said.slice(-12).join(' | ')}`);
  });
};

const compactOnce = async (): Promise<void> => {
  const job = await ended(await admin.compaction.start(stream));
  expect([job.state, job.fault]).toEqual(['done', null]);
  done.compactions += 1;
  done.heldMs.push((job.result as unknown as CompactionRun).heldMs as number);
};

/** What a person may do with compaction, in turn. */
const act = async (): Promise<void> => {
  const turn = random.below(10);
  if (turn < 6) return compactOnce();
  const [newest] = await admin.compaction.runs({ ...stream, limit: 1 });
  if (!newest?.undoable) return compactOnce();
  if (turn < 9) {
    const job = await ended(await admin.compaction.undo(stream));
    expect([job.state, job.fault]).toEqual(['done', null]);
    done.undos += 1;
    return;
  }
  const left = await admin.compaction
    .removeOriginals({ ...stream, run: newest.run })
    .catch((error: Error) => {
      // Queries of many files that follow each other; they are kept, and that is said.
      if (/^Queries are still running\. The originals are kept\./.test(error.message)) return;
      throw error;
    });
  if (!left) return;
  expect(left.runs.map(({ run }) => run)).not.toContain(newest.run);
  done.removals += 1;
};

const verifyHolds = async (): Promise<void> => {
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
    true,
    [],
  ]);
};

/** Every batch once, every value as sent, whoever looks: through kb.duckdb, as another program. */
const expectEverything = async (): Promise<void> => {
  const reader = await until('kb.duckdb can be opened', () =>
    openForeignReader(root).catch(() => undefined),
  );
  const { rows } = await reader.read(
    'SELECT u, c0, c1, _batch_id, _line FROM raw_extracted.stream_s ORDER BY _batch_id, _line',
  );
  reader.close();
  const there = rows.map((row) => row.map((value) => (value === null ? null : String(value))));
  const expected = sent
    .filter(({ answeredAt }) => answeredAt !== undefined)
    .map(({ id }) => id)
    .sort()
    .flatMap((id) => [
      [id, `${id}-0`, null, id, '1'],
      [id, null, null, id, '2'],
      [id, `${id}-2`, null, id, '3'],
    ]);
  expect(there).toEqual(expected);
};

describe('a stream that is compacted all the time', () => {
  it('every reader counts right, at every moment', { timeout: PATIENCE_MS }, async () => {
    const foreign: ForeignClient[] = [
      startCounting('count', root, 's', 30),
      startCounting('count', root, 's', 90),
    ];
    const counts: Count[] = [];
    const countedOutside = (): number =>
      foreign.reduce((sum, client) => sum + client.counts().length, 0);
    const endAt = Date.now() + SOAK_MS;
    const isOver = (): boolean => Date.now() > endAt && counts.length > 10 && countedOutside() > 10;
    const producer = async (): Promise<void> => {
      while (!isOver()) {
        await landOne();
        await moment(15);
      }
    };
    // Also in the middle of a swap, which waits for a moment in which neither of them has the file.
    const leaving = async (): Promise<void> => {
      await until('the soak is over', isOver, PATIENCE_MS);
      for (const client of foreign) await client.stop();
    };
    const left = leaving();
    const actor = async (): Promise<void> => {
      while (!isOver()) await act();
      // Nobody is in the way any more: however busy the machine is, each of them has been done once.
      await left;
      while (done.compactions < 3 || done.undos + done.removals === 0) {
        for (let more = 0; more < 3; more += 1) await landOne();
        await act();
      }
    };
    await Promise.all([
      ...[producer(), producer(), actor(), left, readInApp('rows', isOver)],
      ...[readInApp('query', isOver, counts), readInApp('query', isOver, counts)],
    ]);
    expect(wrongWith(counts)).toEqual([]);
    for (const client of foreign) {
      expect(wrongWith(client.counts())).toEqual([]);
      // What a program is told that opens the file during a swap, and nothing else.
      const other = client
        .errors()
        .filter((message) => !/Could not set lock on file/.test(message));
      expect(other).toEqual([]);
    }
    expect(sent.filter(({ answeredAt }) => answeredAt === undefined)).toEqual([]);
    await expectEverything();
    await verifyHolds();
    expect(server.stderr()).toBe('');
  });

  it('and the server killed at random moments', { timeout: PATIENCE_MS }, async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const client = startCounting('count', root, 's', 40);
      let isGone = false;
      const producer = async (): Promise<void> => {
        while (!isGone) {
          await landOne();
          await moment(5);
        }
      };
      const actor = async (): Promise<void> => {
        while (!isGone) await act().catch(() => {});
      };
      const working = Promise.all([producer(), producer(), actor()]);
      await moment(200 + random.below(900));
      isGone = true;
      await server.kill();
      await working;
      // Before anything is started again, another program sees what was answered.
      const counted = client.counts().length;
      await until(
        'the client has counted since',
        () => client.counts().length > counted + 1,
        PATIENCE_MS,
      );
      await client.stop();
      expect(wrongWith(client.counts())).toEqual([]);
      server = await startServer({ home });
      admin = adminOf(server);
      for (const unanswered of sent.filter(({ answeredAt }) => answeredAt === undefined)) {
        await sendOne(unanswered);
      }
      if (LONG || round === KILLS - 1) await verifyHolds();
    }
    await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
    await expectEverything();
    const folder = join(root, 'strata', 'streams', 's');
    expect(readdirSync(join(folder, '_tmp'))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([
      '_tmp',
      'data',
      'failed',
      'processed',
      'rejects',
      'stream.json',
    ]);
  });
});
