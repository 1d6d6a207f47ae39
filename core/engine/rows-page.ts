// Owns a page of a stream's rows: by place, straight from the files; what matches a filter is matching-rows.ts's.
// Never shows rows that landed after `before`, so that a page does not move under who reads it.

import { readRowRanges } from '../lake/rows.ts';
import type { RowsPage } from '../model.ts';
import { matchingPage } from './matching-rows.ts';
import type { OpenKnowledgebase } from './open.ts';
import type { RowsRequest } from './row-conditions.ts';
import type { OpenStream } from './streams.ts';

/**
 * A page of rows. Throws `query_cancelled` when `signal` aborts, and as queryPage where there is a filter.
 * Files stay where they are while it reads: the gate holds back what would move them.
 */
export const rowsPage = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  request: RowsRequest,
  signal?: AbortSignal,
): Promise<RowsPage> => {
  const ledger = knowledgebase.ledger();
  const columns = ledger.columns.list(stream.id).map(({ landed }) => landed);
  const all = Math.min(ledger.streams.get(stream.id)?.rows ?? 0, request.before ?? Infinity);
  if (request.filters.length > 0 || request.find) {
    return matchingPage(knowledgebase, stream, request, columns, all, signal);
  }
  const { offset, limit, order } = request;
  const from = order === 'oldest' ? offset : Math.max(0, all - offset - limit);
  const to = Math.min(all, order === 'oldest' ? offset + limit : all - offset);
  if (to <= from) return { columns, rows: [], total: all };
  const rows = await knowledgebase.query.gate.read(() => {
    const batches = knowledgebase.ledger().batches.covering(stream.id, from, to);
    const ranges = batches.map((batch) => ({
      file: batch.file,
      firstRow: batch.firstRow,
      rows: batch.rows,
      from: Math.max(0, from - batch.firstRow),
      to: Math.min(batch.rows, to - batch.firstRow),
    }));
    return readRowRanges(stream.paths, ranges, columns, signal);
  });
  return { columns, rows: order === 'oldest' ? rows : rows.reverse(), total: all };
};
