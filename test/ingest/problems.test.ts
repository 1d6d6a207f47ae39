// What a refused batch is told: the whole problem document, the fault limit, the size limit, registered columns.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView, streamOf, valuesOf } from '../helpers/admin.ts';
import { NDJSON, openSocket, sendBatch, splitAnswers, startUpload } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer, strataJson } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

const MAX = 1_048_576;

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});

afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

/** Changes settings of a knowledgebase in its file, as a person with an editor does. */
const edit = (id: string, change: Readonly<Record<string, unknown>>): void => {
  const path = join(server.home, id, 'knowledgebase.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
};

/** A body of exactly so many bytes: one record. */
const bodyOf = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 9)}"}\n`;

const tooLarge = {
  type: 'urn:strata:problem:body_too_large',
  title: 'The body is too large',
  status: 413,
  detail: `The body is over ${MAX} bytes, unpacked.`,
  code: 'body_too_large',
  hint: 'Split the batch; max_body_bytes in knowledgebase.json is the setting.',
  max_body_bytes: MAX,
};

describe('the problem document', () => {
  test('has every member, of a batch with two faults', async () => {
    const { status, document } = await sendBatch(
      server.stream('lab', 'shape'),
      '{"a":"1"}\n{"a":}\n\n{"b":"1","b":"2"}\n',
      { 'idempotency-key': 'shape-1' },
    );
    expect(status).toBe(400);
    const errors = [
      { code: 'not_json', message: expect.any(String), line: 2, column: 6 },
      { code: 'duplicate_key', message: expect.any(String), line: 4, column: 10 },
    ];
    expect(document).toEqual({
      type: 'urn:strata:problem:not_json',
      title: 'A line is not JSON',
      status: 400,
      detail: (document.errors as { message: string }[])[0]?.message,
      code: 'not_json',
      hint: 'Send one JSON object a line (RFC 8259).',
      line: 2,
      column: 6,
      errors,
      error_count: 2,
      reject_id: 'shape-1',
      batch_id: 'shape-1',
    });
    expect(document.detail).toContain('Line 2');
  });

  test('says null for the place of a fault of the whole body', async () => {
    const { document } = await sendBatch(server.stream('lab', 'shape'), '\n');
    expect(document).toMatchObject({
      line: null,
      column: null,
      errors: [{ code: 'empty_batch', line: null, column: null }],
      error_count: 1,
    });
    expect(document.reject_id).toBe(document.batch_id);
  });

  test('counts columns in characters, not in bytes or UTF-16 units', async () => {
    const { document } = await sendBatch(server.stream('lab', 'shape'), '{"😀é":"😀",x}\n');
    expect(document).toMatchObject({ code: 'not_json', line: 1, column: 11 });
  });

  test('names at most 100 faults, and how many there are', async () => {
    const body = Array.from({ length: 150 }, (_, row) => (row % 2 ? '{"a":"1"}' : '{')).join('\n');
    const { document } = await sendBatch(
      server.stream('lab', 'many'),
      `${body}\n${'{\n'.repeat(150)}`,
    );
    expect(document.error_count).toBe(225);
    const lines = (document.errors as { line: number }[]).map(({ line }) => line);
    expect(lines).toEqual([
      ...Array.from({ length: 75 }, (_, at) => at * 2 + 1),
      ...Array.from({ length: 25 }, (_, at) => at + 151),
    ]);
  });
});

describe('the size limit', () => {
  test('lets a body of exactly the limit in, and not one byte more', async () => {
    const address = server.stream('lab', 'edge');
    expect((await sendBatch(address, bodyOf(MAX))).document).toMatchObject({ rows: 1, bytes: MAX });
    const { status, document } = await sendBatch(address, bodyOf(MAX + 1));
    expect({ status, document }).toEqual({ status: 413, document: tooLarge });
    expect(await rowsInView(admin, 'lab', 'edge')).toBe(1);
    expect(await streamOf(admin, 'lab', 'edge')).toMatchObject({
      received: 2,
      landed: 1,
      refused: 1,
    });
  });

  test('by Content-Length: answered while the client still sends, and the connection lives on', async () => {
    await sendBatch(server.stream('lab', 'long'), '{"a":"1"}\n');
    const path = '/knowledgebase/lab/strata/ingest/long';
    const head = (length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n`;
    const socket = await openSocket(server.ingestUrl);
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    socket.write(`${head(3_000_000)}\r\n${'x'.repeat(65_536)}`);
    await until('the answer is there before the body is', () => said.includes('max_body_bytes'));
    socket.write('x'.repeat(3_000_000 - 65_536));
    socket.write(`${head(10)}Connection: close\r\n\r\n{"a":"2"}\n`);
    await until('the server closes', () => socket.readableEnded);
    const answers = splitAnswers(said);
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
    expect(answers[0]?.document).toEqual(tooLarge);
    expect(await rowsInView(admin, 'lab', 'long')).toBe(2);
  });

  test('by growth: a chunked body is answered as soon as it is over', async () => {
    const upload = startUpload(server.stream('lab', 'grown'), { headers: NDJSON });
    const { request, answer } = upload;
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    request.on('error', () => {});
    await until('the server answers a body that does not end', async () => {
      if (!answered) request.write('x'.repeat(65_536));
      return answered;
    });
    const { status, document } = await answer;
    expect({ status, document }).toEqual({ status: 413, document: tooLarge });
    request.destroy();
    expect((await streamOf(admin, 'lab', 'grown'))?.rows ?? 0).toBe(0);
  });

  test('is a setting that takes effect at once', async () => {
    await admin.knowledgebases.create({ id: 'small' });
    const address = server.stream('small', 'readings');
    expect((await sendBatch(address, bodyOf(2_000))).status).toBe(200);
    edit('small', { max_body_bytes: 1_024 });
    const { status, document } = await sendBatch(address, bodyOf(2_000));
    expect(status).toBe(413);
    expect(document.max_body_bytes).toBe(1_024);
  });
});

describe('registered columns', () => {
  beforeAll(async () => {
    const words = ['stream', 'create', 'lab', 'fixed', '--columns', 'id,Celsius'];
    expect(await strataJson(server.home, words)).toEqual({
      knowledgebase: 'lab',
      stream: 'fixed',
      columns: ['id', 'Celsius'],
    });
  });

  test('an unknown field is refused with its line and column', async () => {
    const { status, document } = await sendBatch(
      server.stream('lab', 'fixed'),
      '{"id":"1","Celsius":"20"}\n{"id":"2","Kelvin":"293"}\n',
    );
    expect(status).toBe(400);
    expect(document).toMatchObject({ code: 'unknown_column', line: 2, column: 11, error_count: 1 });
    expect(document.detail).toContain('Kelvin');
  });

  test('a field that differs in case alone lands', async () => {
    const { status } = await sendBatch(
      server.stream('lab', 'fixed'),
      '{"ID":"3","celsius":"21"}\n',
    );
    expect(status).toBe(200);
    const sql = 'SELECT id || Celsius FROM raw_extracted.stream_fixed';
    expect(await valuesOf(admin, 'lab', sql)).toEqual(['321']);
  });

  test('the registered spelling is the first one, so columns have it', async () => {
    const columns = await admin.streams.columns({ knowledgebase: 'lab', stream: 'fixed' });
    expect(columns.map(({ landed }) => landed)).toEqual(['id', 'Celsius']);
  });
});

describe('a knowledgebase whose streams are made by hand', () => {
  test('refuses an unknown stream until it is created, without a restart', async () => {
    await admin.knowledgebases.create({ id: 'closed' });
    edit('closed', { create_streams_on_first_post: false });
    const address = server.stream('closed', 'readings');
    const first = await sendBatch(address, '{"a":"1"}\n');
    expect(first.status).toBe(404);
    expect(first.document).toEqual({
      type: 'urn:strata:problem:no_such_stream',
      title: 'There is no such stream',
      status: 404,
      detail: 'There is no stream "readings" in closed.',
      code: 'no_such_stream',
      hint: 'Create it with: strata stream create KB STREAM.',
    });
    await strataJson(server.home, ['stream', 'create', 'closed', 'readings']);
    expect((await sendBatch(address, '{"a":"1"}\n')).status).toBe(200);
    expect(await rowsInView(admin, 'closed', 'readings')).toBe(1);
  });
});

describe('a stream whose stream.json cannot be read', () => {
  test('takes nothing in, is asked again later, and is counted; the others go on', async () => {
    await sendBatch(server.stream('lab', 'spoilt'), '{"a":"1"}\n');
    const path = join(server.home, 'lab', 'strata', 'streams', 'spoilt', 'stream.json');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, '{"id":1}');
    const refused = await sendBatch(server.stream('lab', 'Spoilt'), '{"a":"2"}\n');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(refused.document).toEqual({
      type: 'urn:strata:problem:stream_broken',
      title: 'The settings of the stream cannot be read',
      status: 503,
      detail: `${path} is not as Strata wrote it: id: Invalid input: expected string, received number.`,
      code: 'stream_broken',
      hint: 'Put back its stream.json from a copy, or move it away and make the stream again with: strata stream create KB STREAM. What has landed stays.',
    });
    const health = await fetch(server.stream('lab', 'spoilt'));
    expect(health.status).toBe(503);
    const upload = startUpload(server.stream('lab', 'spoilt'), {
      headers: { ...NDJSON, expect: '100-continue', 'content-length': '10' },
    });
    upload.request.flushHeaders();
    expect(await upload.first, 'no body is asked for that would not be taken').toBe(503);
    upload.request.destroy();
    expect((await sendBatch(server.stream('lab', 'sound'), '{"a":"1"}\n')).status).toBe(200);
    expect(await streamOf(admin, 'lab', 'spoilt')).toMatchObject({
      ...{ status: 'error', received: 3, landed: 1, refused: 2, rows: 1 },
      trouble:
        'Its stream.json cannot be read: id: Invalid input: expected string, received number.',
    });
    writeFileSync(path, whole);
    expect((await sendBatch(server.stream('lab', 'spoilt'), '{"a":"2"}\n')).status).toBe(200);
    expect(await rowsInView(admin, 'lab', 'spoilt')).toBe(2);
  });
});
