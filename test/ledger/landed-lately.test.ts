// Holds the ledger to what it says of the last minutes: each landing once, by second, as far back as it may look.

import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../core/ledger/open.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const ago = (ms: number): string => new Date(NOW - ms).toISOString();
const FROM = ago(900_000);

describe('what landed lately', () => {
  let ledger: Ledger;
  let batches = 0;
  beforeEach(() => {
    ledger = openLedger(join(tempFolder(), 'ledger.sqlite'));
    for (const stream of ['Sensors', 'orders']) ledger.streams.ensure(stream, ago(1_000_000));
  });
  afterEach(() => ledger.close());

  const record = (stream: string, landedAt: string, rows: number): void => {
    batches += 1;
    const batchId = `b${batches}`;
    ledger.batches.add({
      ...{ stream, batchId, file: `${batchId}.parquet`, rows, sizeBytes: 1, bodyBytes: 1 },
      ...{ sha256: 'x', sender: null, receivedAt: landedAt, landedAt, replays: 0 },
      ...{ lastReplayedAt: null, recovered: false, rejectId: null, rejectSha256: null },
      ...{ partRejectId: null, linesRejected: 0, landedFile: null, rowInFile: 0 },
    });
  };

  test('is the rows of each stream by second, between the two moments', () => {
    record('sensors', ago(900_001), 1_000);
    record('sensors', FROM, 1);
    record('sensors', ago(2_999), 10);
    record('orders', ago(2_999), 5);
    record('sensors', ago(2_001), 20);
    // A restart finds it late.
    record('sensors', ago(60_500), 7);
    record('orders', ago(1), 3);
    record('orders', ago(0), 2_000);
    expect(ledger.landedLately(FROM, ago(0))).toEqual({
      since: FROM,
      landed: [
        { stream: 'Sensors', at: FROM, rows: 1 },
        { stream: 'Sensors', at: ago(61_000), rows: 7 },
        { stream: 'Sensors', at: ago(3_000), rows: 30 },
        { stream: 'orders', at: ago(3_000), rows: 5 },
        { stream: 'orders', at: ago(1_000), rows: 3 },
      ],
    });
  });

  test('is nothing in an empty ledger, and in one where nothing landed lately', () => {
    expect(ledger.landedLately(FROM, ago(0))).toEqual({ since: FROM, landed: [] });
    record('orders', ago(900_001), 3);
    expect(ledger.landedLately(FROM, ago(0))).toEqual({ since: FROM, landed: [] });
  });

  test('is said from the moment on that it looked back to, where more landed than it looks at', () => {
    // A hundred a second: the newest 50,000 are those of the last 500 seconds.
    const db = openSqlite(ledger.path);
    db.prepare(`
      WITH RECURSIVE places (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM places WHERE seq < 52000),
        moments AS (SELECT seq, ? - (52001 - seq) * 10 AS ms FROM places),
        landings AS (SELECT seq, strftime('%Y-%m-%dT%H:%M:%S.', ms / 1000, 'unixepoch')
          || printf('%03dZ', ms % 1000) AS at FROM moments)
      INSERT INTO batches (stream_key, batch_key, batch_id, file, rows, size_bytes, body_bytes, sha256,
        received_at, landed_at) SELECT 'orders', seq, seq, seq, 1, 1, 1, 'x', at, at FROM landings`).run(
      NOW,
    );
    db.close();
    const { since, landed } = ledger.landedLately(FROM, ago(0));
    expect(since).toBe(ago(499_000));
    expect(landed.reduce((sum, { rows }) => sum + rows, 0)).toBe(50_000);
    expect(landed.filter(({ at }) => at >= since).every(({ rows }) => rows === 100)).toBe(true);
  });
});
