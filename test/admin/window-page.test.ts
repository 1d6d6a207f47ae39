// The page's files at the admin address: given to anyone on this machine by their names, and nothing else is.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, send } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

const PAGE = join(process.cwd(), 'dist', 'renderer');

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const ask = (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> =>
  send(server.adminUrl, { method, path, headers });

const token = () => ({ authorization: `Bearer ${server.adminToken}` });

const SAFE = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; /),
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';

describe('without a token', () => {
  test.each(['/', '/?theme=dark'])('the page at %s', async (path) => {
    const { status, text, headers } = await ask(path);
    expect([status, text]).toEqual([200, readFileSync(join(PAGE, 'index.html'), 'utf8')]);
    expect(headers).toMatchObject({
      ...SAFE,
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
    });
  });

  test('every file that the page names', async () => {
    const named = [...(await ask('/')).text.matchAll(/(?:src|href)="\.?(\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(named.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(0);
    for (const path of named) {
      const { status, headers } = await ask(path);
      expect(status, path).toBe(200);
      expect(headers, path).toMatchObject({
        ...SAFE,
        'cache-control': path.startsWith('/assets/') ? IMMUTABLE : 'no-store',
      });
    }
  });

  test.each([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['woff2', 'font/woff2'],
  ])('an asset, to be kept for good: %s', async (end, type) => {
    const name = readdirSync(join(PAGE, 'assets')).find((one) => one.endsWith(`.${end}`));
    const { status, headers } = await ask(`/assets/${name}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...SAFE,
      'content-type': type,
      'content-length': String(readFileSync(join(PAGE, 'assets', name as string)).length),
      'cache-control': IMMUTABLE,
    });
  });

  test.each(['/nope.js', '/assets/nope.js', '/..js', '/assets/..js', '/assets/...css'])(
    '404 for a file that is not there: %s',
    async (path) => {
      const { status, document, headers } = await ask(path);
      expect([status, document.code]).toEqual([404, 'no_such_route']);
      expect(headers['cache-control']).toBe('no-store');
    },
  );
});

describe('what is no file of the page', () => {
  test.each([
    '/index.html',
    '/assets',
    '/assets/',
    '/assets/../index.html',
    '/../cli.mjs',
    '/../core.mjs.map',
    '/../landing-worker.js',
    '/assets/../../part.js',
    '/%2e%2e/cli.js',
    '/..%2fcli.js',
    '/assets/%2e%2e%2f%2e%2e%2fcli.js',
    '/assets/..\\..\\cli.js',
    '/assets//x.js',
    '//x.js',
    '/assets/a%00.js',
    '/assets/a.js%00',
    '/%61ssets/x.js',
    '/etc/passwd',
    '/exports',
    '/package.json',
  ])('is 404, and not even that without the token: %s', async (path) => {
    const withToken = await ask(path, 'GET', token());
    expect([withToken.status, withToken.document.code]).toEqual([404, 'no_such_route']);
    const without = await ask(path);
    expect([without.status, without.document.code]).toEqual([401, 'admin_token_wrong']);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])(
    'is another method: %s',
    async (method) => {
      for (const path of ['/', '/mark.svg']) {
        expect((await ask(path, method)).status).toBe(401);
        const { status, headers, text } = await ask(path, method, token());
        expect([status, headers['content-security-policy']]).toEqual([404, undefined]);
        expect(text === '').toBe(method === 'HEAD');
      }
    },
  );

  test.each(['/rpc/engine/status', '/rpc', '/exports/1', '/nope'])(
    'needs the token: %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const { status, document } = await ask(path, method);
        expect([status, document.code]).toEqual([401, 'admin_token_wrong']);
      }
    },
  );

  test('is no bug of the server', () => {
    expect(server.stderr()).toBe('');
  });
});
