// Owns the proof that landing and querying go on while another program holds kb.duckdb, and that views that had to
// wait are made when it lets go.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AdminClient, adminOf, rowsInView } from '../helpers/admin.ts';
import { startHolding } from '../helpers/foreign-client.ts';
import { openForeignReader } from '../helpers/foreign-reader.ts';
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

const home = tempFolder();
const root = join(home, 'k');
let server: Server;
let admin: AdminClient;

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'k']);
  server = await startServer({ home });
  admin = adminOf(server);
  await land('old', 3);
  await admin.knowledgebases.syncViews({ knowledgebase: 'k' });
});

afterAll(async () => {
  expect(server.stderr()).toBe('');
  expect(await server.stop()).toBe(0);
  removeTempFolders();
});

const land = async (stream: string, rows: number): Promise<void> => {
  const response = await post(server.stream('k', stream), '{"a":"x"}\n'.repeat(rows));
  const { rows: landed } = (await response.json()) as { rows: number };
  expect([response.status, landed]).toEqual([200, rows]);
};

const countSql = (stream: string): string =>
  `SELECT count(*) AS n FROM raw_extracted.stream_${stream}`;

/** What `strata query` in a process of its own prints, and says on stderr. */
const queryOutside = async (sql: string) => {
  const { code, stdout, stderr } = await strata(home, ['query', 'k', sql, '--json']);
  return { code, stderr, rows: code === 0 ? (JSON.parse(stdout) as { rows: unknown[] }).rows : [] };
};

const waiting = async () => (await admin.engine.status()).waiting;

const eventsOf = async (kind: string) =>
  (await admin.knowledgebases.events({ knowledgebase: 'k', limit: 100 })).filter(
    (event) => event.kind === kind,
  );

const viewsOutside = async (): Promise<unknown[] | undefined> => {
  const reader = await openForeignReader(root).catch(() => undefined);
  if (!reader) return undefined;
  const { rows } = await reader.read(
    "SELECT view_name FROM duckdb_views() WHERE schema_name = 'raw_extracted' ORDER BY 1",
  );
  reader.close();
  return rows.flat();
};

describe.each(['READ_ONLY', 'READ_WRITE'] as const)('held %s', { timeout: 60_000 }, (mode) => {
  const fresh = `new_${mode.toLowerCase()}`;

  it('batches land, raw streams answer, the new view waits and then comes', async () => {
    const holder = await startHolding(root, mode);
    onTestFinished(holder.stop);
    const before = await rowsInView(admin, 'k', 'old');
    await land('old', 2);
    await land(fresh, 5);
    await land(fresh, 4);

    // Status and events say that views wait, and for whom; while one of our own queries outside runs, it is that.
    const [wait] = await until('the status says that views wait', async () => {
      const list = await waiting();
      return list.length > 0 && list;
    });
    const reason = new RegExp(`^kb\\.duckdb is open in node \\(pid ${holder.pid}\\)\\.$`);
    expect(wait).toEqual({ knowledgebase: 'k', reason: expect.stringMatching(reason) });
    const [event] = await eventsOf('views-waiting');
    expect(event).toMatchObject({
      level: 'warn',
      stream: null,
      message: `Views wait: ${wait?.reason}`,
    });

    // The contract's query and a process of its own both see the new stream, whose view nobody could make yet.
    expect([await rowsInView(admin, 'k', 'old'), await rowsInView(admin, 'k', fresh)]).toEqual([
      before + 2,
      9,
    ]);
    const outside = await queryOutside(countSql(fresh));
    expect([outside.code, outside.rows]).toEqual([0, [['9']]]);
    expect((await queryOutside(countSql('old'))).rows).toEqual([[String(before + 2)]]);
    const page = await admin.query.run({ knowledgebase: 'k', sql: countSql(fresh) });
    expect(page.unavailable).toBe(mode === 'READ_WRITE' ? wait?.reason : null);
    expect(outside.stderr).toBe(mode === 'READ_WRITE' ? `strata: ${wait?.reason}\n` : '');

    // The file alone is what a foreign program can see, and it is as it was.
    if (mode === 'READ_ONLY') expect(await viewsOutside()).not.toContain(`stream_${fresh}`);

    await holder.stop();
    await until('the view of the new stream is there for foreign programs', async () =>
      (await viewsOutside())?.includes(`stream_${fresh}`),
    );
    const reader = await openForeignReader(root);
    const { rows } = await reader.read(countSql(fresh));
    reader.close();
    expect(rows.map(String)).toEqual(['9']);
    await until('nothing waits any more', async () => (await waiting()).length === 0);
    expect((await eventsOf('view-created')).map(({ stream }) => stream)).toContain(fresh);
  });

  it('a page lists its columns and values as always', async () => {
    const holder = await startHolding(root, mode);
    onTestFinished(holder.stop);
    const sql = 'SELECT a, _line FROM raw_extracted.stream_old ORDER BY _batch_id, _line LIMIT 2';
    const { columns, rows } = await admin.query.run({ knowledgebase: 'k', sql });
    expect({ columns, rows }).toEqual({
      columns: [
        { name: 'a', type: 'VARCHAR' },
        { name: '_line', type: 'BIGINT' },
      ],
      rows: [
        ['x', '1'],
        ['x', '2'],
      ],
    });
  });

  it('verify holds, and a restart neither waits nor fails', async () => {
    const holder = await startHolding(root, mode);
    onTestFinished(holder.stop);
    expect(await server.stop()).toBe(0);
    server = await startServer({ home });
    admin = adminOf(server);
    await land('old', 1);
    const proof = await strata(home, ['verify', 'k']);
    expect([proof.code, proof.stdout.trim().split('\n').at(-1)]).toEqual([0, 'Everything holds.']);
  });
});
