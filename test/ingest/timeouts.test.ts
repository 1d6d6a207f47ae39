// Clients that are too slow: their headers or bodies do not arrive in time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf, streamOf } from '../helpers/admin.ts';
import { hearAll, NDJSON, openSocket, splitAnswers, startUpload } from '../helpers/raw-http.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer({ words: ['--body-timeout', '1', '--header-timeout', '1'] });
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});

afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const bodyTimeout = (bytes: number) => ({
  type: 'urn:strata:problem:body_timeout',
  title: 'The body did not arrive in time',
  status: 408,
  detail: `${bytes} bytes came in 1 s; the rest did not.`,
  code: 'body_timeout',
  hint: 'Send the batch again; --body-timeout is the setting.',
});

/** A stream that is there before its first batch, so that what is refused can be counted on it. */
const newStream = async (stream: string): Promise<string> => {
  await admin.streams.create({ knowledgebase: 'lab', stream });
  return server.stream('lab', stream);
};

const expectOneRefusal = async (stream: string): Promise<void> => {
  expect(await streamOf(admin, 'lab', stream)).toMatchObject({
    received: 1,
    refused: 1,
    rows: 0,
    files: 0,
  });
  const { holds, streams } = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
  expect(holds).toBe(true);
  expect(streams.find(({ totals }) => totals.stream === stream)?.refusals).toEqual([
    { code: 'body_timeout', times: 1, lastAt: expect.any(String) },
  ]);
};

test.concurrent('a body that stops is answered 408, lands nothing, and its connection is cut', async () => {
  const address = await newStream('stops');
  const socket = await openSocket(address);
  const said = hearAll(socket);
  const { pathname } = new URL(address);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n` +
      'Content-Length: 100\r\n\r\n{"a":"1"}\n',
  );
  const [answer, ...more] = splitAnswers(await said);
  expect(more).toEqual([]);
  expect(answer?.status).toBe(408);
  expect(answer?.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer?.document).toEqual(bodyTimeout(10));
  await expectOneRefusal('stops');
});

test.concurrent('a body that trickles for ever is answered 408 too', async () => {
  const address = await newStream('trickles');
  const { request, answer } = startUpload(address, { headers: NDJSON });
  let answered = false;
  void answer.then(() => {
    answered = true;
  });
  let sent = 0;
  await until('the server has had enough', () => {
    if (!answered) sent += Number(request.write('\n') || true);
    return answered;
  });
  const { status, document } = await answer;
  request.destroy();
  expect(status).toBe(408);
  expect(document.code).toBe('body_timeout');
  expect(sent).toBeGreaterThan(1);
  await expectOneRefusal('trickles');
});

test.concurrent('headers that do not end are answered 408 and the connection is closed', async () => {
  const socket = await openSocket(server.ingestUrl);
  const said = hearAll(socket);
  socket.write('POST /knowledgebase/lab/strata/ingest/slow HTTP/1.1\r\nHost: localhost\r\n');
  const [answer] = splitAnswers(await said);
  expect(answer?.status).toBe(408);
  expect(answer?.headers).toMatchObject({
    connection: 'close',
    'content-type': 'application/problem+json',
  });
  expect(answer?.document).toEqual({
    type: 'urn:strata:problem:header_timeout',
    title: 'The headers did not arrive in time',
    status: 408,
    detail: 'The headers did not arrive in time.',
    code: 'header_timeout',
    hint: 'Send the request again; --header-timeout is the setting.',
  });
});
