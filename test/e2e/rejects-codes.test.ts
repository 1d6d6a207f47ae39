// Owns the proof that every code a batch can be rejected with is seen, mended and landed in the window, row by row.
// Never mends past the window.

import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';
import { type AdminClient, adminOf } from '../helpers/admin.ts';
import { openBrowser, openFace, whyNoBrowser } from '../helpers/browser.ts';
import { type Face, goTo, see } from '../helpers/face.ts';
import { post, removeTempFolders, type Server, startServer } from '../helpers/server.ts';
import { choose, open, parts, reject, rowsOfBatch, write } from './rejects-steps.ts';

/** One code: what provokes it, what the window says of it, how it is mended there, what lands. */
interface Way {
  readonly code: ErrorCode;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly columns?: readonly string[];
  readonly before?: readonly { readonly body: string; readonly id?: string }[];
  /** The words of its group. */
  readonly title: string;
  /** The lines that are marked as faulty; none where the fault is of the whole body. */
  readonly bad: readonly number[];
  /** The words of the fix, or the whole body anew; `as it came` where the body itself is good. */
  readonly mend: { readonly fix: RegExp } | { readonly text: string };
  /** Another name for a field, typed in the window. */
  readonly name?: string;
  readonly rows: readonly (readonly [number, Readonly<Record<string, string>>])[];
}

const bytes = (...some: (string | number)[]): Uint8Array =>
  Buffer.concat(some.map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.of(one))));

const DEEP = `${'['.repeat(65)}${']'.repeat(65)}`;
const MANY = Object.fromEntries(Array.from({ length: 1_999 }, (_, at) => [`c${at}`, '1']));
const AS_IT_CAME = { fix: /^Send it as it came/ };

const WAYS: readonly Way[] = [
  {
    ...{ code: 'not_json', title: 'Two objects on one line', bad: [2] },
    ...{ body: '{"a":1.10}\n{"a":2}{"a":3.0}\n', mend: { fix: /^Split objects/ } },
    rows: [
      [1, { a: '1.10' }],
      [2, { a: '2' }],
      [2, { a: '3.0' }],
    ],
  },
  {
    ...{ code: 'not_object', title: 'A line is not an object', bad: [1] },
    ...{ body: '"x"\n{"a":3}\n', mend: { fix: /^Drop the faulty line/ } },
    rows: [[2, { a: '3' }]],
  },
  {
    ...{ code: 'duplicate_key', title: 'temp stands twice in one record', bad: [1] },
    ...{ body: '{"temp":1,"temp":2}\n', mend: { fix: /last/ } },
    rows: [[1, { temp: '2' }]],
  },
  {
    ...{ code: 'column_case_conflict', title: 'temp stands in two spellings', bad: [1] },
    ...{ body: '{"Temp":1,"temp":2}\n', mend: { fix: /^Rename/ }, name: 'temp_2' },
    rows: [[1, { Temp: '1', temp_2: '2' }]],
  },
  {
    ...{ code: 'invalid_utf8', title: 'The body is not UTF-8', bad: [1] },
    ...{ body: bytes('{"a":"caf', 0xe9, '"}\n{"a":"é"}\n'), mend: { fix: /^Replace bytes/ } },
    rows: [
      [1, { a: 'caf\ufffd' }],
      [2, { a: 'é' }],
    ],
  },
  {
    ...{ code: 'invalid_unicode', title: 'a has half a surrogate pair', bad: [1] },
    ...{ body: '{"a":"x\\ud800y"}\n', mend: { fix: /^Replace/ } },
    rows: [[1, { a: 'x\ufffdy' }]],
  },
  {
    ...{
      code: 'invalid_column_name',
      title: 'A field without a name cannot be a column',
      bad: [1],
    },
    ...{ body: '{"a":1,"":2}\n', mend: { text: '{"a":1,"b":2}\n' } },
    rows: [[1, { a: '1', b: '2' }]],
  },
  {
    ...{ code: 'too_deep', title: 'deep is nested too deep', bad: [1] },
    ...{ body: `{"a":1,"deep":${DEEP}}\n`, mend: { fix: /^Drop deep/ } },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ code: 'too_many_columns', title: 'Too many columns', bad: [2] },
    before: [{ body: `${JSON.stringify(MANY)}\n` }],
    ...{ body: '{"c0":"x","d0":"1"}\n{"c0":"y","d1":"2"}\n' },
    mend: { text: '{"c0":"x","d0":"1"}\n{"c0":"y"}\n' },
    rows: [
      [1, { c0: 'x', d0: '1' }],
      [2, { c0: 'y' }],
    ],
  },
  {
    ...{ code: 'unknown_column', title: 'discount is not registered', bad: [1] },
    ...{ columns: ['id'], body: '{"id":1,"discount":5}\n', mend: { fix: /^Register discount/ } },
    rows: [[1, { id: '1', discount: '5' }]],
  },
  {
    ...{ code: 'no_columns', title: 'No record has a field', bad: [] },
    ...{ body: '{}\n{}\n', mend: { text: '{}\n{"a":1}\n' } },
    rows: [
      [1, {}],
      [2, { a: '1' }],
    ],
  },
  {
    ...{ code: 'empty_batch', title: 'The batch has no records', bad: [] },
    ...{ body: '\n \n', mend: { text: '{"a":1}' }, rows: [[1, { a: '1' }]] },
  },
  {
    ...{ code: 'bad_encoding', title: 'The body could not be unpacked', bad: [] },
    body: gzipSync('{"a":"1"}\n{"a":"2"}\n').subarray(0, -4),
    ...{ headers: { 'content-encoding': 'gzip' }, mend: { fix: /^Unpack/ } },
    rows: [
      [1, { a: '1' }],
      [2, { a: '2' }],
    ],
  },
  {
    ...{ code: 'invalid_batch_id', title: 'The batch id cannot be used', bad: [] },
    ...{ body: '{"a":1}\n', headers: { 'x-batch-id': 'no/no' }, mend: AS_IT_CAME },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ code: 'unsupported_media_type', title: 'The media type is not NDJSON', bad: [] },
    ...{ body: '{"a":1}\n', headers: { 'content-type': 'text/csv' }, mend: AS_IT_CAME },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ code: 'unsupported_encoding', title: 'The content encoding is not known', bad: [] },
    ...{ body: '{"a":1}\n', headers: { 'content-encoding': 'compress' }, mend: AS_IT_CAME },
    rows: [[1, { a: '1' }]],
  },
  {
    ...{ code: 'batch_id_conflict', bad: [], body: '{"a":2}\n' },
    title: 'This batch id has landed with a different body',
    ...{ before: [{ body: '{"a":1}\n', id: 'taken' }], headers: { 'x-batch-id': 'taken' } },
    ...{ mend: { fix: /id of its own/ }, rows: [[1, { a: '2' }]] },
  },
];

const why = whyNoBrowser();

test('every code that a batch can get stands in the table', () => {
  const codes = Object.keys(CATALOGUE) as ErrorCode[];
  // The first part of the catalogue: faults of a batch, up to what is refused at the door.
  const ofBatches = codes.slice(0, codes.indexOf('token_missing'));
  expect(WAYS.map(({ code }) => code).sort()).toEqual([...ofBatches].sort());
});

describe.skipIf(why !== undefined)('a batch that was rejected', () => {
  let server: Server;
  let admin: AdminClient;
  let browser: Browser;
  let face: Face;
  beforeAll(async () => {
    server = await startServer({ words: ['--welcome'] });
    admin = adminOf(server);
    browser = await openBrowser();
    face = await openFace(browser, server, { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    removeTempFolders();
  });

  test.each(WAYS.map((way) => [way.code, way] as const))(
    'as %s lands in the window',
    async (code, way) => {
      const { page } = face;
      const stream = code.replaceAll('_', '-');
      const at = { knowledgebase: 'main', stream };
      await admin.streams.create({ ...at, columns: way.columns ? [...way.columns] : null });
      for (const { body, id } of way.before ?? []) {
        const headers: Record<string, string> = id === undefined ? {} : { 'x-batch-id': id };
        expect((await post(server.stream('main', stream), body, headers)).status).toBe(200);
      }
      const sent = await reject(server, stream, way.body, way.headers);
      expect([sent.status, sent.code]).toEqual([CATALOGUE[code].status, code]);

      // In the inbox of its stream, by its cause, and what was answered beside its body.
      await goTo(face, `streams/${stream}/rejects`);
      const { inbox, body, fix, checked } = parts(face);
      await see(inbox.getByRole('treeitem', { name: way.title, level: 1 })).toBeVisible();
      await open(face, sent);
      const said = sent.detail.replace(/^Line \d+(, column \d+)?: ./, '');
      await see(page.locator('.body-message, .reject-whole').getByText(said).first()).toBeVisible();
      if (way.bad.length > 0) {
        const marked = body.locator('.body-row[data-bad]');
        await see(marked).toHaveCount(way.bad.length);
        for (const line of way.bad)
          await see(body.locator(`[data-line="${line}"][data-bad]`)).toBeVisible();
      }

      if ('fix' in way.mend) {
        await choose(face, way.mend.fix);
        if (way.name) await fix.getByRole('combobox', { name: /^New name/ }).fill(way.name);
      } else {
        await page.getByRole('button', { name: 'Edit' }).click();
        await write(face, way.mend.text);
        await see(fix.getByRole('radio', { name: /^Your edit/ })).toBeChecked();
      }
      await see(checked).toContainText('no fault');
      await page.keyboard.press('ControlOrMeta+Enter');
      // Landed once, the links lead both ways, and the rows are those of the mended body.
      const get = () => admin.rejects.get({ ...at, rejectId: sent.rejectId });
      await see.poll(async () => (await get()).state).toBe('replayed');
      const detail = await get();
      expect(detail.changedBy).toBe('window');
      const landedAs = detail.landedAs as string;
      await see(page.locator('.toast').last()).toContainText(`Landed as batch ${landedAs}`);
      expect(await rowsOfBatch(admin, stream, landedAs)).toEqual(way.rows);
      await open(face, sent);
      await fix.getByRole('link', { name: landedAs, exact: true }).click();
      const panel = page.getByRole('complementary', { name: 'The chosen batch' });
      await see(panel.getByText('from reject')).toBeVisible();
      await panel.getByRole('link', { name: sent.rejectId, exact: true }).click();
      await see(page.getByRole('region', { name: `Reject ${sent.rejectId}` })).toBeVisible();
      await see(fix).toContainText('It landed as batch');
    },
  );

  test('leaves nothing open, and verify holds', async () => {
    await goTo(face, 'rejects');
    await see(face.page.getByRole('heading', { name: 'No open rejects' })).toBeVisible();
    await see(face.page.getByText(`${WAYS.length} were replayed, 0 discarded.`)).toBeVisible();
    const proof = await admin.knowledgebases.verify({ knowledgebase: 'main' });
    expect(proof.streams.flatMap(({ differences }) => differences)).toEqual([]);
    expect([proof.holds, proof.differences]).toEqual([true, []]);
    expect(proof.streams.reduce((sum, { totals }) => sum + totals.repaired, 0)).toBe(WAYS.length);
  });
});
