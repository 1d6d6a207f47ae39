// Owns the proof that each outcome of a POST is in the ledger once, whatever comes twice, late, or out of order.

import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Outcome, openRecorder, type Recorder } from '../../core/engine/recorder.ts';
import { type Ledger, openLedger } from '../../core/ledger/open.ts';
import type { Batch, Reject } from '../../core/model.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';
import { until } from '../helpers/until.ts';

let path: string;
let ledger: Ledger;
let recorder: Recorder;
let troubles: unknown[];

beforeEach(() => {
  path = join(tempFolder(), 'ledger.sqlite');
  ledger = openLedger(path);
  ledger.streams.ensure('S', '2026-01-01T00:00:00.000Z');
  troubles = [];
  recorder = openRecorder(
    () => ledger,
    (error) => troubles.push(error),
  );
});
afterEach(() => {
  recorder.close();
  ledger.close();
});
afterAll(removeTempFolders);

const batch = (batchId: string, more: Partial<Batch> = {}): Batch => ({
  ...{ stream: 'S', batchId, file: `${batchId}.parquet`, rows: 3, sizeBytes: 700, bodyBytes: 30 },
  ...{ landedFile: null, rowInFile: 0 },
  ...{ sha256: 'a'.repeat(64), sender: 'test', receivedAt: '2026-01-01T00:00:01.000Z' },
  ...{ landedAt: '2026-01-01T00:00:02.000Z', replays: 0, lastReplayedAt: null, recovered: false },
  ...{ rejectId: null, rejectSha256: null, partRejectId: null, linesRejected: 0 },
  ...more,
});

const reject = (rejectId: string, more: Partial<Reject> = {}): Reject => ({
  ...{ stream: 'S', rejectId, batchId: rejectId, state: 'open', code: 'not_json', message: 'No.' },
  ...{ line: 1, column: 2, faultCount: 1, sender: null, times: 1, bodyBytes: 9 },
  ...{ receivedAt: '2026-01-01T00:00:01.000Z', lastReceivedAt: '2026-01-01T00:00:01.000Z' },
  ...{ sha256: 'b'.repeat(64), field: null, shape: 'other', changedAt: null, changedBy: null },
  ...{ landedAs: null, partOf: null, bodyRemovedAt: null, attempts: 0 },
  ...more,
});

const landed = (one: Batch): Outcome => ({ kind: 'landed', batch: one, part: null });
const replayed = (
  batchId: string,
  found: Batch | null,
  at = '2026-01-01T00:00:09.000Z',
): Outcome => ({
  ...{ kind: 'replayed', stream: 's', batchId, at, found, part: null },
});
const rejected = (one: Reject, repeated = false): Outcome => ({
  ...{ kind: 'rejected', reject: one, repeated },
});
const refused = (code: 'stream_busy' | 'body_too_large', at: string): Outcome => ({
  ...{ kind: 'refused', stream: 's', code, at },
});

const record = (...outcomes: Outcome[]) => Promise.all(outcomes.map(recorder.record));

const totals = () => {
  const {
    received,
    landed: files,
    rejected: bad,
    replayed: again,
    refused: no,
    rows,
  } = ledger.streams.get('S') as NonNullable<ReturnType<Ledger['streams']['get']>>;
  return { received, landed: files, rejected: bad, replayed: again, refused: no, rows };
};

describe('a landed batch', () => {
  it('counts once, however often it is recorded', async () => {
    await record(landed(batch('one')), landed(batch('one')));
    await record(landed(batch('ONE')), landed(batch('two')));
    expect([...ledger.batches.each('S')]).toEqual([batch('one'), batch('two')]);
    expect(totals()).toEqual({
      ...{ received: 2, landed: 2, rejected: 0, replayed: 0, refused: 0, rows: 6 },
    });
  });

  it('that a restart had found is claimed by the process that answered it', async () => {
    const found = batch('one', {
      ...{ recovered: true, sender: null, receivedAt: 'r', landedAt: '2026-01-01T00:00:07.000Z' },
    });
    await record(landed(found));
    await record(landed(batch('one')));
    expect([...ledger.batches.each('S')]).toEqual([batch('one')]);
    expect(totals()).toMatchObject({ received: 1, landed: 1, rows: 3 });
  });

  it('is not claimed by another body', async () => {
    const found = batch('one', { recovered: true });
    await record(landed(found), landed(batch('one', { sha256: 'c'.repeat(64), sender: 'other' })));
    expect([...ledger.batches.each('S')]).toEqual([found]);
  });
});

describe('a replay', () => {
  it('counts on its batch', async () => {
    await record(landed(batch('one')), replayed('ONE', null), replayed('one', null, 'later'));
    expect([...ledger.batches.each('S')]).toEqual([
      batch('one', { replays: 2, lastReplayedAt: 'later' }),
    ]);
    expect(totals()).toMatchObject({ received: 3, landed: 1, replayed: 2, rows: 3 });
  });

  it('of a batch that the ledger does not know records it first', async () => {
    const found = batch('one', { recovered: true });
    await record(replayed('one', found));
    await record(replayed('one', found));
    expect(totals()).toMatchObject({ received: 3, landed: 1, replayed: 2, rows: 3 });
  });
});

describe('a reject', () => {
  it('counts once, and again where the same body comes again', async () => {
    await record(rejected(reject('bad')), rejected(reject('bad')));
    expect(totals()).toMatchObject({ received: 1, rejected: 1 });
    await record(rejected(reject('bad', { lastReceivedAt: 'later' }), true));
    expect([...ledger.rejects.each('S')]).toEqual([
      reject('bad', { times: 2, lastReceivedAt: 'later' }),
    ]);
    expect(totals()).toMatchObject({ received: 2, rejected: 2 });
  });

  it('that comes again and was never recorded counts once', async () => {
    await record(rejected(reject('bad'), true));
    expect(totals()).toMatchObject({ received: 1, rejected: 1 });
  });
});

describe('refusals', () => {
  it('count by code', async () => {
    await record(
      refused('stream_busy', '1'),
      refused('body_too_large', '2'),
      refused('stream_busy', '3'),
    );
    expect(ledger.refusals.list('S')).toEqual([
      { code: 'stream_busy', times: 2, lastAt: '3' },
      { code: 'body_too_large', times: 1, lastAt: '2' },
    ]);
    expect(totals()).toMatchObject({ received: 3, refused: 3 });
  });
});

describe('the writing', () => {
  it('is one transaction for one turn of the event loop: another process sees all of it or nothing', async () => {
    const other = openLedger(path);
    const seen = new Set<number>();
    const all = record(...Array.from({ length: 200 }, (_, n) => landed(batch(`b${n}`))));
    expect(recorder.waiting).toBe(200);
    const look = (): void => void seen.add(other.streams.get('S')?.received ?? -1);
    let isOver = false;
    const lookAgain = (): void => {
      if (isOver) return;
      look();
      setImmediate(lookAgain);
    };
    lookAgain();
    await all;
    isOver = true;
    look();
    other.close();
    expect([[...seen], recorder.waiting]).toEqual([[0, 200], 0]);
  });

  it('of an outcome that is at fault itself is passed over and said; the others are there', async () => {
    const wrong = batch('wrong', { rows: 'three' as unknown as number });
    await record(landed(batch('one')), landed(wrong), landed(batch('two')));
    expect([...ledger.batches.each('S')].map(({ batchId }) => batchId)).toEqual(['one', 'two']);
    expect(troubles.map(String)).toEqual([
      expect.stringContaining('cannot store TEXT value in INTEGER column batches.rows'),
    ]);
    expect([totals().received, recorder.waiting]).toEqual([2, 0]);
  });

  it('waits while another process holds the ledger; the POST is answered, the outcome comes later', {
    timeout: 40_000,
  }, async () => {
    const holder = openSqlite(path);
    holder.exec('BEGIN IMMEDIATE');
    await record(landed(batch('one')), refused('stream_busy', '1'));
    expect(recorder.waiting).toBe(2);
    expect(troubles.map(String)).toEqual(['SqliteError: database is locked']);
    expect(() => recorder.flush()).toThrow('database is locked');
    holder.exec('COMMIT');
    holder.close();
    await until('both are written', () => recorder.waiting === 0);
    expect(totals()).toMatchObject({ received: 2, landed: 1, refused: 1 });
  });

  it('what waits is written by flush', async () => {
    void recorder.record(landed(batch('one')));
    recorder.flush();
    expect([recorder.waiting, totals().received]).toEqual([0, 1]);
  });
});
