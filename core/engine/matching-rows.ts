// Owns a page of the rows that match a filter: in landing order, each with its number in the whole stream.
// Never takes a file for a batch: one file may hold many, and what it is called says nothing of when it landed; nor does
// a batch stay in one file.

import { AppError } from '../errors.ts';
import { viewName } from '../knowledgebase/paths.ts';
import { globLiteral, identifier } from '../lake/duckdb.ts';
import { queryPage, streamRows } from '../lake/query.ts';
import type { GridRow, PlacedBatch, RowsPage } from '../model.ts';
import type { MatchCount } from './match-counts.ts';
import type { OpenKnowledgebase } from './open.ts';
import { conditionOf, type RowsRequest, textLiteral } from './row-conditions.ts';
import type { OpenStream } from './streams.ts';

/** A count looks at every row once; whoever does not want to wait aborts it. */
const COUNT_TIMEOUT_MS = 600_000;

/** A search: what matches, among which rows. */
interface Search {
  readonly knowledgebase: OpenKnowledgebase;
  readonly stream: OpenStream;
  readonly columns: readonly string[];
  /** SQL that is true of rows that match. */
  readonly condition: string;
  /** Rows of the stream that are looked at. */
  readonly before: number;
}

/** The page. Throws as queryPage, and `invalid_argument` for a column that is not there. */
export const matchingPage = async (
  knowledgebase: OpenKnowledgebase,
  stream: OpenStream,
  request: RowsRequest,
  columns: readonly string[],
  before: number,
  signal?: AbortSignal,
  isSecondTry = false,
): Promise<RowsPage> => {
  const condition = conditionOf(request, columns);
  // A stream that nothing has landed in has no view.
  const [last] = before > 0 ? placesAt(knowledgebase, stream, before - 1) : [];
  if (!last) return { columns, rows: [], total: 0 };
  const search: Search = { knowledgebase, stream, columns, condition, before };
  // The batch that it ends with shows whether the ledger was made anew, in another order.
  const key = JSON.stringify([stream.id, condition, before, last.seq, last.batchId, last.firstRow]);
  const { matches } = knowledgebase;
  const count = await matches.get(key, (stop) => countMatches(search, last, stop), signal);
  const { offset, limit, order } = request;
  const { total } = count;
  const from = order === 'oldest' ? offset : Math.max(0, total - offset - limit);
  const to = Math.min(total, order === 'oldest' ? offset + limit : total - offset);
  if (to <= from) return { columns, rows: [], total };
  const rows = await rowsBetween(search, count, from, to, signal).catch((error: unknown) => {
    // A file may have gone since it was counted, its batches into another.
    if (isSecondTry || !(error instanceof AppError) || error.code !== 'query_failed') throw error;
  });
  if (!rows) {
    matches.drop(key);
    return matchingPage(knowledgebase, stream, request, columns, before, signal, true);
  }
  return { columns, rows: order === 'oldest' ? rows : rows.reverse(), total };
};

const placesAt = (
  { ledger }: OpenKnowledgebase,
  stream: OpenStream,
  row: number,
): readonly PlacedBatch[] => ledger().batches.covering(stream.id, row, row + 1);

const countMatches = async (
  search: Search,
  last: PlacedBatch,
  signal: AbortSignal,
): Promise<MatchCount> => {
  const { knowledgebase, stream, condition } = search;
  const view = viewName(stream.id);
  const upToLine = await conditionOnLast(search, last, signal);
  const sql = `
    SELECT _batch_id, count(*), any_value(filename) FROM ${view} WHERE ${condition}${upToLine} GROUP BY 1`;
  const options = { signal, timeoutMs: COUNT_TIMEOUT_MS };
  const found = new Map<string, { times: number; file: string }>();
  // One string for all batches of a file.
  const names = new Map<string, string>();
  await streamRows(knowledgebase.query, sql, options, async ({ chunks }) => {
    for await (const rows of chunks()) {
      for (const [batchId, times, name] of rows as [string, string, string][]) {
        const file = names.get(name) ?? name;
        names.set(file, file);
        found.set(batchId, { times: Number(times), file });
      }
    }
  });
  const batchIds: string[] = [];
  const files: string[] = [];
  const upTo: number[] = [];
  let total = 0;
  for await (const batchId of batchesInOrder(knowledgebase, stream, last.seq)) {
    const one = found.get(batchId);
    if (!one) continue;
    total += one.times;
    batchIds.push(batchId);
    files.push(one.file);
    upTo.push(total);
  }
  return { total, batchIds, files, upTo };
};

/** Where the rows that are looked at end inside a batch: up to which of its lines. */
const conditionOnLast = async (
  { knowledgebase, stream, before }: Search,
  { batchId, firstRow, rows }: PlacedBatch,
  signal: AbortSignal,
): Promise<string> => {
  if (firstRow + rows <= before) return '';
  const is = `_batch_id = ${textLiteral(batchId)}`;
  const sql = `SELECT _line FROM ${viewName(stream.id)} WHERE ${is} ORDER BY _line`;
  const page = await queryPage(knowledgebase.query, sql, {
    ...{ offset: before - firstRow - 1, limit: 1, signal },
  });
  return ` AND NOT (${is} AND _line > ${Number(page.rows[0]?.[0] ?? 0)})`;
};

const CHUNK = 10_000;

/** The ids of a stream's batches up to `lastSeq`, in landing order; other work gets its turn between. */
async function* batchesInOrder(
  { ledger }: OpenKnowledgebase,
  { id }: OpenStream,
  lastSeq: number,
): AsyncGenerator<string> {
  for (let after = 0; after < lastSeq; ) {
    const chunk = ledger().batches.idsAfter(id, after, CHUNK);
    for (const { seq, batchId } of chunk) if (seq <= lastSeq) yield batchId;
    after = chunk.length < CHUNK ? lastSeq : (chunk.at(-1)?.seq ?? lastSeq);
    await new Promise(setImmediate);
  }
}

/** Matches `from` to `to` (exclusive); undefined where the ledger has lost one of their batches since the count. */
const rowsBetween = async (
  { knowledgebase, stream, columns, condition }: Search,
  { batchIds, files, upTo }: MatchCount,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): Promise<GridRow[] | undefined> => {
  const first = firstAbove(upTo, from);
  const end = firstAbove(upTo, to - 1) + 1;
  const wanted = batchIds.slice(first, end);
  const { batches } = knowledgebase.ledger();
  const firstRows = new Map<string, number>();
  for (const batchId of wanted) {
    const place = batches.place(stream.id, batchId);
    if (!place) return undefined;
    firstRows.set(batchId, place.firstRow);
  }
  const skipped = from - (first === 0 ? 0 : (upTo[first - 1] as number));
  const source = sourceOf(new Set(files.slice(first, end)), columns);
  const sql = pageSql(source, columns, condition, wanted);
  const page = await queryPage(knowledgebase.query, sql, {
    ...{ offset: skipped, limit: to - from, timeoutMs: COUNT_TIMEOUT_MS },
    ...(signal ? { signal } : {}),
  });
  return page.rows.map(([batchId, line, rank, ...values]) => ({
    row: (firstRows.get(batchId as string) as number) + Number(rank),
    batchId: batchId as string,
    line: Number(line),
    values,
  }));
};

/** The first of ascending numbers that is above a value. */
const firstAbove = (numbers: readonly number[], value: number): number => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The rows of files, with every column of the stream: those that they lack are NULL. */
const sourceOf = (files: ReadonlySet<string>, columns: readonly string[]): string => {
  const list = [...files].map((file) => globLiteral(file, '')).join(', ');
  const nulls = columns.map((name) => `, NULL::VARCHAR AS ${identifier(name)}`).join('');
  return `(
    FROM read_parquet([${list}], union_by_name = true, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT NULL::VARCHAR AS _batch_id, NULL::BIGINT AS _line${nulls} WHERE false)`;
};

/** Its names are all our own, since a producer's column may have any. A row's rank is its place among its batch's lines. */
const pageSql = (
  source: string,
  columns: readonly string[],
  condition: string,
  batchIds: readonly string[],
): string => {
  const ids = batchIds.map(textLiteral);
  const isWanted = `_batch_id IN (${ids.join(', ')})`;
  const values = columns.map((_, index) => `c${index}`);
  const names = columns.map((name, index) => `, ${identifier(name)} AS c${index}`);
  const places = ids.map((id, index) => `(${id}, ${index})`);
  return `
    WITH matches AS (
      SELECT _batch_id AS id, _line AS line${names.join('')} FROM ${source}
      WHERE ${isWanted} AND ${condition}),
    ranks AS (
      SELECT _batch_id AS id, _line AS line,
        row_number() OVER (PARTITION BY _batch_id ORDER BY _line) - 1 AS rank
      FROM ${source} WHERE ${isWanted}),
    places(id, place) AS (VALUES ${places.join(', ')})
    SELECT ${['id', 'line', 'rank', ...values].join(', ')}
    FROM matches JOIN ranks USING (id, line) JOIN places USING (id) ORDER BY place, line`;
};
