// Bodies that are made to hurt: a megabyte on one line, nested to the limit, of one name, of bad lines alone. Each is
// shown and mended in the time that its size takes, and every page of it is of a bounded size.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fix } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { rejectIn, verifyHolds } from '../helpers/rejects.ts';
import { removeTempFolders, type Server, startServer } from '../helpers/server.ts';

let server: Server;
let admin: AdminClient;
const took: string[] = [];

beforeAll(async () => {
  server = await startServer();
  admin = adminOf(server);
  await admin.knowledgebases.create({ id: 'lab' });
});
afterAll(async () => {
  await server?.stop();
  removeTempFolders();
  console.log(took.join('; '));
});

const MB = 1_000_000;
const many = (text: string, times = Math.floor(MB / text.length)): string => text.repeat(times);

const HOSTILE: readonly (readonly [name: string, body: string, fix: Fix, rows: number])[] = [
  ['one name', `{${many('"a":1,')}"a":2}`, { kind: 'keep-duplicate', keep: 'last' }, 1],
  ['objects on one line', many('{"a":1}'), { kind: 'split-objects' }, Math.floor(MB / 7)],
  [
    'nested',
    `{"b":1,"a":${many('[', MB / 2)}${many(']', MB / 2)}}`,
    { kind: 'drop-field', field: 'a' },
    1,
  ],
  ['half pairs', `{"a":"${many('\\ud800')}"}`, { kind: 'replace-lone-surrogates' }, 1],
  ['bad lines', `{"a":1}\n${many('x\n')}`, { kind: 'drop-lines' }, 1],
  ['every other line', many('{"a":1}\nx\n'), { kind: 'drop-lines' }, MB / 10],
  ['open brackets', `{"a":1}\n{"a":${many('[')}`, { kind: 'drop-lines' }, 1],
  ['a name of a megabyte', `{"a":1,"${many('é', MB / 2)}":1}`, { kind: 'land-good-lines' }, 0],
];

it.each(HOSTILE)('%s', async (name, body, fix, rows) => {
  const stream = `s${HOSTILE.findIndex(([other]) => other === name)}`;
  const at = { knowledgebase: 'lab', stream };
  const rejectId = await rejectIn(server, stream, body);
  const from = performance.now();
  const detail = await admin.rejects.get({ ...at, rejectId });
  took.push(`${name} ${(performance.now() - from).toFixed(0)} ms`);
  expect(detail.state).toBe('open');
  expect((detail.field ?? '').length).toBeLessThanOrEqual(255);
  expect(detail.title.length).toBeLessThan(100);
  const page = await admin.rejects.body({ ...at, rejectId, range: { as: 'lines', count: 2_000 } });
  expect(JSON.stringify(page).length).toBeLessThan(6_000_000);
  const checked = await admin.rejects.check({ ...at, rejectId, fixes: [fix] });
  expect(JSON.stringify(checked).length).toBeLessThan(6_000_000);
  if (rows === 0) {
    expect(checked.ok).toBe(false);
    return;
  }
  expect([checked.ok, checked.records]).toEqual([true, rows]);
  const done = await admin.rejects.replay({ ...at, rejectId, fixes: [fix] });
  expect([done.landed, done.attempt.rows]).toEqual([true, rows]);
  await verifyHolds(admin);
});
