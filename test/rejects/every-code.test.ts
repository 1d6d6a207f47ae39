// Every code that a batch can be rejected with: provoked over HTTP, listed, mended by a fix, landed, row by row.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';
import type { FaultShape, Fix, Proof } from '../../core/model.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import {
  post,
  removeTempFolders,
  type Server,
  startServer,
  strataJson,
} from '../helpers/server.ts';

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

/** One way to be rejected, and to land after all. */
interface Way {
  readonly name: string;
  readonly code: ErrorCode;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly field?: string | null;
  readonly shape?: FaultShape;
  readonly title: string;
  /** Registered columns of its stream. */
  readonly columns?: readonly string[];
  /** Batches that land before. */
  readonly before?: readonly { readonly body: string; readonly id?: string }[];
  readonly fixes: readonly Fix[];
  /** A body by hand, where no fix can help. */
  readonly text?: string;
  /** Rows of the batch: `_line` and its columns by name. */
  readonly rows: readonly (readonly [line: number, columns: Readonly<Record<string, unknown>>])[];
}

const bytes = (...parts: (string | number)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
    ),
  );

const DEEP = `${'['.repeat(65)}${']'.repeat(65)}`;
const MANY = Object.fromEntries(Array.from({ length: 1_999 }, (_, at) => [`c${at}`, '1']));
const PACKED = gzipSync('{"a":"1"}\n{"a":"2"}\n');

const WAYS: readonly Way[] = [
  {
    ...{ name: 'two objects on a line', code: 'not_json', shape: 'two_objects' },
    ...{ title: 'Two objects on one line', fixes: [{ kind: 'split-objects' }] },
    body: '{"a":1.10}\n{"a":2} {"a" : 3.0}\n{"a":4}\n',
    rows: [
      [1, { a: '1.10' }],
      [2, { a: '2' }],
      [2, { a: '3.0' }],
      [3, { a: '4' }],
    ],
  },
  {
    ...{ name: 'cut short', code: 'not_json', shape: 'cut_short', title: 'Last line cut short' },
    ...{ body: '{"a":1}\n\n{"a":2}\n{"a":"th', fixes: [{ kind: 'drop-cut-line' }] },
    rows: [
      [1, { a: '1' }],
      [3, { a: '2' }],
    ],
  },
  {
    ...{ name: 'not JSON', code: 'not_json', shape: 'value', fixes: [{ kind: 'drop-lines' }] },
    ...{ title: 'A value is missing or no JSON', body: '{"a":NaN}\n{"a":2}\n{"a":,}\n{"a":4}' },
    rows: [
      [2, { a: '2' }],
      [4, { a: '4' }],
    ],
  },
  {
    ...{ name: 'an array', code: 'not_object', title: CATALOGUE.not_object.title },
    ...{ body: '[{"a":1},{"a":2}]\n{"a":3}\n', fixes: [{ kind: 'split-objects' }] },
    rows: [
      [1, { a: '1' }],
      [1, { a: '2' }],
      [2, { a: '3' }],
    ],
  },
  {
    ...{ name: 'a field twice', code: 'duplicate_key', field: 'temp' },
    title: 'temp stands twice in one record',
    body: '{"Temp": 1, "b":2, "Temp" :3}\n{"Temp":4,"b":5}\n',
    fixes: [{ kind: 'keep-duplicate', keep: 'last' }],
    rows: [
      [1, { b: '2', Temp: '3' }],
      [2, { b: '5', Temp: '4' }],
    ],
  },
  {
    ...{ name: 'two spellings', code: 'column_case_conflict', field: 'temp' },
    title: 'temp stands in two spellings',
    ...{
      body: '{"Temp":1,"temp":2}\n',
      fixes: [{ kind: 'rename-field', field: 'temp', to: 'é"' }],
    },
    rows: [[1, { Temp: '1', 'é"': '2' }]],
  },
  {
    ...{ name: 'bytes', code: 'invalid_utf8', title: CATALOGUE.invalid_utf8.title },
    body: bytes('{"a":"caf', 0xe9, '!"}\n{"a":"é"}\n'),
    fixes: [{ kind: 'replace-invalid-utf8' }],
    rows: [
      [1, { a: 'caf\ufffd!' }],
      [2, { a: 'é' }],
    ],
  },
  {
    ...{ name: 'half a pair', code: 'invalid_unicode', field: 'a' },
    title: 'a has half a surrogate pair',
    body: '{"a":"\\\\ud800 \\uD83D\\uDE00 \\ud800"}\n',
    fixes: [{ kind: 'replace-lone-surrogates' }],
    rows: [[1, { a: '\\ud800 \u{1F600} \ufffd' }]],
  },
  {
    ...{ name: 'a name', code: 'invalid_column_name', field: '' },
    title: 'A field without a name cannot be a column',
    ...{ body: '{"a":1,"":2}\n', fixes: [{ kind: 'drop-field', field: '' }] },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ name: 'depth', code: 'too_deep', field: 'deep', title: 'deep is nested too deep' },
    ...{ body: `{"a":1,"deep":${DEEP} , "b":2}\n`, fixes: [{ kind: 'drop-field', field: 'deep' }] },
    rows: [[1, { a: '1', b: '2' }]],
  },
  {
    ...{ name: 'columns of a stream', code: 'too_many_columns', shape: 'other' },
    title: CATALOGUE.too_many_columns.title,
    before: [{ body: `${JSON.stringify(MANY)}\n` }],
    body: '{"c0":"x","d0":"1"}\n{"c0":"y","d1":"2"}\n',
    fixes: [],
    text: '{"c0":"x","d0":"1"}\n{"c0":"y"}\n',
    rows: [
      [1, { c0: 'x', d0: '1' }],
      [2, { c0: 'y' }],
    ],
  },
  {
    ...{ name: 'a column', code: 'unknown_column', field: 'discount', columns: ['id', 'qty'] },
    title: 'discount is not registered',
    body: '{"id":1,"Discount":5}\n{"id":2,"qty":3}\n',
    fixes: [{ kind: 'register-column', column: 'Discount' }],
    rows: [
      [1, { id: '1', Discount: '5' }],
      [2, { id: '2', qty: '3' }],
    ],
  },
  {
    ...{ name: 'no fields', code: 'no_columns', shape: 'body', title: CATALOGUE.no_columns.title },
    ...{ body: '{}\n{}\n', fixes: [], text: '{}\n{"a":1}\n' },
    rows: [
      [1, {}],
      [2, { a: '1' }],
    ],
  },
  {
    ...{ name: 'nothing', code: 'empty_batch', shape: 'body', title: CATALOGUE.empty_batch.title },
    ...{ body: '\n \n', fixes: [], text: '{"a":1}\n', rows: [[1, { a: '1' }]] },
  },
  {
    ...{ name: 'gzip', code: 'bad_encoding', shape: 'body', title: CATALOGUE.bad_encoding.title },
    ...{ body: new Uint8Array(PACKED.subarray(0, -4)), headers: { 'content-encoding': 'gzip' } },
    fixes: [{ kind: 'unpack' }],
    rows: [
      [1, { a: '1' }],
      [2, { a: '2' }],
    ],
  },
  {
    ...{ name: 'encoding', code: 'unsupported_encoding', shape: 'body' },
    ...{ body: '{"a":1}\n', headers: { 'content-encoding': 'compress' }, fixes: [] },
    ...{ title: CATALOGUE.unsupported_encoding.title, rows: [[1, { a: '1' }]] },
  },
  {
    ...{ name: 'media type', code: 'unsupported_media_type', shape: 'body' },
    ...{ body: '{"a":1}\n', headers: { 'content-type': 'text/csv' }, fixes: [] },
    ...{ title: CATALOGUE.unsupported_media_type.title, rows: [[1, { a: '1' }]] },
  },
  {
    ...{ name: 'id', code: 'invalid_batch_id', shape: 'body', headers: { 'x-batch-id': 'no/no' } },
    ...{ title: CATALOGUE.invalid_batch_id.title, body: '{"a":1}\n', fixes: [] },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ name: 'conflict', code: 'batch_id_conflict', shape: 'body' },
    ...{ title: CATALOGUE.batch_id_conflict.title, before: [{ body: '{"a":1}\n', id: 'taken' }] },
    ...{ body: '{"a":2}\n', headers: { 'x-batch-id': 'Taken' }, fixes: [{ kind: 'own-batch-id' }] },
    rows: [[1, { a: '2' }]],
  },
];

/** Codes of the catalogue that reject a batch: all that it can get after it was taken in. */
const OF_BATCHES: readonly ErrorCode[] = [
  ...(['not_json', 'not_object', 'duplicate_key', 'column_case_conflict', 'invalid_utf8'] as const),
  ...(['invalid_unicode', 'invalid_column_name', 'too_deep', 'too_many_columns'] as const),
  ...(['unknown_column', 'no_columns', 'empty_batch', 'bad_encoding', 'invalid_batch_id'] as const),
  ...(['unsupported_media_type', 'unsupported_encoding', 'batch_id_conflict'] as const),
];

it('is provoked here', () => {
  const codes = Object.keys(CATALOGUE);
  expect(codes.slice(0, OF_BATCHES.length).sort()).toEqual([...OF_BATCHES].sort());
  expect([...new Set(WAYS.map(({ code }) => code))].sort()).toEqual([...OF_BATCHES].sort());
});

describe.each(WAYS.map((way, at) => [way.name, way, `s${at}`] as const))('%s', (_, way, stream) => {
  const at = { knowledgebase: 'lab', stream };
  let rejectId: string;
  let batchId: string;

  it('is answered and kept', async () => {
    await admin.streams.create({ ...at, columns: way.columns ? [...way.columns] : null });
    for (const { body, id } of way.before ?? []) {
      const headers: Record<string, string> = id === undefined ? {} : { 'x-batch-id': id };
      expect((await post(server.stream('lab', stream), body, headers)).status).toBe(200);
    }
    const headers = { 'x-batch-id': `id-${stream}`, ...way.headers };
    const body = typeof way.body === 'string' ? way.body : new Uint8Array(way.body);
    const answer = await post(server.stream('lab', stream), body, headers);
    const document = await answer.json();
    expect({ status: answer.status, code: document.code }).toEqual({
      status: CATALOGUE[way.code].status,
      code: way.code,
    });
    rejectId = document.reject_id;
    batchId = document.batch_id;
  });

  it('is listed with its cause', async () => {
    const { rejects } = await admin.rejects.list(at);
    const { field = null, shape = 'other', code } = way;
    expect(rejects).toMatchObject([{ rejectId, batchId, code, field, shape, state: 'open' }]);
    const { groups } = await admin.rejects.groups({ ...at });
    expect(groups).toMatchObject([{ stream, code, field, shape, title: way.title, open: 1 }]);
  });

  it('lands when it is mended, row by row', async () => {
    const mend = { fixes: [...way.fixes], ...(way.text ? { body: { text: way.text } } : {}) };
    const checked = await admin.rejects.check({ ...at, rejectId, ...mend });
    expect({ ok: checked.ok, faults: checked.faults }).toEqual({ ok: true, faults: [] });
    const { landed, reject, attempt } = await admin.rejects.replay({ ...at, rejectId, ...mend });
    expect([landed, reject.state, attempt.rows]).toEqual([true, 'replayed', way.rows.length]);
    const landedAs = way.code === 'batch_id_conflict' ? checked.batchId : batchId;
    expect([reject.landedAs, attempt.batchId]).toEqual([landedAs, landedAs]);
    const batch = await admin.streams.batch({ ...at, batchId: landedAs });
    expect(batch).toMatchObject({ rejectId, rejectSha256: reject.sha256, rows: way.rows.length });

    const columns = (await admin.streams.columns(at)).map(({ landed: column }) => column);
    const page = await admin.streams.rows({ ...at, limit: 1_000 });
    const rows = page.rows
      .filter((row) => row.batchId === landedAs)
      .map(({ line, values }) => {
        const named = page.columns.map((column, index) => [column, values[index]] as const);
        return [line, Object.fromEntries(named.filter(([, value]) => value !== null))] as const;
      });
    expect(columns).toEqual(page.columns);
    expect(rows).toEqual(way.rows);
  });

  it('is in SQL', async () => {
    const sql = `SELECT reject_id, batch_id, code, state FROM raw_rejects."stream_${stream}"`;
    const { rows } = await admin.query.run({ knowledgebase: 'lab', sql });
    expect(new Set(rows.map((row) => row.join()))).toEqual(
      new Set([`${rejectId},${batchId},${way.code},replayed`]),
    );
  });

  it('is a replay when its producer sends it again', async () => {
    // Without a good id, or with an encoding or type that is never taken, the producer's retry is another reject.
    const isKnown = !/encoding|media|invalid_batch_id/.test(way.code);
    if (!isKnown) return;
    const body = typeof way.body === 'string' ? way.body : new Uint8Array(way.body);
    const id = way.headers?.['x-batch-id'] ?? `id-${stream}`;
    const answer = await post(server.stream('lab', stream), body, { 'x-batch-id': id });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { replayed: true, rows: way.rows.length },
    ]);
  });
});

it('verify holds, here and after the ledger is made anew', async () => {
  const before = await admin.streams.list({ knowledgebase: 'lab' });
  expect(before.every(({ repaired }) => repaired === 1)).toBe(true);
  const proof = await admin.knowledgebases.verify({ knowledgebase: 'lab' });
  expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
  expect([proof.holds, proof.differences]).toEqual([true, []]);
  await server.stop();
  await strataJson(server.home, ['repair', 'lab']);
  const again = await strataJson<Proof>(server.home, ['verify', 'lab']);
  expect([again.holds, again.streams.flatMap(({ differences }) => differences)]).toEqual([
    true,
    [],
  ]);
  expect(again.streams.map(({ totals }) => totals)).toEqual(
    proof.streams.map(({ totals }) => ({ ...totals, lastLandedAt: expect.any(String) })),
  );
});
