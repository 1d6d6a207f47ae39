// Owns a page of a stream's rows: by place from the files, or by a filter through the view.
// Never shows rows that landed after `before`, so that a page does not move under who reads it.

import { AppError } from '../errors.ts';
import { viewName } from '../knowledgebase/paths.ts';
import { queryPage } from '../lake/query.ts';
import type { GridRow, RowsPage } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';
import { readRows } from './read-rows.ts';
import type { OpenStream } from './streams.ts';

/** One condition on a column. Text is compared as text; `contains` without case. */
export interface RowFilter {
  readonly column: string;
  readonly is: 'equal' | 'not-equal' | 'contains' | 'null' | 'not-null';
  readonly value?: string | undefined;
}

export interface RowsRequest {
  readonly order: 'oldest' | 'newest';
  readonly offset: number;
  readonly limit: number;
  /** Rows of the stream to look at: those that had landed when the grid was opened. All of them when left out. */
  readonly before?: number | undefined;
  readonly filters: readonly RowFilter[];
  /** Text that any column contains, without case. */
  readonly find?: string | undefined;
}

/** A page of rows. Throws as queryPage where there is a filter. */
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
    return filteredPage(knowledgebase, stream, request, columns, signal);
  }
  const { offset, limit, order } = request;
  const from = order === 'oldest' ? offset : Math.max(0, all - offset - limit);
  const to = Math.min(all, order === 'oldest' ? offset + limit : all - offset);
  if (to <= from) return { columns, rows: [], total: all };
  const rows = await readRows(knowledgebase, stream, from, to, columns);
  return { columns, rows: order === 'oldest' ? rows : rows.reverse(), total: all };
};

const filteredPage = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  request: RowsRequest,
  columns: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RowsPage> => {
  const where = `${whereOf(request, columns)}${withoutLater(knowledgebase, stream, request.before)}`;
  // A stream that nothing has landed in has no view.
  if (!knowledgebase.ledger().streams.get(stream.id)?.files) return { columns, rows: [], total: 0 };
  const view = viewName(stream.id);
  const options = { ...(signal ? { signal } : {}) };
  const count = await queryPage(
    knowledgebase.query,
    `SELECT count(*) FROM ${view} WHERE ${where}`,
    options,
  );
  const names = columns.map((name) => `, ${quoted(name)}`).join('');
  const page = await queryPage(
    knowledgebase.query,
    `SELECT _batch_id, _line${names} FROM ${view} WHERE ${where}`,
    { ...options, offset: request.offset, limit: request.limit },
  );
  const rows = page.rows.map(
    ([batchId, line, ...values], index): GridRow => ({
      row: request.offset + index,
      batchId: batchId as string,
      line: Number(line),
      values,
    }),
  );
  return { columns, rows, total: Number(count.rows[0]?.[0] ?? 0) };
};

/** A condition that leaves out batches which landed after the grid was opened. */
const withoutLater = (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  before: number | undefined,
): string => {
  if (before === undefined) return '';
  const later = knowledgebase
    .ledger()
    .batches.covering(stream.id, before, Number.MAX_SAFE_INTEGER)
    .filter(({ firstRow }) => firstRow >= before);
  return later.length === 0
    ? ''
    : ` AND _batch_id NOT IN (${later.map(({ batchId }) => text(batchId)).join(', ')})`;
};

/** How each kind of filter reads in SQL. */
const CONDITIONS: Readonly<Record<RowFilter['is'], (name: string, value: string) => string>> = {
  null: (name) => `${name} IS NULL`,
  'not-null': (name) => `${name} IS NOT NULL`,
  equal: (name, value) => `${name} = ${value}`,
  'not-equal': (name, value) => `${name} IS DISTINCT FROM ${value}`,
  contains: (name, value) => `contains(lower(${name}), lower(${value}))`,
};

const whereOf = ({ filters, find }: RowsRequest, columns: readonly string[]): string => {
  const conditions = filters.map(({ column, is, value }): string => {
    if (!columns.some((name) => name.toLowerCase() === column.toLowerCase())) {
      throw new AppError('invalid_argument', `The stream has no column "${column.slice(0, 60)}".`);
    }
    return CONDITIONS[is](quoted(column), text(value));
  });
  if (find) {
    const any = columns.map((name) => `contains(lower(${quoted(name)}), lower(${text(find)}))`);
    conditions.push(any.length > 0 ? `(${any.join(' OR ')})` : 'false');
  }
  return `(${conditions.join(' AND ')})`;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const text = (value: string | undefined): string => `'${(value ?? '').replaceAll("'", "''")}'`;
