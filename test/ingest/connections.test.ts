// How batches arrive: in pieces, with Expect, cut off, many at once, one after the other on one connection.

import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView, streamOf, valuesOf } from '../helpers/admin.ts';
import {
  NDJSON,
  openSocket,
  sendBatch,
  splitAnswers,
  startUpload,
  talk,
} from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, strataJson } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});

afterAll(async () => {
  const proof = await admin?.knowledgebases.verify({ knowledgebase: 'lab' });
  await server?.stop();
  removeTempFolders();
  expect(proof?.streams.flatMap(({ differences }) => differences)).toEqual([]);
});

/** A request as it goes over the wire. */
const wire = (stream: string, body: string, fields = ''): string =>
  `POST /knowledgebase/lab/strata/ingest/${stream} HTTP/1.1\r\nHost: localhost\r\n` +
  `Content-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${fields}\r\n${body}`;

describe('bodies in pieces', () => {
  test('a chunked body lands, also cut inside a line and inside a character', async () => {
    const { request, answer } = startUpload(server.stream('lab', 'pieces'), { headers: NDJSON });
    const body = Buffer.from('{"a":"é😀"}\n{"a":"ü"}\n');
    request.setNoDelay(true);
    for (const byte of body) request.write(Buffer.of(byte));
    request.end();
    expect((await answer).document).toMatchObject({ rows: 2, bytes: body.length });
    const sql = 'SELECT a FROM raw_extracted.stream_pieces ORDER BY _line';
    expect(await valuesOf(admin, 'lab', sql)).toEqual(['é😀', 'ü']);
  });

  test('a chunked body with trailers lands', async () => {
    const said = await talk(
      server.ingestUrl,
      'POST /knowledgebase/lab/strata/ingest/trailers HTTP/1.1\r\nHost: localhost\r\n' +
        'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
        '4;x=y\r\n{"a"\r\n6\r\n:"1"}\n\r\n0\r\nChecksum: none\r\n\r\n',
    );
    expect(splitAnswers(said).map(({ document }) => document.rows)).toEqual([1]);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = { ...NDJSON, expect: '100-continue' };

  test('is asked for its body, which lands', async () => {
    const upload = startUpload(server.stream('lab', 'asks'), {
      headers: { ...expecting, 'content-length': '10' },
    });
    upload.request.flushHeaders();
    expect(await upload.first).toBe(100);
    upload.request.end('{"a":"1"}\n');
    expect((await upload.answer).status).toBe(200);
  });

  test.each([
    ['a body that is too large', { 'content-length': '2000000' }, 413, 'body_too_large'],
    ['a strange Host', { 'content-length': '10', host: 'evil.example' }, 403, 'forbidden_host'],
    ['a page', { 'content-length': '10', origin: 'null' }, 403, 'forbidden_origin'],
  ])('is answered without its body: %s', async (_, fields, status, code) => {
    const upload = startUpload(server.stream('lab', 'asks'), {
      headers: { ...expecting, ...fields },
    });
    upload.request.flushHeaders();
    expect(await upload.first).toBe(status);
    expect((await upload.answer).document.code).toBe(code);
    upload.request.destroy();
  });
});

describe('a client that hangs up', () => {
  test.each([
    ['cut-counted', { 'content-length': '1000' }],
    ['cut-chunked', {}],
  ])('lands nothing and is counted: %s', async (stream, fields) => {
    await admin.streams.create({ knowledgebase: 'lab', stream });
    const upload = startUpload(server.stream('lab', stream), {
      headers: { ...NDJSON, expect: '100-continue', ...fields },
    });
    upload.request.flushHeaders();
    await upload.first;
    await new Promise<void>((resolve) =>
      upload.request.write('{"a":"1"}\n{"a":"2"}\n', () => resolve()),
    );
    upload.request.destroy();
    await until(
      'the refusal is counted',
      async () => (await streamOf(admin, 'lab', stream))?.refused,
    );
    const { streams } = await strataJson<{ streams: { name: string }[] }>(server.home, [
      'streams',
      'lab',
    ]);
    expect(streams.find(({ name }) => name === stream)).toMatchObject({
      ...{ status: 'new', rows: 0, files: 0, bytes: 0, rejects: 0 },
      ...{ received: 1, landed: 0, rejected: 0, replayed: 0, refused: 1 },
    });
  });
});

describe('many connections', () => {
  test('300 at once, each with a batch for one of three streams, are all answered 200', async () => {
    const sent = Array.from({ length: 300 }, (_, at) => at);
    const answers = await Promise.all(
      sent.map((at) =>
        sendBatch(server.stream('lab', `crowd-${at % 3}`), `{"n":"${at}"}\n`.repeat((at % 3) + 1)),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    for (const at of [0, 1, 2]) {
      expect(await rowsInView(admin, 'lab', `crowd-${at}`)).toBe(100 * (at + 1));
      const distinct = `SELECT count(DISTINCT n) FROM raw_extracted."stream_crowd-${at}"`;
      expect(await valuesOf(admin, 'lab', distinct)).toEqual(['100']);
    }
    expect(new Set(answers.map(({ document }) => document.batch_id)).size).toBe(300);
  });

  test('one that is kept alive carries batch after batch', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const reused: boolean[] = [];
    for (let at = 0; at < 20; at += 1) {
      const { request, answer } = startUpload(server.stream('lab', 'kept'), {
        headers: NDJSON,
        agent,
      });
      request.end(`{"n":"${at}"}\n`);
      expect((await answer).status).toBe(200);
      reused.push(request.reusedSocket);
    }
    agent.destroy();
    expect(reused).toEqual([false, ...Array.from({ length: 19 }, () => true)]);
    expect(await rowsInView(admin, 'lab', 'kept')).toBe(20);
  });

  test('requests sent before the first is answered are answered in their order', async () => {
    const said = await talk(
      server.ingestUrl,
      wire('piped', '{"n":"1"}\n') +
        wire('piped', '{"n":}\n') +
        wire('piped-too', '{"n":"3"}\n{"n":"4"}\n') +
        'HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    const head = said.lastIndexOf('HTTP/1.1 200');
    const answers = splitAnswers(said.slice(0, head));
    expect(answers.map(({ status, document }) => [status, document.rows ?? document.code])).toEqual(
      [
        [200, 1],
        [400, 'not_json'],
        [200, 2],
      ],
    );
    expect(said.slice(head)).not.toContain('listening');
  });

  test('a batch of 1 MB and small ones on other streams all land', async () => {
    const large = `{"a":"${'x'.repeat(90)}"}\n`.repeat(10_000);
    const answers = await Promise.all([
      sendBatch(server.stream('lab', 'whale'), large),
      ...Array.from({ length: 20 }, (_, at) =>
        sendBatch(server.stream('lab', `minnow-${at % 4}`), '{"a":"1"}\n'),
      ),
    ]);
    expect(answers.map(({ status, document }) => [status, document.rows])).toEqual([
      [200, 10_000],
      ...Array.from({ length: 20 }, () => [200, 1]),
    ]);
  });
});

describe('what is not HTTP', () => {
  test.each([
    ['no request line', 'hello\r\n\r\n'],
    ['TLS on a plain port', '\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n'],
    [
      'a length and chunks at once',
      wire('smuggled', '{"a":"1"}\n', 'Transfer-Encoding: chunked\r\n'),
    ],
    ['two lengths', wire('smuggled', '{"a":"1"}\n', 'Content-Length: 4\r\n')],
    ['a length that is no number', wire('smuggled', '', 'Content-Length: -1\r\n')],
    ['a field without a colon', wire('smuggled', '{"a":"1"}\n', 'Nonsense\r\n')],
  ])('is answered 400 and closed: %s', async (_, bytes) => {
    const [answer, ...more] = splitAnswers(await talk(server.ingestUrl, bytes));
    expect(more).toEqual([]);
    expect(answer?.status).toBe(400);
    expect(answer?.headers).toMatchObject({
      connection: 'close',
      'content-type': 'application/problem+json',
    });
    expect(answer?.document).toMatchObject({ code: 'not_http', status: 400 });
    expect(await streamOf(admin, 'lab', 'smuggled')).toBeUndefined();
  });

  test('a connection that says nothing and goes does no harm', async () => {
    const socket = await openSocket(server.ingestUrl);
    socket.destroy();
    expect((await sendBatch(server.stream('lab', 'after'), '{"a":"1"}\n')).status).toBe(200);
  });
});
