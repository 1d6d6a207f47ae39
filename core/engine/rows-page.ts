// Owns a page of a stream's rows: by place, straight from the files; what matches a filter is matching-rows.ts's.
// Never shows rows that landed after `before`, so that a page does not move under who reads it.

import type { RowsPage } from '../model.ts';
import { matchingPage } from './matching-rows.ts';
import type { OpenKnowledgebase } from './open.ts';
import { readRows } from './read-rows.ts';
import type { RowsRequest } from './row-conditions.ts';
import type { OpenStream } from './streams.ts';

/** A page of rows. Throws as readRows, and as queryPage where there is a filter. */
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
  const rows = await readRows(knowledgebase, stream, { from, to, columns, signal });
  return { columns, rows: order === 'oldest' ? rows : rows.reverse(), total: all };
};
