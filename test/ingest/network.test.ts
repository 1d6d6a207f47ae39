// Listening beyond this machine: only with tokens, which open what they are for, at once and until revoked.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView, streamOf } from '../helpers/admin.ts';
import { type Answer, send, sendBatch } from '../helpers/raw-http.ts';
import {
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';

const FREE_PORTS = ['--port', '0', '--admin-port', '0'];
const ROW = '{"a":"1"}\n';

interface MadeToken {
  readonly id: string;
  readonly label: string;
  readonly stream: string | null;
  readonly createdAt: string;
  readonly secret: string;
}

const makeToken = (home: string, ...words: string[]): Promise<MadeToken> =>
  strataJson(home, ['token', 'create', ...words]);

const withToken = (secret: string) => ({ authorization: `Bearer ${secret}` });

const expectRefused = (answer: Answer, status: number, code?: string): void => {
  expect([answer.status, answer.document.code]).toEqual([status, code]);
  const challenge = status === 401 ? 'Bearer realm="strata"' : undefined;
  expect(answer.headers['www-authenticate']).toBe(challenge);
};

afterAll(removeTempFolders);

describe('serve --host 0.0.0.0', () => {
  const home = tempFolder();
  let server: Server;
  let admin: AdminClient;
  let whole: MadeToken;
  let one: MadeToken;

  afterAll(() => server?.stop());

  test('does not start without a knowledgebase that has a token', async () => {
    const words = ['serve', '--host', '0.0.0.0', ...FREE_PORTS];
    expect(await strata(home, words)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'strata: 0.0.0.0 can be reached from other machines, and there is no knowledgebase with a token. ' +
        'Create one with: strata token create KB.\n',
    });
    await strataJson(home, ['kb', 'create', 'lab']);
    expect(await strata(home, [...words, '--json'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'strata: 0.0.0.0 can be reached from other machines, and lab has no token. ' +
        'Create one with: strata token create lab\n',
    });
  });

  test('starts with one', async () => {
    whole = await makeToken(home, 'lab', '--label', 'gateway');
    expect(whole).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      label: 'gateway',
      stream: null,
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^strata_[\w-]{43}$/),
    });
    one = await makeToken(home, 'lab', 'readings');
    server = await startServer({ home, words: ['--host', '0.0.0.0'] });
    admin = adminOf(server);
    expect(server.ingestUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('answers 401 without a token and to one that is not known', async () => {
    const address = server.stream('lab', 'readings');
    expectRefused(await sendBatch(address, ROW), 401, 'token_missing');
    expectRefused(await send(address, { method: 'HEAD' }), 401);
    for (const authorization of [
      `Bearer ${whole.secret}x`,
      `Bearer ${whole.secret.slice(0, -1)}`,
      'Bearer',
      'Bearer  ',
      `Basic ${whole.secret}`,
      whole.secret,
      `Bearer ${whole.id}`,
    ]) {
      expectRefused(await sendBatch(address, ROW, { authorization }), 401, 'token_unknown');
    }
    expect(await streamOf(admin, 'lab', 'readings')).toBeUndefined();
  });

  test('opens what a token is for', async () => {
    const readings = server.stream('lab', 'readings');
    const events = server.stream('lab', 'events');
    expect((await sendBatch(readings, ROW, withToken(one.secret))).status).toBe(200);
    expect(
      (await sendBatch(server.stream('LAB', 'Readings'), ROW, withToken(one.secret))).status,
    ).toBe(200);
    expect((await sendBatch(readings, ROW, withToken(whole.secret))).status).toBe(200);
    expect((await sendBatch(events, ROW, { authorization: `bearer ${whole.secret}` })).status).toBe(
      200,
    );
    expectRefused(await sendBatch(events, ROW, withToken(one.secret)), 403, 'token_wrong_stream');
    expect(await rowsInView(admin, 'lab', 'readings')).toBe(3);
    expect(await rowsInView(admin, 'lab', 'events')).toBe(1);
  });

  test('asks for one also in a knowledgebase that got none', async () => {
    await admin.knowledgebases.create({ id: 'bare' });
    expectRefused(await sendBatch(server.stream('bare', 'readings'), ROW), 401, 'token_missing');
    const strange = await sendBatch(
      server.stream('bare', 'readings'),
      ROW,
      withToken(whole.secret),
    );
    expectRefused(strange, 401, 'token_unknown');
  });

  test('still knows whom it is spoken to by', async () => {
    const fields = { ...withToken(whole.secret), host: 'evil.example' };
    expectRefused(
      await sendBatch(server.stream('lab', 'readings'), ROW, fields),
      403,
      'forbidden_host',
    );
    expect((await send(server.ingestUrl, { method: 'GET' })).text).toBe('Strata is listening.\n');
  });

  test('a revoked token opens nothing any more, without a restart', async () => {
    const { secret: _, ...shown } = whole;
    expect(await strataJson(home, ['token', 'revoke', 'lab', whole.id])).toEqual(shown);
    const answer = await sendBatch(server.stream('lab', 'readings'), ROW, withToken(whole.secret));
    expectRefused(answer, 401, 'token_unknown');
    const { secret: __, ...left } = one;
    expect(await strataJson(home, ['token', 'list', 'lab'])).toEqual({ tokens: [left] });
    expect(
      (await sendBatch(server.stream('lab', 'readings'), ROW, withToken(one.secret))).status,
    ).toBe(200);
  });

  test('no file holds a secret', () => {
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      for (const { secret } of [whole, one]) {
        expect(content.includes(secret.slice('strata_'.length)), entry.name).toBe(false);
      }
    }
  });
});

describe('on loopback', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
    await adminOf(server).knowledgebases.create({ id: 'lab' });
  });
  afterAll(() => server?.stop());

  test('a token covers the streams it is for, and only those', async () => {
    const readings = server.stream('lab', 'readings');
    expect((await sendBatch(readings, ROW)).status).toBe(200);
    const { id, secret } = await makeToken(server.home, 'lab', 'READINGS');
    expectRefused(await sendBatch(readings, ROW), 401, 'token_missing');
    expect((await sendBatch(readings, ROW, withToken(secret))).status).toBe(200);
    expect((await sendBatch(server.stream('lab', 'events'), ROW)).status).toBe(200);
    await strataJson(server.home, ['token', 'revoke', 'lab', id]);
    expectRefused(await sendBatch(readings, ROW, withToken(secret)), 401, 'token_unknown');
    expect((await sendBatch(readings, ROW)).status).toBe(200);
  });

  test.each([
    ['--port', () => ['--port', new URL(server.ingestUrl).port, '--admin-port', '0']],
    ['--admin-port', () => ['--port', '0', '--admin-port', new URL(server.adminUrl).port]],
  ])('a port that is taken stops the start: %s', async (option, words) => {
    const { code, stdout, stderr } = await strata(server.home, ['serve', '--json', ...words()]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^strata: Port \d+ of 127\.0\.0\.1 is taken.*\n$/);
    expect(stderr).toContain(`Choose another with ${option}, or 0 for any.`);
    expect((await sendBatch(server.stream('lab', 'free'), ROW)).status).toBe(200);
  });

  test('an address of another machine stops the start', async () => {
    await makeToken(server.home, 'lab');
    const words = ['serve', '--host', '192.0.2.1', ...FREE_PORTS];
    const { code, stdout, stderr } = await strata(server.home, words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^strata: 192\.0\.2\.1 is not an address of this machine\..*\n$/);
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('serve --host ::1 (skipped where this machine has no IPv6)', async () => {
  const server = await startServer({ words: ['--host', '::1'] });
  await adminOf(server).knowledgebases.create({ id: 'lab' });
  expect(server.ingestUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
  const address = server.stream('lab', 'readings');
  expect((await sendBatch(address, ROW)).status).toBe(200);
  expect((await sendBatch(address, ROW, { host: 'localhost' })).status).toBe(200);
  expectRefused(await sendBatch(address, ROW, { host: '[::2]' }), 403, 'forbidden_host');
  expect(await server.stop()).toBe(0);
});

test('serve --json prints exactly one line', async () => {
  const door = fileURLToPath(new URL('../../bin/strata.mjs', import.meta.url));
  const words = ['serve', '--home', tempFolder(), ...FREE_PORTS, '--json'];
  const child = spawn(process.execPath, [door, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  child.stdout.once('data', () => child.kill('SIGTERM'));
  expect(await stderr).toBe('');
  expect((await stdout).split('\n')).toEqual([expect.any(String), '']);
  expect(JSON.parse(await stdout)).toEqual({
    ingest_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    admin_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/),
    pid: child.pid,
  });
});
