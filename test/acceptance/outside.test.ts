// Owns the proof that another program with DuckDB reads kb.duckdb rightly at any moment while batches land.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import { type ForeignClient, startCounting, startHolding } from '../helpers/foreign-client.ts';
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

const ROWS = 7;
const BODY = '{"a":"1.10","b":[1,2]}\n'.repeat(ROWS);

const home = tempFolder();
const root = join(home, 'k');
let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'k']);
  server = await startServer({ home });
  admin = adminOf(server);
});

afterAll(async () => {
  expect(server.stderr()).toBe('');
  expect(await server.stop()).toBe(0);
  removeTempFolders();
});

const postTo = async (stream: string): Promise<void> => {
  const response = await post(server.stream('k', stream), BODY);
  expect([response.status, (await response.json()).rows]).toEqual([200, ROWS]);
};

/** Batches to one stream, with the moment before each was sent and the moment after each was answered. */
const lander = (stream: string) => {
  const sentAt: number[] = [];
  const answeredAt: number[] = [];
  const land = async (): Promise<void> => {
    sentAt.push(Date.now());
    await postTo(stream);
    answeredAt.push(Date.now());
  };
  const rows = (moments: readonly number[], isBefore: (moment: number) => boolean): number =>
    ROWS * moments.filter(isBefore).length;
  /** What is wrong with the counts of a foreign client. */
  const wrongWith = ({ counts }: ForeignClient): string[] => {
    const wrong: string[] = [];
    let last = 0;
    for (const { count, startedAt, endedAt } of counts()) {
      const least = rows(answeredAt, (moment) => moment < startedAt);
      const most = rows(sentAt, (moment) => moment <= endedAt);
      if (count % ROWS !== 0) wrong.push(`${count} is torn`);
      if (count < last) wrong.push(`${last} fell to ${count}`);
      if (count < least) wrong.push(`${least} rows were acknowledged, counted ${count}`);
      if (count > most) wrong.push(`${most} rows were sent, counted ${count}`);
      last = count;
    }
    return wrong;
  };
  return { land, wrongWith, landed: () => answeredAt.length };
};

const COUNTS = 60;
const BATCHES_A_COUNT = 6;
const BATCHES = 280;

/** Lands batches, four at a time and at most a few for each count of the client, until there were enough of both. */
const landWhileCounting = async (
  land: () => Promise<void>,
  landed: () => number,
  { counts }: ForeignClient,
): Promise<void> => {
  const counted = (): number => counts().length;
  const producer = async (): Promise<void> => {
    while (counted() < COUNTS || landed() < BATCHES) {
      await until('the client goes on counting', () => counted() * BATCHES_A_COUNT >= landed());
      await land();
    }
  };
  await Promise.all([producer(), producer(), producer(), producer()]);
};

/** Waits without opening the file: that would be one more program in the way. */
const viewsAreMade = async (): Promise<void> => {
  await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
  await until(
    'no view is waiting',
    async () => (await admin.engine.status()).waiting.length === 0,
    30_000,
  );
};

const viewsOutside = async (): Promise<unknown[]> => {
  const reader = await until('kb.duckdb can be opened', () =>
    openForeignReader(root).catch(() => undefined),
  );
  const { rows } = await reader.read(
    "SELECT view_name FROM duckdb_views() WHERE schema_name = 'raw_extracted' ORDER BY 1",
  );
  reader.close();
  return rows.flat();
};

const LOCKED = /Could not set lock on file/;

describe('a foreign reader', () => {
  it('that opens and closes the file for each query', { timeout: 240_000 }, async () => {
    const { land, landed, wrongWith } = lander('opened');
    await land();
    await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
    const client = startCounting('count', root, 'opened');
    onTestFinished(client.stop);
    let fresh = 0;
    let sent = 0;
    const landOnBoth = async (): Promise<void> => {
      sent += 1;
      const number = sent;
      await land();
      // A new stream's view is made while the client reads.
      if (number % 40 === 0) {
        fresh += 1;
        await postTo(`new_${fresh}`);
      }
    };
    await landWhileCounting(landOnBoth, landed, client);
    await client.stop();
    expect(wrongWith(client)).toEqual([]);
    expect(client.errors().filter((message) => !LOCKED.test(message))).toEqual([]);
    expect(fresh).toBeGreaterThan(5);
    expect(await rowsInView(admin, 'k', 'opened')).toBe(ROWS * landed());
    const names = Array.from({ length: fresh }, (_, n) => `stream_new_${n + 1}`);
    await viewsAreMade();
    const views = await viewsOutside();
    expect(names.filter((name) => !views.includes(name))).toEqual([]);
  });

  it('that keeps the file open', { timeout: 240_000 }, async () => {
    const { land, landed, wrongWith } = lander('kept');
    await land();
    await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
    const client = startCounting('keep', root, 'kept');
    onTestFinished(client.stop);
    await until('the client has counted', () => client.counts().length > 0);
    await postTo('while_kept');
    await landWhileCounting(land, landed, client);
    await client.stop();
    expect(wrongWith(client)).toEqual([]);
    expect(client.errors()).toEqual([]);
    expect(await rowsInView(admin, 'k', 'kept')).toBe(ROWS * landed());
    await viewsAreMade();
    expect(await viewsOutside()).toContain('stream_while_kept');
  });

  it('reads each row as it was sent, with its batch and line', async () => {
    const response = await post(server.stream('k', 'rows'), '{"a":1.10}\n{"a":null,"B":"x"}\n');
    const { batch_id: batchId } = (await response.json()) as { batch_id: string };
    await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
    const reader = await openForeignReader(root);
    const { columns, rows } = await reader.read('SELECT * FROM raw_extracted.stream_rows');
    reader.close();
    const file = join(root, 'strata', 'streams', 'rows', 'data', `${batchId}.parquet`);
    expect({
      columns,
      rows: rows.map((row) => row.map((value) => value ?? null)).map(texts),
    }).toEqual({
      columns: ['a', 'B', '_batch_id', '_line', 'filename'],
      rows: [
        ['1.10', null, batchId, '1', file],
        [null, 'x', batchId, '2', file],
      ],
    });
  });
});

const texts = (row: readonly unknown[]): (string | null)[] =>
  row.map((value) => (value === null ? null : String(value)));

describe('nobody', () => {
  it('holds the file while nothing happens', async () => {
    await viewsAreMade();
    const holder = await startHolding(root, 'READ_WRITE');
    await holder.stop();
  });
});
