// Owns serving the window's page to a browser: the built files of renderer/, with a strict Content-Security-Policy.
// Never serves anything else, and never outside its folder.

import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { errnoOf } from '../durable.ts';
import { AppError } from '../errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

/** What the page may do. Mantine sets styles inline; nothing else may come from anywhere but here. */
const PAGE_POLICY = [
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
].join('; ');

// Beside the built core; a name has no separators but one, so that no path leads out of the folder.
const FILE = /^\/(?:assets\/)?[\w.-]+\.(?:js|css|svg|woff2|map)$/;

/** Whether a request's path is the page or one of its files. */
export const isPagePath = (path: string): boolean => path === '/' || FILE.test(path);

/** Sends the page or one of its files. Throws `no_such_route` when it is not there. */
export const sendPageFile = async (response: ServerResponse, path: string): Promise<void> => {
  const name = path === '/' ? 'index.html' : path.slice(1);
  let bytes: Buffer;
  try {
    bytes = await readFile(new URL(`./renderer/${name}`, import.meta.url));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new AppError('no_such_route', `There is no ${path} here.`, { cause: error });
  }
  const isHashed = path.startsWith('/assets/');
  response.writeHead(200, {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'content-length': bytes.length,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
    'content-security-policy': PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(bytes);
};
