// The token of the admin address: the same after a restart, its owner's alone, renewed on asking, in no log.

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adminOf } from '../helpers/admin.ts';
import { freePort } from '../helpers/free-port.ts';
import { send } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

let home: string;
let running: Server[];
beforeEach(() => {
  home = tempFolder();
  running = [];
});
afterEach(() => Promise.all(running.map((server) => server.kill())));

const start = async (words: readonly string[] = []): Promise<Server> => {
  const server = await startServer({ home, words });
  running.push(server);
  return server;
};

/** Starts and stops one; what its token was and what it wrote into its log. */
const once = async (words: readonly string[] = []): Promise<{ token: string; log: string }> => {
  const server = await start(words);
  await adminOf(server).engine.status();
  expect(await server.stop()).toBe(0);
  return { token: server.adminToken, log: server.stderr() };
};

const file = () => join(home, '.admin-token');

test('is the same after a restart, and whoever has the address goes on', async () => {
  const port = String(await freePort());
  const first = await start(['--admin-port', port]);
  expect(await first.stop()).toBe(0);
  const second = await start(['--admin-port', port]);
  expect([second.adminUrl, second.adminToken]).toEqual([first.adminUrl, first.adminToken]);
  // A page that was opened before.
  expect((await adminOf(first).engine.status()).pid).toBe(second.pid);
  expect(second.adminToken).toMatch(/^[\w-]{32}$/);
});

test('is kept in a file of its owner’s alone', async () => {
  const { token, log } = await once();
  expect(readFileSync(file(), 'utf8')).toBe(`${token}\n`);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(log).toBe('');
});

test('is a new one on asking; the old one opens nothing', async () => {
  const { token } = await once();
  const server = await start(['--new-admin-token']);
  expect(server.adminToken).not.toBe(token);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const old = adminOf({ adminUrl: server.adminUrl, adminToken: token });
  await expect(old.engine.status()).rejects.toMatchObject({ status: 401 });
  expect(await server.stop()).toBe(0);
  expect((await once()).token).toBe(server.adminToken);
});

describe('is a new one, and that is said without it', () => {
  test.each<[string, () => void, string]>([
    ['where others could read it', () => chmodSync(file(), 0o644), 'could be read by others.'],
    ['where its file holds none', () => writeFileSync(file(), 'short\n'), 'holds no token.'],
    ['where its file is empty', () => writeFileSync(file(), ''), 'holds no token.'],
  ])('%s', async (_, change, words) => {
    const { token } = await once();
    change();
    const after = await once();
    expect(after.token).not.toBe(token);
    expect(JSON.parse(after.log)).toMatchObject({
      level: 'warn',
      message: `${file()} ${words} A new admin token was made; pages that are open need its address.`,
    });
    expect(after.log).not.toContain(after.token);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

test('is one for engines of a home that start at once', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(one.adminToken).toBe(other.adminToken);
  expect(readFileSync(file(), 'utf8')).toBe(`${one.adminToken}\n`);
});

test('is in no log, also where somebody puts it into an address', async () => {
  const server = await start();
  const { adminToken } = server;
  for (const path of [`/?token=${adminToken}`, `/rpc/x?token=${adminToken}`, `/${adminToken}`]) {
    await send(server.adminUrl, { path, method: 'GET', headers: {} });
  }
  await adminOf(server).knowledgebases.list();
  const lines = await adminOf(server).engine.log({ limit: 1_000 });
  expect(lines.join()).not.toContain(adminToken);
  expect(server.stderr()).not.toContain(adminToken);
});
