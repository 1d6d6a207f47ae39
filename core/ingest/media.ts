// Owns which media types and content encodings a batch may come in.
// Never unpacks; body.ts does.

import type { IncomingMessage } from 'node:http';
import zlib from 'node:zlib';
import type { Fault } from '../model.ts';

const MEDIA_TYPES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-lines',
  'application/x-jsonlines',
]);

/** Content encodings that this Node can unpack. zstd came with 22.15. */
const ENCODINGS: readonly string[] =
  typeof zlib.createZstdDecompress === 'function' ? ['gzip', 'zstd'] : ['gzip'];

/** A fault unless the Content-Type is NDJSON. A page can send text/plain without asking, so a missing type is none. */
export const mediaTypeFault = (request: IncomingMessage): Fault | undefined => {
  const header = request.headers['content-type'];
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPES.has(type)) return undefined;
  const message = header
    ? `The Content-Type "${header.slice(0, 60)}" is not NDJSON.`
    : 'The Content-Type is missing.';
  return { code: 'unsupported_media_type', message, line: null, column: null };
};

/** The encoding to unpack (`gzip`, `zstd`), null for none, or a fault when this listener does not know it. */
export const encodingOf = (request: IncomingMessage): string | null | Fault => {
  const header = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (header === '' || header === 'identity') return null;
  const name = header === 'x-gzip' ? 'gzip' : header;
  if (ENCODINGS.includes(name)) return name;
  const message = `The Content-Encoding "${header.slice(0, 60)}" is not known; ${ENCODINGS.join(' and ')} can be unpacked.`;
  return { code: 'unsupported_encoding', message, line: null, column: null };
};
