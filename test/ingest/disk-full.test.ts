// A disk that is full, or read-only: nothing half-written, and an answer that makes a producer try again.

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const mounted: string[] = [];
const servers: Server[] = [];

/** A small disk of its own, under a new folder. */
const smallDisk = (): string => {
  const disk = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'pipe' });
  mounted.push(disk);
  return disk;
};

const unmountAll = (): void => {
  for (const disk of mounted.splice(0)) execFileSync('umount', ['-l', disk]);
};

/** Mounting needs more than to be root: a container may forbid it. */
const canMount = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  try {
    smallDisk();
    return true;
  } catch {
    return false;
  } finally {
    unmountAll();
  }
})();

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
  unmountAll();
});
afterAll(removeTempFolders);

const start = async (home: string): Promise<Server> => {
  const server = await startServer({ home });
  servers.push(server);
  return server;
};

/** Fills a disk to its last block; removing the file makes room again. */
const fillDisk = (disk: string): string => {
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  expect(statfsSync(disk).bavail).toBe(0);
  return ballast;
};

const filesOf = (home: string, part: string): string[] =>
  readdirSync(join(home, 'lab', 'strata', 'streams', 'readings', part)).sort();

/** A server with one landed batch, its view in place. */
const withOneBatch = async (
  home: string,
): Promise<{ server: Server; admin: AdminClient; address: string }> => {
  const server = await start(home);
  const admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  const address = server.stream('lab', 'readings');
  expect((await sendBatch(address, '{"a":"1"}\n', { 'idempotency-key': 'first' })).status).toBe(
    200,
  );
  expect((await admin.knowledgebases.syncViews({ knowledgebase: 'lab' })).done).toBe(true);
  return { server, admin, address };
};

const diskFull = {
  type: 'urn:strata:problem:disk_full',
  title: 'The disk is full',
  status: 507,
  detail: 'The disk is full: nothing landed.',
  code: 'disk_full',
  hint: 'Free some space and send the batch again.',
};

describe.skipIf(!canMount)('a disk of its own (skipped: mounting one needs root)', () => {
  test('full: 507, nothing half-written, and the same POST lands when there is room', async () => {
    const home = smallDisk();
    const { admin, address } = await withOneBatch(home);
    // Incompressible, so that its file does not fit in what is left of a block.
    const rows = Array.from(
      { length: 300 },
      (_, at) => `{"a":"${crypto.randomUUID()}","n":${at}}\n`,
    ).join('');
    const ballast = fillDisk(home);

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await sendBatch(address, rows, { 'idempotency-key': 'second' });
      expect([answer.status, answer.document]).toEqual([507, diskFull]);
    }
    expect(filesOf(home, 'data')).toEqual(['first.parquet']);
    expect(filesOf(home, '_tmp')).toEqual([]);
    expect(await rowsInView(admin, 'lab', 'readings'), 'what has landed stays readable').toBe(1);

    rmSync(ballast);
    const { status, document } = await sendBatch(address, rows, { 'idempotency-key': 'second' });
    expect([status, document.rows, document.replayed]).toEqual([200, 300, false]);
    expect(await rowsInView(admin, 'lab', 'readings')).toBe(301);
    const proof = await until('the refusals that waited for room are counted', async () => {
      const found = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
      return found.streams[0]?.totals.refused === 2 && found;
    });
    expect(proof.streams[0]?.differences).toEqual([]);
    expect(proof.streams[0]?.totals).toMatchObject({
      received: 4,
      landed: 2,
      refused: 2,
      rejected: 0,
    });
  });

  test('full: a batch that would be rejected is 507 too, since its body cannot be kept', async () => {
    const home = smallDisk();
    const { address } = await withOneBatch(home);
    const bad = `{"a":"${'x'.repeat(20_000)}"}\n{"a":\n`;
    const ballast = fillDisk(home);
    const answer = await sendBatch(address, bad, { 'idempotency-key': 'bad' });
    expect([answer.status, answer.document]).toEqual([507, diskFull]);
    expect(filesOf(home, 'failed')).toEqual([]);
    expect(filesOf(home, '_tmp')).toEqual([]);

    rmSync(ballast);
    const { status, document } = await sendBatch(address, bad, { 'idempotency-key': 'bad' });
    expect([status, document.code, document.reject_id]).toEqual([400, 'not_json', 'bad']);
    expect(filesOf(home, 'failed')).toEqual(['bad.err', 'bad.ndjson']);
  });

  test('full: the first batch of a stream is 507, and its stream is made when there is room', async () => {
    const home = smallDisk();
    const { server, admin } = await withOneBatch(home);
    const ballast = fillDisk(home);
    const answer = await sendBatch(server.stream('lab', 'later'), '{"a":"1"}\n');
    expect(answer.status).toBe(507);
    rmSync(ballast);
    expect((await sendBatch(server.stream('lab', 'later'), '{"a":"1"}\n')).status).toBe(200);
    expect(await rowsInView(admin, 'lab', 'later')).toBe(1);
  });

  test('read-only: serve says so and exits 1', async () => {
    const home = smallDisk();
    const { server } = await withOneBatch(home);
    expect(await server.stop()).toBe(0);
    execFileSync('mount', ['-o', 'remount,ro', home]);
    const how = await start(home).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(how).toMatch(/^serve ended with 1: strata: .*cannot be written: .*\n$/);
    expect(how).toContain('Give this user the right to write there, or choose another folder.');
  });

  test('turned read-only under a running server: refused, not lost, and no word of a full disk', async () => {
    const home = smallDisk();
    const { admin, address } = await withOneBatch(home);
    // Nothing may be open for writing, so the disk is covered by a read-only view of itself.
    execFileSync('mount', ['--bind', '-o', 'ro', home, home]);
    execFileSync('mount', ['-o', 'remount,bind,ro', home]);
    mounted.unshift(home);
    const answer = await sendBatch(address, '{"a":"2"}\n', { 'idempotency-key': 'second' });
    expect([answer.status, answer.document.code]).toEqual([500, 'folder_not_writable']);
    expect(await rowsInView(admin, 'lab', 'readings')).toBe(1);
  });
});
