// How much may be in flight for one stream: then 429, while other streams go on, and what was let in lands.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView, streamOf } from '../helpers/admin.ts';
import { NDJSON, sendBatch, startUpload, type Upload } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

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

const SMALL = '{"a":"1"}\n';
const LARGE = `{"a":"${'x'.repeat(1_048_576 - 9)}"}\n`;

/** Uploads that the server has let in and whose body it waits for. */
const fill = async (
  stream: string,
  count: number,
  fields: Record<string, string>,
): Promise<Upload[]> => {
  const uploads = Array.from({ length: count }, () =>
    startUpload(server.stream('lab', stream), {
      headers: { ...NDJSON, expect: '100-continue', ...fields },
    }),
  );
  for (const { request } of uploads) request.flushHeaders();
  expect(new Set(await Promise.all(uploads.map(({ first }) => first)))).toEqual(new Set([100]));
  return uploads;
};

test.each([
  { what: 'batches', stream: 'many', count: 256, declared: 0, body: SMALL },
  { what: 'bytes', stream: 'heavy', count: 32, declared: 1_048_576, body: LARGE },
])('a stream that is full by $what answers 429, others 200, then all land', async (full) => {
  const { stream, count, declared, body } = full;
  await admin.streams.create({ knowledgebase: 'lab', stream });
  const uploads = await fill(
    stream,
    count,
    declared === 0 ? {} : { 'content-length': String(declared) },
  );

  const busy = await sendBatch(server.stream('lab', stream), SMALL);
  expect(busy.status).toBe(429);
  expect(busy.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(busy.document).toEqual({
    type: 'urn:strata:problem:stream_busy',
    title: 'Too much is in flight for this stream',
    status: 429,
    detail: `${count} batches (${count * declared} bytes) of this stream are in flight; at most 256 batches or 33554432 bytes may be.`,
    code: 'stream_busy',
    hint: 'Wait as long as Retry-After says and send the batch again.',
  });
  const asking = startUpload(server.stream('lab', stream), {
    headers: { ...NDJSON, expect: '100-continue', 'content-length': '10' },
  });
  asking.request.flushHeaders();
  expect(await asking.first, 'no body is asked for that would not be taken').toBe(429);
  asking.request.destroy();
  expect((await sendBatch(server.stream('lab', `${stream}-other`), SMALL)).status).toBe(200);

  for (const { request } of uploads) request.end(body);
  const answers = await Promise.all(uploads.map(({ answer }) => answer));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await sendBatch(server.stream('lab', stream), SMALL)).status).toBe(200);
  expect(await rowsInView(admin, 'lab', stream)).toBe(count + 1);
  expect(await streamOf(admin, 'lab', stream)).toMatchObject({
    received: count + 3,
    landed: count + 1,
    refused: 2,
  });
});

test('uploads that hang up give their places back', async () => {
  const uploads = await fill('fickle', 256, {});
  expect((await sendBatch(server.stream('lab', 'fickle'), SMALL)).status).toBe(429);
  for (const { request } of uploads) request.destroy();
  await until('the stream takes batches again', async () => {
    const { status } = await sendBatch(server.stream('lab', 'fickle'), SMALL);
    return status === 200;
  });
});
