// Batches that are linked with rejects, in a compacted file: the repair of one, one that landed in part, one that landed
// under an id of its own. Their links, states and replays are as before, also when the folder alone tells of them.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompactionRun, Proof } from '../../core/model.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { adminOf, valuesOf } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strata,
  strataJson,
  tempFolder,
} from '../helpers/server.ts';

const at = { knowledgebase: 'k', stream: 's' };
const BAD = '{"a":"1"}\n{"a":\n{"a":"3"}\n';
const PART = '{"a":"p1"}\n{"b":\n{"a":"p3"}\n[4]\n';
const OWN = '{"a":"o1"}\n{"a":"o2",}\n';
const ROWS = ['1 1 one', '3 3 one', 'p1 1 p', 'p3 3 p'];

const home = tempFolder();
const failed = join(home, 'k/strata/streams/s/failed');
const data = join(home, 'k/strata/streams/s/data');
let server: Server;
/** The id that the reject `two` landed under. */
let own: string;

beforeAll(async () => {
  await strataJson(home, ['kb', 'create', 'k']);
  server = await startServer({ home });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
});

const send = async (body: string, id: string) => {
  const answer = await post(server.stream('k', 's'), body, { 'x-batch-id': id });
  return { status: answer.status, ...(await answer.json()) };
};

const rows = async (): Promise<(string | null)[]> =>
  valuesOf(
    adminOf(server),
    'k',
    `SELECT a || ' ' || _line || ' ' || _batch_id FROM raw_extracted."stream_s"
     WHERE NOT starts_with(_batch_id, 'plain') ORDER BY 1`,
  );

/** Everything that batches and rejects say of each other. `changedAt` is the ledger's, or the file's time. */
const links = async () => {
  const admin = adminOf(server);
  const rejects = await Promise.all(
    ['one', 'p', 'two'].map(async (rejectId) => {
      const {
        times: _,
        lastReceivedAt: __,
        changedAt: ___,
        ...rest
      } = await admin.rejects.get({
        ...{ ...at, rejectId },
      });
      return rest;
    }),
  );
  const batches = await Promise.all(
    ['one', 'p', own].map(async (batchId) => {
      const batch = await admin.streams.batch({ ...at, batchId });
      const { rejectId, rejectSha256, partRejectId, linesRejected, sha256, bodyBytes } = batch;
      return { batchId, rejectId, rejectSha256, partRejectId, linesRejected, sha256, bodyBytes };
    }),
  );
  const { repaired, linesRejected, openRejects, landed } = await admin.streams.get(at);
  return { rejects, batches, repaired, linesRejected, openRejects, landed };
};

const expectToHold = async (): Promise<void> => {
  const proof = await strataJson<Proof>(home, ['verify', 'k']);
  expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
    true,
    [],
  ]);
};

/** Late retries of the bodies as they came, and of one that has never come. */
const expectReplays = async (): Promise<void> => {
  expect(await send(BAD, 'ONE')).toMatchObject({ status: 200, batch_id: 'one', replayed: true });
  expect(await send(OWN, 'two')).toMatchObject({ status: 200, batch_id: own, replayed: true });
  expect(await send(PART, 'p')).toMatchObject({
    ...{ status: 200, batch_id: 'p', replayed: true, rows: 2, rejected: 2, reject_id: 'p' },
  });
  expect(await rows()).toEqual([...ROWS, `o1 1 ${own}`].sort());
};

const compact = async (): Promise<CompactionRun> => {
  const run = await strataJson<CompactionRun>(home, ['compact', 'k', 's']);
  expect(readdirSync(data).filter((name) => name.endsWith('.parquet'))).toEqual([
    `c~${run.run}-1.parquet`,
  ]);
  return run;
};

describe.sequential('rejects that landed, compacted', () => {
  let before: Awaited<ReturnType<typeof links>>;

  beforeAll(async () => {
    const admin = adminOf(server);
    await admin.streams.create({ ...at });
    const fixes = [{ kind: 'drop-lines' as const }];
    expect(await send(BAD, 'one')).toMatchObject({ status: 400, reject_id: 'one' });
    expect((await admin.rejects.replay({ ...at, rejectId: 'one', fixes })).landed).toBe(true);
    expect(await send(OWN, 'two')).toMatchObject({ status: 400, reject_id: 'two' });
    const landed = await admin.rejects.replay({
      ...{ ...at, rejectId: 'two' },
      fixes: [...fixes, { kind: 'own-batch-id' as const }],
    });
    own = landed.reject.landedAs as string;
    expect(own).toMatch(/^reject-[0-9a-f]{32}$/);
    await admin.streams.update({ ...at, partialLanding: true });
    expect(await send(PART, 'p')).toMatchObject({ status: 200, rows: 2, rejected: 2 });
    before = await links();
    expect(before).toMatchObject({ repaired: 2, landed: 1, linesRejected: 2, openRejects: 1 });
  });

  it('are linked as before', async () => {
    expect((await compact()).batches).toBe(3);
    expect(await links()).toEqual(before);
    await expectToHold();
    await expectReplays();
  });

  it('also when they are merged again', async () => {
    for (const id of ['plain-1', 'plain-2']) await send('{"a":"x"}\n'.repeat(20), id);
    expect((await compact()).batches).toBe(5);
    expect(await links()).toEqual({ ...before, landed: 3 });
    await expectToHold();
  });

  it('a ledger that says otherwise of lines is named', async () => {
    const set = (lines: number): void => {
      const ledger = openSqlite(join(home, 'k', 'ledger.sqlite'));
      ledger.prepare("UPDATE batches SET lines_rejected = ? WHERE batch_id = 'p'").run(lines);
      ledger.close();
    };
    set(3);
    const { stdout } = await strata(home, ['verify', 'k', '--json']);
    const proof = JSON.parse(stdout) as Proof;
    expect([proof.holds, proof.streams.flatMap(({ differences }) => differences)]).toEqual([
      false,
      [
        '3 lines of the batch p were rejected; the reject p has 2 of them.',
        'The batch p came with 4 records: 2 landed, 3 rejected.',
      ],
    ]);
    set(2);
    await expectToHold();
  });

  it.each([
    ['', () => {}],
    [
      ' and without what was written of their states',
      () => {
        for (const name of readdirSync(failed)) {
          if (name.endsWith('.state')) rmSync(join(failed, name));
        }
      },
    ],
  ])('when the ledger is lost%s, they are known before the first POST', async (_, lose) => {
    await server.stop();
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(home, 'k', `ledger.sqlite${end}`), { force: true });
    }
    lose();
    expect((await strata(home, ['repair', 'k'])).stderr).toBe('');
    server = await startServer({ home });
    expect(await links()).toEqual({ ...before, landed: 3 });
    await expectToHold();
    await expectReplays();
    await expectToHold();
  });

  it('and after an undo', async () => {
    await strataJson(home, ['compact', 'undo', 'k', 's']);
    expect(await links()).toEqual({ ...before, landed: 3 });
    await expectToHold();
    await expectReplays();
  });
});
