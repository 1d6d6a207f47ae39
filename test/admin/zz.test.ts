import { readdirSync, readlinkSync } from 'node:fs';
import { test } from 'vitest';
import { adminOf } from '../helpers/admin.ts';
import { sendBatch } from '../helpers/raw-http.ts';
import { removeTempFolders, startServer } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

test('x', async () => {
  const server = await startServer();
  const admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
  await sendBatch(server.stream('lab', 'r'), '{"a":1}\n');
  await admin.knowledgebases.syncViews({ knowledgebase: 'lab' });
  const holds = () =>
    readdirSync(`/proc/${server.pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${server.pid}/fd/${fd}`).endsWith('lab/kb.duckdb');
      } catch {
        return false;
      }
    });
  const out: string[] = [];
  for (let i = 0; i < 80; i++) {
    const t = performance.now();
    const lap = (s: string) => out.push(s + Math.round(performance.now() - t));
    const abort = new AbortController();
    const call = admin.query.run(
      {
        knowledgebase: 'lab',
        sql: 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b',
        timeoutMs: 3600000,
      },
      { signal: abort.signal },
    );
    call.then(
      () => lap('answered'),
      (e: Error) => lap(e.name),
    );
    for (;;) {
      if (holds()) break;
      await new Promise((r) => setImmediate(r));
    }
    lap('runs');
    for (let k = 0; k < i % 12; k++) await new Promise((r) => setTimeout(r, 1));
    abort.abort();
    lap('aborted');
    await until('ended', () => !holds(), 20000).catch(() => lap('NEVER'));
    lap('ended');
  }
  console.log(out.join(' '));
  await server.kill();
  removeTempFolders();
}, 600000);
