// Who may speak to the admin address: whoever has the printed token, and no web page but its own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { type Answer, send } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

/** Calls knowledgebases.create, which would leave a trace, as the wire has it. */
const create = (
  headers: Readonly<Record<string, string>>,
  path = '/rpc/knowledgebases/create',
): Promise<Answer> =>
  send(server.adminUrl, {
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ json: { id: 'trace' } }),
  });

const token = () => ({ authorization: `Bearer ${server.adminToken}` });

const expectRefused = async (answer: Answer, status: number, code: string): Promise<void> => {
  expect([answer.status, answer.document.code], answer.text).toEqual([status, code]);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['www-authenticate']).toBe(
    status === 401 ? 'Bearer realm="strata"' : undefined,
  );
  expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  expect(answer.text).not.toContain(server.adminToken);
  expect(await admin.knowledgebases.list()).toEqual([]);
};

describe('without the right token', () => {
  test.each<[string, () => Readonly<Record<string, string>>]>([
    ['none', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['a wrong one', () => ({ authorization: `Bearer ${'x'.repeat(32)}` })],
    ['a longer one', () => ({ authorization: `Bearer ${server.adminToken}x` })],
    ['a shorter one', () => ({ authorization: `Bearer ${server.adminToken.slice(1)}` })],
    ['the right one, sent otherwise', () => ({ authorization: `Basic ${server.adminToken}` })],
    ['the right one as a cookie', () => ({ cookie: `token=${server.adminToken}` })],
  ])('401: %s', async (_, headers) => {
    await expectRefused(await create(headers()), 401, 'admin_token_wrong');
  });

  test('401: the right one in the address', async () => {
    const path = `/rpc/knowledgebases/create?token=${server.adminToken}`;
    await expectRefused(await create({}, path), 401, 'admin_token_wrong');
  });

  test('401 to a client of the contract, and to any address', async () => {
    await expect(adminOf(server, {}).engine.status()).rejects.toMatchObject({ status: 401 });
    await expectRefused(await create({}, '/nope'), 401, 'admin_token_wrong');
  });
});

describe('with the token, from elsewhere', () => {
  test.each([
    ['https://example.com'],
    ['null'],
    ['http://127.0.0.1'],
    ['http://127.0.0.1:1'],
    ['https://127.0.0.1'],
    ['http://localhost.evil.example'],
  ])('403: a page of %s', async (origin) => {
    await expectRefused(await create({ ...token(), origin }), 403, 'forbidden_origin');
  });

  test('403: a name that points here (DNS rebinding), also with an Origin that fits', async () => {
    const host = `evil.example:${new URL(server.adminUrl).port}`;
    await expectRefused(await create({ ...token(), host }), 403, 'forbidden_host');
    await expectRefused(
      await create({ ...token(), host, origin: `http://${host}` }),
      403,
      'forbidden_host',
    );
  });

  test('400: no Host', async () => {
    await expectRefused(await create({ ...token(), host: '' }), 400, 'not_http');
  });

  test('a preflight gets nothing that lets a page in', async () => {
    const answer = await send(server.adminUrl, {
      method: 'OPTIONS',
      path: '/rpc/knowledgebases/create',
      headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
    });
    await expectRefused(answer, 403, 'forbidden_origin');
  });
});

describe('with the token', () => {
  test('an address that is no procedure is 404, and reading by GET changes nothing', async () => {
    await expectRefused(await create(token(), '/rpc/knowledgebases/nope'), 404, 'no_such_route');
    await expectRefused(await create(token(), '/rpc'), 404, 'no_such_route');
    const data = encodeURIComponent(JSON.stringify({ json: { id: 'trace' } }));
    const answer = await send(server.adminUrl, {
      method: 'GET',
      path: `/rpc/knowledgebases/create?data=${data}`,
      headers: token(),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await admin.knowledgebases.list()).toEqual([]);
  });

  test('a body that is not JSON is 400, and no bug', async () => {
    const answer = await send(server.adminUrl, {
      path: '/rpc/knowledgebases/create',
      headers: { ...token(), 'content-type': 'application/json' },
      body: '{"json":',
    });
    expect(answer.status).toBe(400);
    expect(server.stderr()).toBe('');
  });

  test('its own page may call it', async () => {
    const { host, origin } = new URL(server.adminUrl);
    const path = '/rpc/knowledgebases/list';
    const answer = await send(server.adminUrl, {
      path,
      headers: { ...token(), host, origin, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, answer.document]).toEqual([200, { json: [] }]);
  });
});

describe('the page', () => {
  test('needs no token, holds none, and may load and reach nothing else', async () => {
    const { status, headers, text } = await send(server.adminUrl, { method: 'GET', path: '/' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).not.toContain(server.adminToken);
    expect(text).not.toContain('{{');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('is not given to a strange name', async () => {
    const answer = await send(server.adminUrl, {
      method: 'GET',
      path: '/',
      headers: { host: 'evil.example' },
    });
    await expectRefused(answer, 403, 'forbidden_host');
  });
});
