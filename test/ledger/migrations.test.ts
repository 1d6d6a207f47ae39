// A ledger of the first schema, brought up to date: every batch gets its place in its stream.

import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { initial } from '../../core/ledger/migrations/001-initial.ts';
import { MIGRATIONS } from '../../core/ledger/migrations/index.ts';
import { openLedger } from '../../core/ledger/open.ts';
import type { Batch } from '../../core/model.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const AT = '2026-01-01T00:00:00.000Z';
const SHA = 'a'.repeat(64);

let path: string;
beforeEach(() => {
  path = join(tempFolder(), 'ledger.sqlite');
});
afterAll(removeTempFolders);

/** Batches of two streams in landing order, their ids against it. */
const LANDED = [
  ['A', 'z', 3],
  ['b', 'y', 5],
  ['A', 'x', 1],
  ['A', 'w', 10],
  ['b', 'v', 2],
] as const;

const makeFirst = (batches: typeof LANDED | readonly []): void => {
  const db = openSqlite(path);
  db.exec(initial);
  db.pragma('user_version = 1');
  for (const [stream, id, rows] of batches) {
    db.prepare(
      'INSERT INTO streams (stream_key, stream, created_at) VALUES (lower(?), ?, ?) ON CONFLICT DO NOTHING',
    ).run(stream, stream, AT);
    db.prepare(`INSERT INTO batches (stream_key, batch_key, batch_id, file, rows, size_bytes, body_bytes, sha256,
      sender, received_at, landed_at) VALUES (lower(?), ?, ?, ?, ?, 10, 20, ?, 'me', ?, ?)`).run(
      ...[stream, id, id, `${id}.parquet`, rows, SHA, AT, AT],
    );
    db.prepare(
      'UPDATE streams SET rows = rows + ?, files = files + 1 WHERE stream_key = lower(?)',
    ).run(...[rows, stream]);
  }
  db.close();
};

const batch = (stream: string, id: string, rows: number): Batch => ({
  ...{ stream, batchId: id, file: `${id}.parquet`, rows, sizeBytes: 10, bodyBytes: 20 },
  ...{ sha256: SHA, sender: 'me', receivedAt: AT, landedAt: AT, replays: 0 },
  ...{ lastReplayedAt: null, recovered: false, landedFile: null, rowInFile: 0 },
});

const placed = (seq: number, stream: string, id: string, rows: number, firstRow: number) => ({
  ...batch(stream, id, rows),
  ...{ seq, firstRow },
});

const A = [placed(1, 'A', 'z', 3, 0), placed(3, 'A', 'x', 1, 3), placed(4, 'A', 'w', 10, 4)];
const B = [placed(2, 'b', 'y', 5, 0), placed(5, 'b', 'v', 2, 5)];

describe('a ledger of the first schema', () => {
  it('gets the place of each batch, stream by stream', () => {
    makeFirst(LANDED);
    const ledger = openLedger(path);
    expect([...ledger.batches.list('A', 10)].reverse()).toEqual(A);
    expect([...ledger.batches.list('b', 10)].reverse()).toEqual(B);
    expect(ledger.batches.place('a', 'W')).toEqual({ ...A[2], stream: 'a' });
    expect(ledger.faults()).toEqual([]);
    ledger.close();
  });

  it('goes on from there', () => {
    makeFirst(LANDED);
    const first = openLedger(path);
    first.transaction(() => {
      expect(first.batches.add(batch('A', 'c', 4))).toBe(true);
      first.streams.addLanded('A', 4, 10, AT);
      expect(first.batches.add(batch('A', 'a', 1))).toBe(true);
      first.streams.addLanded('A', 1, 10, AT);
      // The same again changes nothing.
      expect(first.batches.add(batch('A', 'Z', 9))).toBe(false);
    });
    first.close();
    const second = openLedger(path);
    expect([...second.batches.list('A', 10)].reverse()).toEqual([
      ...A,
      ...[placed(6, 'A', 'c', 4, 14), placed(7, 'A', 'a', 1, 18)],
    ]);
    expect([...second.batches.list('b', 10)].reverse()).toEqual(B);
    second.close();
  });

  it('says which batches a piece of the rows lies in', () => {
    makeFirst(LANDED);
    const ledger = openLedger(path);
    const ids = (from: number, to: number) =>
      ledger.batches.covering('A', from, to).map(({ batchId }) => batchId);
    for (let from = 0; from <= 15; from += 1) {
      for (let to = from + 1; to <= 16; to += 1) {
        const lying = A.filter(({ firstRow, rows }) => firstRow < to && firstRow + rows > from);
        expect(ids(from, to), `${from} to ${to}`).toEqual(lying.map(({ batchId }) => batchId));
      }
    }
    expect(ledger.batches.covering('nope', 0, 10)).toEqual([]);
    ledger.close();
  });

  it('may be empty, and keeps queries afterwards', () => {
    makeFirst([]);
    const ledger = openLedger(path);
    const saved = ledger.queries.save('n', 'SELECT 1', AT);
    expect(ledger.queries.saved()).toEqual([{ id: saved.id, name: 'n', sql: 'SELECT 1', at: AT }]);
    ledger.close();
    const db = openSqlite(path);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    db.close();
  });
});

describe('the history', () => {
  it('keeps the newest 500 runs, and every saved query', () => {
    const ledger = openLedger(path);
    const run = (n: number) => ({ sql: `SELECT ${n}`, at: AT, elapsedMs: n, fault: null });
    ledger.queries.save('first', 'SELECT 0', AT);
    for (let n = 1; n <= 520; n += 1) ledger.queries.note(run(n));
    ledger.queries.note({ ...run(100), elapsedMs: null, fault: 'no' });
    const kept = ledger.queries.history(1_000);
    expect([kept.length, kept.at(-1)?.sql]).toEqual([500, 'SELECT 21']);
    expect(kept.slice(0, 2)).toEqual([
      { id: expect.any(Number), ...run(100), elapsedMs: null, fault: 'no' },
      { id: expect.any(Number), ...run(520) },
    ]);
    expect(ledger.queries.saved().map(({ name }) => name)).toEqual(['first']);
    ledger.close();
  });
});
