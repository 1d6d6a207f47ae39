// Owns the table `query_costs`: what queries of a stream cost when they were measured. Never measures.

import { fold } from '../ids.ts';
import type { CostPoint } from '../model.ts';
import type { SqliteDatabase } from '../sqlite.ts';

/** How many measurements of a stream are kept; older ones go. */
const KEPT = 2_000;

export interface QueryCostTable {
  add(stream: string, point: CostPoint): void;
  /** Oldest first, from `since` on. */
  list(stream: string, since: string): CostPoint[];
}

export const queryCostTable = (db: SqliteDatabase): QueryCostTable => {
  const add = db.prepare(`
    INSERT INTO query_costs (stream_key, at, files, rows, group_by_ms, count_ms, batch_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const trim = db.prepare(`
    DELETE FROM query_costs WHERE stream_key = @key AND at <= (
      SELECT at FROM query_costs WHERE stream_key = @key ORDER BY at DESC LIMIT 1 OFFSET ${KEPT})`);
  const list = db.prepare(`
    SELECT at, files, rows, group_by_ms AS groupByMs, count_ms AS countMs, batch_ms AS batchMs
    FROM query_costs WHERE stream_key = ? AND at >= ? ORDER BY at, seq`);
  return {
    add: (stream, { at, files, rows, groupByMs, countMs, batchMs }) => {
      add.run(fold(stream), at, files, rows, groupByMs, countMs, batchMs);
      trim.run({ key: fold(stream) });
    },
    list: (stream, since) => list.all(fold(stream), since) as CostPoint[],
  };
};
