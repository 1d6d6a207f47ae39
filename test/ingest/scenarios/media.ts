// Scenarios of media types and content encodings.

import zlib from 'node:zlib';
import { ONE_ROW, type Scenario } from '../../helpers/scenario.ts';

const packed = zlib.gzipSync(ONE_ROW);
const other = zlib.gzipSync('{"a":"2"}\n{"a":"3"}\n');
const damaged = Uint8Array.from(packed);
// The last eight bytes are the check sum and the length (RFC 1952, 2.3.1).
damaged[damaged.length - 8] = (damaged[damaged.length - 8] as number) ^ 0xff;
const trailed = Buffer.concat([packed, Buffer.from('rest')]);
const zstd =
  typeof zlib.zstdCompressSync === 'function' ? zlib.zstdCompressSync(ONE_ROW) : undefined;

const lands = (name: string, type: string): Scenario => ({
  name: `lands: ${name}`,
  headers: { 'content-type': type },
  status: 200,
  rows: 1,
  expected: ['"rows":1', '"replayed":false'],
});

const refusedType = (name: string, type: string): Scenario => ({
  name: `refused: ${name}`,
  headers: { 'content-type': type },
  status: 415,
  code: 'unsupported_media_type',
  expected: ['"reject_id":', '"hint":"Send Content-Type: application/x-ndjson."'],
  keeps: ONE_ROW,
});

const gzipped = (name: string, body: Uint8Array, rows: number, encoding = 'gzip'): Scenario => ({
  name: `unpacked: ${name}`,
  headers: { 'content-encoding': encoding },
  body,
  status: 200,
  rows,
  expected: [`"rows":${rows}`],
});

const badGzip = (name: string, body: string | Uint8Array, encoding = 'gzip'): Scenario => ({
  name: `bad encoding: ${name}`,
  headers: { 'content-encoding': encoding },
  body,
  status: 400,
  code: 'bad_encoding',
  expected: ['"reject_id":', '"line":null', '"column":null'],
  keeps: body,
});

const refusedEncoding = (encoding: string): Scenario => ({
  name: `refused encoding: ${encoding}`,
  headers: { 'content-encoding': encoding },
  status: 415,
  code: 'unsupported_encoding',
  expected: [`The Content-Encoding \\"${encoding}\\" is not known`],
  keeps: ONE_ROW,
});

export const MEDIA: readonly Scenario[] = [
  lands('application/x-ndjson', 'application/x-ndjson'),
  lands('application/ndjson', 'application/ndjson'),
  lands('application/jsonl', 'application/jsonl'),
  lands('application/json-lines', 'application/json-lines'),
  lands('application/x-jsonlines', 'application/x-jsonlines'),
  lands('a parameter', 'application/x-ndjson;charset=UTF-8'),
  lands('capitals and white space', '  Application/X-NDJSON ; charset="utf-8"'),
  refusedType('application/json', 'application/json'),
  refusedType('text/plain, which a page may send unasked', 'text/plain'),
  refusedType('a form', 'application/x-www-form-urlencoded'),
  refusedType('several parts', 'multipart/form-data; boundary=x'),
  refusedType('a name that only begins right', 'application/x-ndjson+zip'),
  refusedType('no Content-Type', ''),
  gzipped('gzip', packed, 1),
  gzipped('GZIP in capitals', packed, 1, 'GZIP'),
  gzipped('x-gzip', packed, 1, 'x-gzip'),
  gzipped('gzip of several members', Buffer.concat([packed, other, packed]), 4),
  {
    name: 'unpacked: identity',
    headers: { 'content-encoding': 'identity' },
    status: 200,
    rows: 1,
  },
  badGzip('bytes after the last member', trailed),
  badGzip('a wrong check sum', damaged),
  badGzip('plain text that claims gzip', ONE_ROW),
  badGzip('nothing that claims gzip', ''),
  {
    name: 'gzip of nothing is an empty batch',
    headers: { 'content-encoding': 'gzip' },
    body: zlib.gzipSync(''),
    status: 400,
    code: 'empty_batch',
    keeps: '',
  },
  {
    name: 'a faulty line in gzip is kept unpacked, with its line',
    headers: { 'content-encoding': 'gzip' },
    body: zlib.gzipSync(`${ONE_ROW}{"a":}\n`),
    status: 400,
    code: 'not_json',
    expected: ['"line":2,"column":6'],
    keeps: `${ONE_ROW}{"a":}\n`,
  },
  refusedEncoding('deflate'),
  refusedEncoding('br'),
  refusedEncoding('gzip, gzip'),
  ...(zstd
    ? [gzipped('zstd', zstd, 1, 'zstd'), badGzip('plain text that claims zstd', ONE_ROW, 'zstd')]
    : [refusedEncoding('zstd')]),
];
