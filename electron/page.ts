// Owns the scheme app:// under which the window's page is served, out of dist/renderer and nowhere else.
// Never answers for another host, another method, or a path that leads out of that folder.

import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { protocol } from 'electron';
import { fileOf } from './page-path.ts';

const ROOT = resolve(import.meta.dirname, 'renderer');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};

/** What the page may load and do: its own files alone. Mantine and CodeMirror write styles at run time. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Tells Chromium of the scheme. Only before the app is ready. */
export const registerPageScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);

/** Serves the page. Once, when the app is ready. */
export const servePage = (): void =>
  protocol.handle('app', async ({ url, method }) => {
    const file = fileOf(url, ROOT);
    if (file === undefined || method !== 'GET') return refused();
    try {
      const body = await readFile(file);
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      return new Response(new Uint8Array(body), { headers: { ...HEADERS, 'content-type': type } });
    } catch {
      return refused();
    }
  });

const refused = (): Response =>
  new Response('There is nothing at this address.', { status: 404, headers: HEADERS });
