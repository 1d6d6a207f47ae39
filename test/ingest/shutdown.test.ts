// Stopping under load: what was let in is answered and lands, what comes later is told to come back.

import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { adminOf, rowsInView } from '../helpers/admin.ts';
import { NDJSON, openSocket, sendBatch, splitAnswers, startUpload } from '../helpers/raw-http.ts';
import { removeTempFolders, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

afterAll(removeTempFolders);

const head = (length: number): string =>
  'POST /knowledgebase/lab/strata/ingest/readings HTTP/1.1\r\nHost: localhost\r\n' +
  `Content-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`;

test('SIGTERM answers uploads under way, refuses later ones with 503, and exits 0', async () => {
  const server = await startServer();
  await adminOf(server).knowledgebases.create({ id: 'lab' });
  const address = server.stream('lab', 'readings');
  expect((await sendBatch(address, '{"n":"0"}\n')).status).toBe(200);

  const upload = startUpload(address, { headers: { ...NDJSON, expect: '100-continue' } });
  upload.request.flushHeaders();
  expect(await upload.first).toBe(100);
  // On one connection: a batch that is under way, and one that is sent after the signal.
  const socket = await openSocket(server.ingestUrl);
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  socket.write(`${head(20).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')}`);
  await until('the second upload is let in', () => said.includes('100 Continue'));
  said = '';

  server.child.kill('SIGTERM');
  await until('no new connection is taken', async () => {
    const late = await openSocket(server.ingestUrl).catch(() => undefined);
    late?.destroy();
    return late === undefined;
  });
  socket.write(`{"n":"1"}\n{"n":"2"}\n${head(10)}{"n":"x"}\n`);
  await once(socket, 'end');
  socket.destroy();
  upload.request.end('{"n":"3"}\n');
  expect((await upload.answer).document).toMatchObject({ rows: 1, replayed: false });
  expect(await server.gone()).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');

  const answers = splitAnswers(said);
  expect(answers.map(({ status, document }) => [status, document.rows ?? document.code])).toEqual([
    [200, 2],
    [503, 'shutting_down'],
  ]);
  expect(answers[1]?.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });

  const again = await startServer({ home: server.home });
  const admin = adminOf(again);
  expect(await rowsInView(admin, 'lab', 'readings')).toBe(4);
  expect((await admin.knowledgebases.verify({ knowledgebase: 'lab' })).holds).toBe(true);
  expect(await again.stop()).toBe(0);
});

test('a second SIGTERM does not wait', async () => {
  const server = await startServer();
  await adminOf(server).knowledgebases.create({ id: 'lab' });
  const upload = startUpload(server.stream('lab', 'readings'), {
    headers: { ...NDJSON, expect: '100-continue' },
  });
  upload.request.flushHeaders();
  expect(await upload.first).toBe(100);
  server.child.kill('SIGTERM');
  await until('no new connection is taken', async () => {
    const late = await openSocket(server.ingestUrl).catch(() => undefined);
    late?.destroy();
    return late === undefined;
  });
  server.child.kill('SIGTERM');
  expect(await server.gone()).toEqual({ code: 1, signal: null });
  await expect(upload.answer).rejects.toThrow();
});
