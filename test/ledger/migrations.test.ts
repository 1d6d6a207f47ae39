// A ledger of the first schema, brought up to date: every batch gets its place in its stream.

import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRun } from '../../core/ledger/compactions.ts';
import { initial } from '../../core/ledger/migrations/001-initial.ts';
import { placesAndQueries } from '../../core/ledger/migrations/002-places-and-queries.ts';
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
  ...{ lastReplayedAt: null, recovered: false, rejectId: null, rejectSha256: null },
  ...{ partRejectId: null, linesRejected: 0, landedFile: null, rowInFile: 0 },
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

describe('a ledger of the second schema', () => {
  it('gets alerts, and has none', () => {
    const db = openSqlite(path);
    for (const migration of MIGRATIONS.slice(0, 2)) db.exec(migration);
    db.pragma('user_version = 2');
    db.prepare('INSERT INTO streams (stream_key, stream, created_at) VALUES (?, ?, ?)').run(
      ...['s', 'S', AT],
    );
    db.close();
    const ledger = openLedger(path);
    expect(ledger.alerts.open()).toEqual(new Map());
    const one = { file: 'x.parquet', reason: 'It is not whole.', at: AT };
    expect(ledger.alerts.settle('S', 'set-aside', [one])).toEqual([{ ...one, kind: 'set-aside' }]);
    expect(ledger.alerts.settle('s', 'set-aside', [one])).toEqual([]);
    expect(ledger.alerts.open()).toEqual(new Map([['s', { 'set-aside': 1, missing: 0 }]]));
    expect(ledger.streams.list().map(({ stream }) => stream)).toEqual(['S']);
    ledger.close();
  });

  const makeSecond = (): void => {
    makeFirst(LANDED);
    const db = openSqlite(path);
    db.exec(placesAndQueries);
    db.pragma('user_version = 2');
    for (let n = 1; n <= 300; n += 1) {
      db.prepare(`INSERT INTO rejects (stream_key, reject_id, batch_id, code, message, line, "column", fault_count,
        received_at, last_received_at, times, body_bytes, sha256) VALUES (?, ?, ?, 'not_json', 'No.', 1, 2, 1, ?, ?, ?, 9, ?)`).run(
        ...[n % 2 === 0 ? 'a' : 'b', `r${n}`, `r${n}`, AT, AT, n === 2 ? 3 : 1, SHA],
      );
    }
    db.exec('UPDATE streams SET received = files + 150');
    db.exec("UPDATE streams SET received = received + 2 WHERE stream_key = 'a'");
    db.close();
  };

  it('keeps its rejects: open, of no cause told yet, all of them new to SQL', () => {
    makeSecond();
    const ledger = openLedger(path);
    expect(ledger.rejects.get('A', 'r2')).toEqual({
      ...{ stream: 'A', rejectId: 'r2', batchId: 'r2', state: 'open', code: 'not_json' },
      ...{ message: 'No.', line: 1, column: 2, field: null, shape: 'other', faultCount: 1 },
      ...{ sender: null, receivedAt: AT, lastReceivedAt: AT, times: 3, bodyBytes: 9, sha256: SHA },
      ...{ changedAt: null, changedBy: null, landedAs: null, partOf: null, bodyRemovedAt: null },
      attempts: 0,
    });
    expect(ledger.rejects.withoutCause().length).toBe(300);
    expect(ledger.rejectChunks.stale().map(({ stream, chunk }) => [stream, chunk])).toEqual([
      ...[['A', 1] as const, ['A', 0] as const, ['b', 1] as const, ['b', 0] as const],
    ]);
    expect(ledger.rejectChunks.rejects('b', 1).map(({ rejectId }) => rejectId)).toEqual(
      Array.from({ length: 22 }, (_, at) => `r${257 + 2 * at}`),
    );
    expect(ledger.streams.get('a')).toMatchObject({
      ...{
        received: 155,
        landed: 3,
        rejected: 152,
        repaired: 0,
        linesRejected: 0,
        openRejects: 150,
      },
    });
    expect(ledger.faults()).toEqual([]);
    ledger.close();
  });

  it('goes on from there: a change makes its chunk stale, and no other', () => {
    makeSecond();
    const ledger = openLedger(path);
    for (const chunk of ledger.rejectChunks.stale())
      expect(ledger.rejectChunks.written(chunk)).toBe(true);
    expect(ledger.rejectChunks.stale()).toEqual([]);
    const change = { at: AT, by: 'me', operation: 'o', landedAs: null };
    expect(ledger.rejects.change('A', 'r2', 'discarded', { state: 'open', ...change })).toBe(false);
    expect(ledger.rejects.change('A', 'r2', 'open', { state: 'discarded', ...change })).toBe(true);
    const [stale] = ledger.rejectChunks.stale();
    expect(ledger.rejectChunks.stale()).toEqual([{ stream: 'A', chunk: 0, version: 2 }]);
    ledger.rejects.change('A', 'r4', 'open', { state: 'discarded', ...change });
    // What was written was of before the second change.
    expect(ledger.rejectChunks.written(stale as NonNullable<typeof stale>)).toBe(false);
    expect(ledger.rejects.unsaved().map(({ rejectId }) => rejectId)).toEqual(['r2', 'r4']);
    ledger.close();
  });
});

describe('a ledger from before compaction', () => {
  it('keeps what its batches say of rejects', () => {
    makeFirst(LANDED);
    const before = openSqlite(path);
    for (const migration of MIGRATIONS.slice(1, 4)) before.exec(migration);
    before.pragma('user_version = 4');
    before.exec("UPDATE batches SET reject_id = 'r', reject_sha256 = 'h' WHERE batch_id = 'x'");
    before.exec("UPDATE batches SET part_reject_id = 'p', lines_rejected = 2 WHERE batch_id = 'w'");
    before.close();
    const ledger = openLedger(path);
    expect(ledger.batches.linked('A')).toEqual([
      { ...batch('A', 'x', 1), rejectId: 'r', rejectSha256: 'h' },
      { ...batch('A', 'w', 10), partRejectId: 'p', linesRejected: 2 },
    ]);
    ledger.close();
  });

  it('has every batch in its own file, and no compacted one, run or measurement', () => {
    makeFirst(LANDED);
    const before = openSqlite(path);
    before.exec(placesAndQueries);
    before.pragma('user_version = 2');
    before.close();
    const ledger = openLedger(path);
    expect([...ledger.batches.eachLoose('A')]).toEqual(A);
    expect(ledger.batches.looseAfter('A', 1, 1)).toEqual([A[1]]);
    expect(ledger.batches.looseSums('A')).toEqual({ files: 3, rows: 14, sizeBytes: 30 });
    expect(ledger.compactedFiles.list('A')).toEqual([]);
    expect(ledger.compactedFiles.sums('A')).toEqual({ files: 0, rows: 0, sizeBytes: 0 });
    expect(ledger.compactions.list('A', 10)).toEqual([]);
    expect(ledger.queryCosts.list('A', '')).toEqual([]);
    ledger.close();
  });

  it('goes on: batches move into a file and back, files are listed newest first', () => {
    makeFirst(LANDED);
    const ledger = openLedger(path);
    const file = 'c~r-1.parquet';
    expect(ledger.batches.move('a', 'Z', { file, landedFile: 'z.parquet', rowInFile: 0 })).toEqual({
      ...{ seq: 1, landedAt: AT, sizeBytes: 10, wasLoose: true },
    });
    ledger.batches.move('A', 'x', { file, landedFile: 'x.parquet', rowInFile: 3 });
    expect(ledger.batches.move('A', 'nope', { file, landedFile: null, rowInFile: 0 })).toBe(
      undefined,
    );
    const made = {
      ...{
        file,
        run: 'r',
        rows: 4,
        sizeBytes: 5,
        bodyBytes: 40,
        batches: 2,
        firstSeq: 1,
        lastSeq: 3,
      },
      ...{ firstLandedAt: AT, lastLandedAt: AT },
    };
    ledger.compactedFiles.add('A', made);
    ledger.streams.settleFiles('A');
    expect(ledger.streams.get('a')).toMatchObject({ files: 2, sizeBytes: 15, rows: 14, landed: 3 });
    expect(ledger.compactedFiles.get('a', file)).toEqual(made);
    const both = ledger.compactedFiles.page('A', undefined, 10, undefined);
    const times = { firstLandedAt: AT, lastLandedAt: AT };
    expect(both).toEqual([
      ...[
        { file: 'w.parquet', kind: 'loose', rows: 10, sizeBytes: 10, batches: 1, batchId: 'w' },
        { file, kind: 'compacted', rows: 4, sizeBytes: 5, batches: 2, batchId: null },
      ].map((one, at) => ({
        ...one,
        ...times,
        run: at === 1 ? 'r' : null,
        place: at === 1 ? 3 : 4,
      })),
    ]);
    expect(ledger.compactedFiles.page('A', 'loose', 10, 4)).toEqual([]);
    expect(ledger.compactedFiles.page('A', undefined, 10, 4)).toEqual([both[1]]);
    ledger.compactedFiles.remove('A', file);
    for (const id of ['z', 'x']) {
      ledger.batches.move('A', id, { file: `${id}.parquet`, landedFile: null, rowInFile: 0 });
    }
    ledger.streams.settleFiles('A');
    expect([...ledger.batches.eachLoose('A')]).toEqual(A);
    expect(ledger.streams.get('A')).toMatchObject({ files: 3, sizeBytes: 30 });
    ledger.close();
  });

  it('keeps the newest 2,000 measurements, and ends runs that nobody runs', () => {
    const ledger = openLedger(path);
    const point = (n: number) => ({
      ...{ at: new Date(n * 1_000).toISOString(), files: n, rows: n },
      ...{ groupByMs: 1.5, countMs: 2, batchMs: 0 },
    });
    for (let n = 1; n <= 2_005; n += 1) ledger.queryCosts.add('s', point(n));
    const kept = ledger.queryCosts.list('S', '');
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([2_000, point(6), point(2_005)]);
    expect(ledger.queryCosts.list('s', point(2_004).at)).toEqual([point(2_004), point(2_005)]);
    const run = (name: string, startedAt: string): RecordedRun => ({
      ...{ run: name, by: 'policy', state: 'running', startedAt, endedAt: null, filesBefore: 3 },
      ...{
        filesAfter: null,
        batches: 3,
        rows: 9,
        bytesBefore: 30,
        bytesAfter: null,
        heldMs: null,
      },
      ...{ fault: null, undoneAt: null },
    });
    ledger.compactions.put('s', run('one', '2026-01-01'));
    ledger.compactions.put('s', run('two', '2026-01-02'));
    ledger.compactions.endBroken('S', AT, 'It broke off.', 'two');
    expect(ledger.compactions.list('s', 10)).toEqual([
      run('two', '2026-01-02'),
      { ...run('one', '2026-01-01'), state: 'failed', endedAt: AT, fault: 'It broke off.' },
    ]);
    ledger.close();
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
