// Every scenario of the listener's rules against the real server: request, status, content of body and headers.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { runScenario, type Scenario } from '../helpers/scenario.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { ADDRESSES } from './scenarios/addresses.ts';
import { ADMISSION } from './scenarios/admission.ts';
import { BATCH_IDS } from './scenarios/batch-ids.ts';
import { MEDIA } from './scenarios/media.ts';

let server: Server;
let admin: AdminClient;
let count = 0;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});

afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const play = async (scenario: Scenario): Promise<void> => {
  count += 1;
  const stream = `scenario-${count}`;
  const { document } = await runScenario(server, admin, scenario, stream);
  if (scenario.keeps === undefined) return;
  const failed = join(server.home, 'lab', 'strata', 'streams', stream, 'failed');
  const rejectId = document.reject_id as string;
  expect(readdirSync(failed).sort()).toEqual([`${rejectId}.err`, `${rejectId}.ndjson`]);
  expect(readFileSync(join(failed, `${rejectId}.ndjson`))).toEqual(Buffer.from(scenario.keeps));
  const reason = JSON.parse(readFileSync(join(failed, `${rejectId}.err`), 'utf8'));
  expect(reason).toMatchObject({
    reject_id: rejectId,
    batch_id: document.batch_id,
    stream,
    code: document.code,
    message: document.detail,
    hint: document.hint,
    body_bytes: Buffer.byteLength(scenario.keeps),
  });
};

describe('media types and encodings', () => {
  test.each(MEDIA)('$name', play);
});

describe('Host, Origin and methods', () => {
  test.each(ADMISSION)('$name', play);
});

describe('addresses', () => {
  test.each(ADDRESSES)('$name', play);
});

describe('batch ids', () => {
  test.each(BATCH_IDS)('$name', play);
});

test('nothing was written outside the streams', () => {
  const { home } = server;
  expect(readdirSync(home).sort()).toEqual(['.admin-token', 'lab']);
  const known =
    /^(kb\.duckdb(\.wal)?|knowledgebase\.json|ledger\.sqlite(-wal|-shm)?|strata|folder\.lock|duckdb\.lock(-journal)?|(writer|compaction)\.lock(\.json|-journal)?)$/;
  expect(readdirSync(join(home, 'lab')).filter((name) => !known.test(name))).toEqual([]);
  const streams = readdirSync(join(home, 'lab', 'strata', 'streams'));
  expect(streams.filter((name) => !/^scenario-\d+$/.test(name))).toEqual([]);
  for (const stream of streams) {
    expect(readdirSync(join(home, 'lab', 'strata', 'streams', stream)).sort()).toEqual([
      '_tmp',
      'data',
      'failed',
      'rejects',
      'stream.json',
    ]);
  }
});

test('and after all of them every promise holds', async () => {
  const proof = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
  expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
  expect(proof.holds).toBe(true);
});
