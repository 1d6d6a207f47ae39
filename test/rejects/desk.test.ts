// The desk: tasks one after the other on a thread of its own, what nobody waits for any more not begun, a thread that
// dies outlived; and pieces of bodies that are not text, which stay small.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Desk } from '../../core/rejects/desk/desk.ts';
import { openDesk } from '../../core/rejects/desk/desk.ts';
import { pagedBody, pageOf } from '../../core/rejects/page.ts';
import { MOST_INVALID } from '../../core/rejects/show-line.ts';
import { codeOf } from '../helpers/rejects.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const ENTRY = pathToFileURL(join(process.cwd(), 'dist', 'desk-worker.mjs'));
const crashes: string[] = [];
let desk: Desk | undefined;

afterEach(() => desk?.close());
afterAll(removeTempFolders);

const opened = (entry: URL): Desk => {
  desk = openDesk({ entry, onCrash: ({ message }) => crashes.push(message) });
  return desk;
};

/** A body on disk. */
const bodyFile = (text: string): string => {
  const path = join(tempFolder(), 'one.ndjson');
  writeFileSync(path, text);
  return path;
};

const FIRST = { as: 'lines', line: 1, count: 1, width: 16 } as const;

describe('the desk', () => {
  it('does what it is asked for, and says what cannot be', async () => {
    const { run } = opened(ENTRY);
    const body = bodyFile('{"a":1}\nx\n');
    expect(await run('page', { body, range: FIRST })).toEqual({
      ...{ bodyBytes: 10, lines: 2, utf8: true },
      piece: {
        as: 'lines',
        lines: [{ line: 1, offset: 0, bytes: 7, text: '{"a":1}', invalid: [], cut: false }],
      },
    });
    const gone = join(tempFolder(), 'gone.ndjson');
    expect(await codeOf(run('page', { body: gone, range: FIRST }))).toBe('reject_body_gone');
    expect(await run('line', { body: gone, line: 1, width: 10 })).toBeNull();
    expect(await run('search', { bodies: [gone, body], text: '"A"' })).toEqual([false, true]);
  });

  it('does not begin what nobody waits for any more', async () => {
    const { run } = opened(ENTRY);
    const large = bodyFile('x\n'.repeat(2_000_000));
    const leave = new AbortController();
    const rules = {
      ...{ registered: null, known: [], maxColumns: 10, maxBytes: 1e9 },
      places: { batch: { batchId: 'a', taken: null }, own: { batchId: 'b', taken: null } },
    };
    const fixes = [{ kind: 'drop-lines' as const }];
    const began = performance.now();
    const first = run('tryFixes', { body: large, fixes, rules });
    const others = Array.from({ length: 50 }, () =>
      run('tryFixes', { body: large, fixes, rules }, leave.signal),
    );
    leave.abort(new Error('Nobody waits.'));
    expect(new Set(await Promise.all(others.map((other) => other.catch(String))))).toEqual(
      new Set(['Error: Nobody waits.']),
    );
    await first;
    const one = performance.now() - began;
    await run('line', { body: large, line: 1, width: 10 });
    // Fifty of them would be before it.
    expect(performance.now() - began).toBeLessThan(10 * one);
    await expect(run('line', { body: large, line: 1, width: 10 }, leave.signal)).rejects.toThrow(
      'Nobody waits.',
    );
  });

  it('fails what a thread had that dies, and goes on with another', async () => {
    const entry = join(tempFolder(), 'entry.mjs');
    writeFileSync(
      entry,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', () => { throw new Error('It fell over.'); });`,
    );
    const { run } = opened(pathToFileURL(entry));
    const body = bodyFile('x\n');
    await expect(run('page', { body, range: FIRST })).rejects.toThrow('It fell over.');
    writeFileSync(entry, `import ${JSON.stringify(ENTRY.href)};`);
    expect((await run('page', { body, range: FIRST })).lines).toBe(1);
    expect(crashes).toEqual(['It fell over.']);
  });

  it('ends with what it had when it is closed', async () => {
    const { run, close } = opened(ENTRY);
    const body = bodyFile('x\n'.repeat(2_000_000));
    const page = codeOf(run('page', { body, range: FIRST }));
    await close();
    expect(await page).toBe('not_ready');
  });
});

describe('a body that is no text', () => {
  const body = pagedBody(new Uint8Array(1_000_000).fill(0xff));

  it('comes in pieces that end early, and are whole together', () => {
    const { piece } = pageOf(body, { as: 'text', offset: 0, bytes: 1_000_000 });
    if (piece.as !== 'text') throw new Error('Another piece.');
    expect([piece.bytes, piece.invalid.length]).toEqual([MOST_INVALID, MOST_INVALID]);
    expect(piece.text).toBe('\ufffd'.repeat(MOST_INVALID));
    const next = pageOf(body, { as: 'text', offset: piece.bytes, bytes: 1 }).piece;
    expect(next).toEqual({
      ...{ as: 'text', offset: MOST_INVALID, bytes: 1, text: '\ufffd' },
      invalid: [{ at: 0, byte: 0xff }],
    });
  });

  it('is cut as a line', () => {
    const { piece } = pageOf(body, { as: 'lines', line: 1, count: 1, width: 65_536 });
    if (piece.as !== 'lines') throw new Error('Another piece.');
    const [line] = piece.lines;
    expect([line?.bytes, line?.text.length, line?.cut]).toEqual([1_000_000, MOST_INVALID, true]);
  });
});
