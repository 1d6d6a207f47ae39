// Owns the proof that kb.duckdb can be lost, broken or moved with its folder: it is made again from the rest.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Proof } from '../../core/model.ts';
import { type AdminClient, adminOf, rowsInView, valuesOf } from '../helpers/admin.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.stderr()).toBe('');
    expect(await server.stop()).toBe(0);
  }
});
afterAll(removeTempFolders);

const start = async (home: string): Promise<{ server: Server; admin: AdminClient }> => {
  const server = await startServer({ home });
  servers.push(server);
  return { server, admin: adminOf(server) };
};

const stop = async (): Promise<void> => {
  for (const server of servers.splice(0)) expect(await server.stop()).toBe(0);
};

const BODIES = { temperature: '{"c":"21.40"}\n{"c":19.5}\n', 'Door-2': '{"open":true}\n' };

/** A home with a knowledgebase `k` of two streams, their views made, stopped. */
const filledHome = async (): Promise<string> => {
  const home = tempFolder();
  await strataJson(home, ['kb', 'create', 'k']);
  const { server, admin } = await start(home);
  for (const [stream, body] of Object.entries(BODIES)) {
    expect((await post(server.stream('k', stream), body)).status).toBe(200);
  }
  expect(await admin.knowledgebases.syncViews({ knowledgebase: 'k' })).toEqual({
    done: true,
    waitingFor: null,
  });
  await stop();
  return home;
};

let template: string;
beforeAll(async () => {
  template = await filledHome();
});

/** A copy of such a home. Its kb.duckdb still names the place it was copied from. */
const copiedHome = (): string => {
  const home = tempFolder();
  cpSync(template, home, { recursive: true });
  return home;
};

/** Everything that kb.duckdb answers to a foreign program, and that verify holds. */
const expectWhole = async (home: string, admin: AdminClient, root = join(home, 'k')) => {
  expect((await admin.knowledgebases.syncViews({ knowledgebase: 'k' })).done).toBe(true);
  const reader = await openForeignReader(root);
  const { rows } = await reader.read(
    'SELECT c, _line FROM raw_extracted.stream_temperature ORDER BY 2',
  );
  const door = await reader.read('SELECT open, filename FROM raw_extracted."stream_Door-2"');
  const manifest = await reader.read(
    'SELECT source, relation, row_count FROM _strata_manifest ORDER BY 1',
  );
  reader.close();
  expect(rows.map((row) => row.map(String))).toEqual([
    ['21.40', '1'],
    ['19.5', '2'],
  ]);
  const [file] = readdirSync(join(root, 'strata', 'streams', 'Door-2', 'data'));
  expect(door.rows).toEqual([
    ['true', join(root, 'strata', 'streams', 'Door-2', 'data', file as string)],
  ]);
  expect(manifest.rows).toEqual([
    ['stream:Door-2', 'raw_extracted."stream_Door-2"', null],
    ['stream:temperature', 'raw_extracted."stream_temperature"', null],
  ]);
  expect(
    await valuesOf(admin, 'k', 'SELECT c FROM raw_extracted.stream_temperature ORDER BY _line'),
  ).toEqual(['21.40', '19.5']);
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  expect([proof.holds, proof.streams.map(({ viewRows }) => viewRows)]).toEqual([true, [1, 2]]);
};

const kindsOf = async (admin: AdminClient): Promise<string[]> =>
  (await admin.knowledgebases.events({ knowledgebase: 'k', limit: 20 })).map(({ kind }) => kind);

describe('kb.duckdb', { timeout: 60_000 }, () => {
  it('deleted while stopped is made again at start', async () => {
    const home = copiedHome();
    rmSync(join(home, 'k', 'kb.duckdb'));
    const { admin } = await start(home);
    await expectWhole(home, admin);
    expect((await kindsOf(admin)).filter((kind) => kind === 'view-created')).toHaveLength(4);
  });

  it.each([
    ['is garbage', () => Buffer.from('this is no database\n'.repeat(2_000))],
    ['is empty', () => Buffer.alloc(0)],
    ['ends after its first header', (whole: Buffer) => whole.subarray(0, 4_096)],
    ['ends after its headers', (whole: Buffer) => whole.subarray(0, 12_288)],
    ['has garbage where its content was', (whole: Buffer) => Buffer.from(whole).fill(0x41, 12_288)],
    ['is zeros', (whole: Buffer) => Buffer.alloc(whole.length)],
  ])('that %s is set aside and made again', async (_, damage) => {
    const home = copiedHome();
    const root = join(home, 'k');
    const path = join(root, 'kb.duckdb');
    const damaged = damage(readFileSync(path));
    writeFileSync(path, damaged);
    const { admin } = await start(home);
    await expectWhole(home, admin);
    const events = await admin.knowledgebases.events({ knowledgebase: 'k', limit: 20 });
    expect(events.find(({ kind }) => kind === 'duckdb-rebuilt')).toMatchObject({
      level: 'warn',
      stream: null,
      message: 'kb.duckdb was damaged and made anew.',
    });
    const kept = readdirSync(root).filter((name) => name.startsWith('kb.duckdb.damaged-'));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(root, kept[0] as string)).equals(damaged)).toBe(true);
  });

  it('damaged while nobody serves: strata query still answers raw streams', async () => {
    const home = copiedHome();
    writeFileSync(join(home, 'k', 'kb.duckdb'), 'garbage');
    const sql = 'SELECT c FROM raw_extracted.stream_temperature ORDER BY _line';
    const { rows } = await strataJson<{ rows: string[][] }>(home, ['query', 'k', sql]);
    expect(rows).toEqual([['21.40'], ['19.5']]);
  });
});

describe('a knowledgebase in another place', { timeout: 60_000 }, () => {
  const ODD = "my stick's [copy] * {a,b} Fünf 100%";

  it.each(['copied', 'moved'])('%s: views name the new place', async (how) => {
    const home = await filledHome();
    const elsewhere = join(tempFolder(), ODD);
    const from = join(home, 'k');
    const to = join(elsewhere, 'k');
    cpSync(from, to, { recursive: true });
    if (how === 'moved') rmSync(from, { recursive: true });
    const { server, admin } = await start(elsewhere);
    await expectWhole(elsewhere, admin);
    expect(await kindsOf(admin)).toContain('views-rewritten');
    expect((await post(server.stream('k', 'temperature'), '{"c":1}')).status).toBe(200);
    expect(await rowsInView(admin, 'k', 'temperature')).toBe(3);
    // A copy has nothing to do with where it came from.
    expect(existsSync(from)).toBe(how === 'copied');
    if (how === 'copied') {
      await stop();
      const { admin: original } = await start(home);
      await expectWhole(home, original);
    }
  });

  it('and nobody has served it since: strata query answers from the new place', async () => {
    const home = await filledHome();
    const elsewhere = join(tempFolder(), ODD);
    cpSync(home, elsewhere, { recursive: true });
    rmSync(home, { recursive: true });
    const sql = 'SELECT c, filename FROM raw_extracted.stream_temperature ORDER BY _line';
    const { rows } = await strataJson<{ rows: string[][] }>(elsewhere, ['query', 'k', sql]);
    const data = join(elsewhere, 'k', 'strata', 'streams', 'temperature', 'data');
    const file = join(data, readdirSync(data)[0] as string);
    expect(rows).toEqual([
      ['21.40', file],
      ['19.5', file],
    ]);
  });
});
