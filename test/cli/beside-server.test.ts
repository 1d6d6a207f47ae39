// Commands beside a running server on the same folder: both land, both see it all, each batch once.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let server: Server;
let admin: AdminClient;
const files = tempFolder();

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

test('what commands make, the server serves at once', async () => {
  await strataJson(server.home, ['kb', 'create', 'lab']);
  await strataJson(server.home, ['stream', 'create', 'lab', 'fixed', '--columns', 'a']);
  expect((await post(server.stream('lab', 'fixed'), '{"a":"1"}\n')).status).toBe(200);
  expect((await post(server.stream('lab', 'fixed'), '{"b":"1"}\n')).status).toBe(400);
  expect(
    await strataJson(server.home, ['query', 'lab', 'SELECT a FROM raw_extracted.stream_fixed']),
  ).toEqual({
    columns: [{ name: 'a', type: 'VARCHAR' }],
    rows: [['1']],
  });
  await admin.knowledgebases.create({ id: 'made-here' });
  expect(await strataJson(server.home, ['kb', 'list'])).toMatchObject({
    knowledgebases: [
      { id: 'lab', streams: 1 },
      { id: 'made-here', streams: 0 },
    ],
  });
});

test('a file and POSTs land in one stream at the same time, with the same new columns', async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `{"n":"${n}","c${n % 40}":"x","pad":"${'x'.repeat(80)}"}`,
  );
  const file = join(files, 'large.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  let landed = false;
  const words = ['land', 'lab', 'both', file];
  const command = strataJson<{ landings: { rows: number }[] }>(server.home, words).finally(() => {
    landed = true;
  });
  let posts = 0;
  while (!landed) {
    const body = `{"n":"post-${posts}","C${posts % 60}":"y"}\n`;
    expect((await post(server.stream('lab', 'both'), body)).status).toBe(200);
    posts += 1;
  }
  const { landings } = await command;
  expect(landings.reduce((sum, { rows }) => sum + rows, 0)).toBe(20_000);
  expect(await rowsInView(admin, 'lab', 'both')).toBe(20_000 + posts);
  const columns = await admin.streams.columns({ knowledgebase: 'lab', stream: 'both' });
  const folded = columns.map((column) => column.landed.toLowerCase());
  expect(new Set(folded).size, 'no column twice').toBe(folded.length);
  expect(folded).toHaveLength(2 + Math.max(40, Math.min(60, posts)));
  expect((await admin.knowledgebases.verify({ knowledgebase: 'lab' })).holds).toBe(true);
});

test('verify and repair hold while batches land', async () => {
  let running = true;
  const posting = (async () => {
    let posts = 0;
    for (; running; posts += 1) {
      const answer = await post(server.stream('lab', 'busy'), `{"n":"${posts}"}\n`);
      expect(answer.status).toBe(200);
    }
    return posts;
  })();
  try {
    await until('the stream is there', async () =>
      (await admin.streams.list({ knowledgebase: 'lab' })).some(
        ({ stream, rows }) => stream === 'busy' && rows > 0,
      ),
    );
    expect(await strata(server.home, ['verify', 'lab'])).toMatchObject({ code: 0, stderr: '' });
    expect(await strata(server.home, ['repair', 'lab'])).toMatchObject({ code: 0, stderr: '' });
    expect(await strata(server.home, ['verify', 'lab'])).toMatchObject({ code: 0, stderr: '' });
  } finally {
    running = false;
  }
  const posts = await posting;
  expect(await rowsInView(admin, 'lab', 'busy')).toBe(posts);
  expect((await admin.knowledgebases.verify({ knowledgebase: 'lab' })).holds).toBe(true);
});
